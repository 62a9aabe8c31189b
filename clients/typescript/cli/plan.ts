import { type CampaignDocument, isCode, type ResponseData } from 'campaign-service-client';
import { EXIT } from './exit-codes.js';
import { CommandError } from './failure.js';
import { sha256 } from './files.js';
import type { Session } from './session.js';

/** What the format of a plan's file is called. */
export const PLAN_FORMAT = 'campaign-plan-1';

/** Respondents of the forecast if no limit ends the campaign. */
const RESPONDENTS_WITHOUT_LIMIT = 1_000;

export interface Blocker {
  code: string;
  message: string;
}

/** What applying a document would do, and what starting the campaign then would mean. */
export interface Plan {
  format: typeof PLAN_FORMAT;
  planned_at: string;
  url: string;
  /** The file of the document. */
  file: string;
  document: CampaignDocument;
  /** The hash of the document, so that no other one is applied. */
  sha256: string;
  result: ResponseData<'applyCampaign'>['result'];
  post_id: string | null;
  /** The version that the plan is for; `null` for a new campaign. */
  etag: string | null;
  changes: FieldChange[];
  ready: boolean;
  blockers: Blocker[];
  warnings: ResponseData<'checkLaunch'>['warnings'];
  currency: string;
  /** What a start commits at most; `null` if nothing limits it. */
  maximum_cost: number | null;
  forecast: Pick<ResponseData<'forecastCampaign'>, 'cost' | 'responses' | 'ended_by'> & {
    respondents: number;
  };
}

/** A field that would change. `old` is `null` for a new campaign, and where it is not shown. */
export interface FieldChange {
  field: string;
  old: unknown;
  new: unknown;
}

/** Runs a document without changing anything. It is refused as applying it would be. */
export async function makePlan(
  session: Session,
  file: string,
  document: CampaignDocument,
): Promise<Plan> {
  const { campaigns } = session.client();
  const refusal = await refusalOfStart(session, document);
  // What a document that starts the campaign changes can be said even if it cannot be started.
  const { is_live: _, ...stopped } = document;
  const feasible = refusal.length === 0 ? document : (stopped as CampaignDocument);
  const { data: dryRun, etag } = await campaigns
    .apply({ ...feasible, dry_run: true }, session.call)
    .withResponse();
  const [stored, forecast] = await Promise.all([
    dryRun.post_id === null ? null : campaigns.get(dryRun.post_id, session.call),
    forecastOf(session, feasible),
  ]);
  const blockers = [...forecast.blockers, ...(forecast.blockers.length === 0 ? refusal : [])];
  return {
    format: PLAN_FORMAT,
    planned_at: new Date().toISOString(),
    url: session.identity.url,
    file,
    document,
    sha256: hashOf(document),
    result: dryRun.result,
    post_id: dryRun.post_id,
    etag: dryRun.result === 'created' ? null : (etag ?? null),
    changes: await changesOf(session, dryRun, document, stored),
    ready: blockers.length === 0,
    blockers,
    warnings: forecast.warnings,
    currency: forecast.currency,
    maximum_cost: forecast.maximum_cost,
    forecast: {
      cost: forecast.cost,
      responses: forecast.responses,
      ended_by: forecast.ended_by,
      respondents: forecast.assumptions.respondents,
    },
  };
}

async function forecastOf(session: Session, campaign: CampaignDocument) {
  const { campaigns } = session.client();
  try {
    return await campaigns.forecast({ campaign }, session.call);
  } catch (error) {
    if (!isCode(error, 'respondents_required')) {
      throw error;
    }
    return campaigns.forecast({ campaign, respondents: RESPONDENTS_WITHOUT_LIMIT }, session.call);
  }
}

/** Why a start can be refused, whatever the document says. */
const START_REFUSALS = [
  'approval_required',
  'balance_low',
  'campaign_completed',
  'spending_limit_exceeded',
  'unbounded_cost',
] as const;

/**
 * Why the service would refuse to start the campaign that the document leads to. The dry run of a
 * start counts the limits of the key too.
 */
async function refusalOfStart(session: Session, document: CampaignDocument): Promise<Blocker[]> {
  try {
    const started = await session
      .client()
      .campaigns.apply({ ...document, is_live: true, dry_run: true }, session.call);
    return started.is_live
      ? []
      : [{ code: started.stop_reason ?? started.status, message: 'The campaign stays stopped.' }];
  } catch (error) {
    if (isCode(error, ...START_REFUSALS)) {
      return [{ code: error.code, message: error.message }];
    }
    throw error;
  }
}

type Stored = ResponseData<'getCampaign'>;

async function changesOf(
  session: Session,
  { changed_fields }: ResponseData<'applyCampaign'>,
  document: CampaignDocument,
  stored: Stored | null,
): Promise<FieldChange[]> {
  const wanted = document as Record<string, unknown>;
  const current = stored as Record<string, unknown> | null;
  const questions =
    stored !== null && changed_fields.includes('questions') && stored.questions !== null
      ? (await session.client().questions.get(stored.post_id, session.call)).questions
      : null;
  return changed_fields.map((field) => ({
    field,
    old: field === 'questions' ? questions : (current?.[field] ?? null),
    new: wanted[field] ?? null,
  }));
}

const hashOf = (document: object) => sha256(JSON.stringify(document));

/**
 * Checks that a plan is for this service, and that its document has not changed since.
 *
 * @param document what is in the document's file now; undefined if the file is not there
 */
export function checkPlan(plan: Plan, document: object | undefined, url: string): void {
  const again = 'Plan again: campaign plan --out plan.json';
  if (plan.format !== PLAN_FORMAT) {
    throw new CommandError('This is no plan.', EXIT.refused, again);
  }
  if (plan.url !== url) {
    throw new CommandError(`The plan is for ${plan.url}, not for ${url}.`, EXIT.changed, again);
  }
  if (hashOf(plan.document) !== plan.sha256) {
    throw new CommandError('The plan was changed after it was made.', EXIT.changed, again);
  }
  if (document !== undefined && hashOf(document) !== plan.sha256) {
    throw new CommandError(`${plan.file} has changed since it was planned.`, EXIT.changed, again);
  }
}

/** Applies exactly what was planned, to exactly the version that it was planned for. */
export async function applyPlan(
  session: Session,
  plan: Plan,
): Promise<ResponseData<'applyCampaign'>> {
  const { campaigns } = session.client();
  if (plan.etag !== null) {
    return campaigns.apply(plan.document, { ...session.call, ifMatch: plan.etag });
  }
  const { result } = await campaigns.apply({ ...plan.document, dry_run: true }, session.call);
  if (result !== 'created') {
    throw new CommandError(
      `A campaign ${plan.document.external_ref} was created since it was planned.`,
      EXIT.changed,
      'Plan again: campaign plan --out plan.json',
    );
  }
  return campaigns.apply(plan.document, session.call);
}
