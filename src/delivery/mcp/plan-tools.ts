import type { Json } from '../../platform/openapi/json-schema';
import { planIdOf, plannedVersion } from './plan-id.rules';
import { ToolError } from './tool-error';
import type { ToolSchemas } from './tool-schema';
import { argumentsOf, COMMITS, defineTool, READS, Tool, ToolCall } from './tool.types';

/** A campaign document without `dry_run`. */
interface Document extends Json {
  external_ref: string;
  is_live?: boolean;
}

const APPLY = '/svc/campaign/apply';

/** How often a plan runs the campaign: enough for a percentile, in a fraction of a second. */
const RUNS = 500;

/** How many respondents a plan assumes where nothing limits how many there can be. */
const ASSUMED = 1_000;

/** The most warnings that a plan shows. */
const WARNINGS_SHOWN = 20;

/** What is checked of a document before the operation checks the rest. */
const DOCUMENT_CHECKED = {
  type: 'object',
  properties: { external_ref: { type: 'string' } },
  required: ['external_ref'],
};

const withoutStart = ({ is_live: _, ...document }: Document): Json => document;

/** Returns the refusal of work; it throws everything else. */
async function refusalOf<T>(work: Promise<T>): Promise<T | { refused: ToolError }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ToolError) {
      return { refused: error };
    }
    throw error;
  }
}

const dryRun = ({ requests }: ToolCall, document: Json) =>
  requests.send('PUT', APPLY, { body: { ...document, dry_run: true } });

/** Returns what applying a document would do, and which approval that needs. */
async function rehearse(call: ToolCall, document: Document) {
  const first = await refusalOf(dryRun(call, document));
  if (!('refused' in first)) {
    return { applied: first.data, approval: null };
  }
  const { code, limit, required } = first.refused.refusal;
  if (code !== 'approval_required') {
    throw first.refused;
  }
  const stopped = await refusalOf(dryRun(call, withoutStart(document)));
  return {
    applied: 'refused' in stopped ? null : stopped.data,
    approval: { needed: true, above: limit, campaign_could_cost: required ?? null },
  };
}

/** What the campaign can cost, what prevents its start, and what it will probably bring. */
async function forecast({ requests }: ToolCall, document: Document) {
  const run = (fields: object) => {
    const body = { campaign: withoutStart(document), runs: RUNS, ...fields };
    return refusalOf(requests.send('POST', '/svc/campaign/forecast', { body }));
  };
  let made = await run({});
  if ('refused' in made && made.refused.refusal.code === 'respondents_required') {
    made = await run({ respondents: ASSUMED });
  }
  if ('refused' in made) {
    // A live campaign that would need an approval, which the plan says.
    return { launch_check: null, forecast: made.refused.described };
  }
  const { blockers, warnings, maximum_cost, currency, assumptions, ...rest } = made.data;
  const { cost, responses, cost_per_response, ended_by, known_enough } = rest;
  const { respondents: assumed_respondents } = assumptions as Json;
  return {
    launch_check: {
      ready: (blockers as Json[]).length === 0,
      blockers,
      warnings: (warnings as Json[]).slice(0, WARNINGS_SHOWN),
      maximum_cost,
      currency,
    },
    forecast: { assumed_respondents, cost, responses, cost_per_response, ended_by, known_enough },
  };
}

async function plan(call: ToolCall, document: Document): Promise<object> {
  const { caller, agents } = call;
  const stored = await agents.find(caller, document.external_ref);
  const { applied, approval } = await rehearse(call, document);
  return {
    plan_id: planIdOf(caller.company ?? '', document, stored?.version ?? 0),
    result: applied?.result ?? 'updated',
    changed_fields: applied?.changed_fields ?? null,
    post_id: stored?.post_id ?? null,
    starts_the_campaign: document.is_live === true,
    approval,
    ...(await forecast(call, document)),
  };
}

async function apply(call: ToolCall, document: Document, planId: string): Promise<object> {
  const version = plannedVersion(call.caller.company ?? '', document, planId);
  if (version === undefined) {
    const message = 'This document is not the one of the plan.';
    throw new ToolError({ code: 'plan_mismatch', message });
  }
  const headers = { 'if-match': `"${version}"` };
  const made = await refusalOf(call.requests.send('PUT', APPLY, { body: document, headers }));
  if (!('refused' in made)) {
    return { ...made.data, message: made.message };
  }
  if (made.refused.refusal.code === 'version_conflict') {
    // The same call before this one may have done it.
    const again = await refusalOf(dryRun(call, document));
    if (!('refused' in again) && again.data.result === 'unchanged') {
      return { ...again.data, dry_run: false, message: again.message };
    }
  }
  throw made.refused;
}

/** The tools that make and change campaigns. */
export function planTools(schemas: ToolSchemas): Tool[] {
  const document = schemas.of('CampaignDocument', 'dry_run');
  const sameDocument = {
    ...DOCUMENT_CHECKED,
    description: 'Exactly the document that was planned.',
  };
  return [
    defineTool<{ document: Document }>({
      name: 'plan_campaign',
      title: 'Plan a campaign',
      description:
        'Checks a whole campaign, as one document, and changes nothing. Returns what would be ' +
        'created or changed, what the campaign can cost at most (launch_check.maximum_cost), a ' +
        'forecast, whether a person must approve it, and a plan_id. Show this to your user, then ' +
        'call apply_campaign with the plan_id and the same document. The external_ref is your own ' +
        'name for the campaign: a new one creates a campaign, a known one changes it, and fields ' +
        'that are left out stay as they are. To create one, send external_ref, type, title, ' +
        'description, category, tagline, reward_amount, max_responses or budget, and questions. ' +
        'A single_choice, multiple_choice or ranking takes options, a rating takes scale, a matrix ' +
        'takes rows and options. Amounts are in the currency of the company. is_live true starts ' +
        'it when it is applied; leave it out to start it later with start_campaign.',
      annotations: READS,
      scopes: ['campaigns:read', 'campaigns:write'],
      input: argumentsOf({ document }, ['document']),
      checked: argumentsOf({ document: DOCUMENT_CHECKED }, ['document']),
      run: ({ document: { dry_run: _, ...given } }, call) => plan(call, given),
    }),
    defineTool<{ plan_id: string; document: Document }>({
      name: 'apply_campaign',
      title: 'Apply a planned campaign',
      description:
        'Carries out a plan of plan_campaign: creates or changes the campaign, and starts it if ' +
        'the document says is_live true, which promises money to respondents. It is refused, and ' +
        'changes nothing, if the document is another one or the campaign has changed since it was ' +
        'planned. Calling it again with the same arguments does nothing more.',
      annotations: COMMITS,
      scopes: ['campaigns:read', 'campaigns:write'],
      input: argumentsOf(
        {
          plan_id: { type: 'string', maxLength: 100, description: 'What plan_campaign returned.' },
          document: sameDocument,
        },
        ['plan_id', 'document'],
      ),
      output: schemas.outline('AppliedDocument'),
      run: ({ plan_id, document: { dry_run: _, ...given } }, call) => apply(call, given, plan_id),
    }),
  ];
}
