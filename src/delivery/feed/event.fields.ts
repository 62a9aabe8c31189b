import { CAMPAIGN_FIELDS } from '../../campaigns/campaign/campaign.columns';
import { COUNT, EventValue, FLAG, MONEY, ref, TEXT, TIME } from '../../platform/event/event-values';
import { pascalCase, Schema } from '../../platform/openapi/json-schema';
import { oneOf, Refinement } from '../../platform/openapi/schema-refinements';
import { EVENT_TYPES, EventType, isCreation } from '../../platform/event/event.types';

/*
 * The schemas of events: one for each type, so that a client's compiler knows the fields that an
 * event of a type changes.
 */

type Fields = Readonly<Record<string, EventValue>>;

const REWARDS: Fields = {
  cohort_1_reward: [MONEY],
  cohort_2_reward: [MONEY],
  cohort_3_reward: [MONEY],
  cohort_4_reward: [MONEY],
  cohort_5_reward: [MONEY],
};

const LIVE: Fields = { is_live: [FLAG] };
const STATUS: Fields = { status: [ref('CampaignStatus')] };
const STOP_REASON: Fields = { stop_reason: [ref('StopReason')] };
const QUESTION_SET: Fields = { question_set_version: [{ ...COUNT, minimum: 1 }, 'nullable'] };

/** What a campaign is created with, and what an update can change. */
const CAMPAIGN: Fields = {
  ...Object.fromEntries(
    Object.entries(CAMPAIGN_FIELDS).flatMap(([name, { event }]) =>
      event === null ? [] : [[name, event]],
    ),
  ),
  ...REWARDS,
};

const TARGETING: Fields = { targeting_version: [{ ...COUNT, minimum: 1 }, 'nullable'] };

/** A quota, and how far it is. */
const QUOTA: Fields = {
  post_id: [TEXT],
  name: [TEXT],
  limit: [COUNT],
  taken: [COUNT],
  submitted: [COUNT],
};

const SCOPES = { type: 'array', items: ref('Scope'), maxItems: 100 };

const KEY: Fields = {
  name: [TEXT, 'nullable'],
  scopes: [SCOPES],
  expires_at: [TIME, 'nullable'],
  spending_limit: [ref('SpendingLimit'), 'nullable'],
  approval_above: [MONEY, 'nullable'],
};
const CHANGED_KEY: Fields = {
  ...KEY,
  revoked_at: [TIME, 'nullable'],
  overlap_ends_at: [TIME, 'nullable'],
};

const RESPONSE: Fields = {
  post_id: [TEXT],
  cohort: [{ ...COUNT, minimum: 1, maximum: 5 }],
  reward: [MONEY],
  answered: [COUNT],
  spent: [MONEY],
  held: [MONEY],
};

/** A respondent who was paid although the answers to the screening questions do not qualify. */
const SCREEN_OUT: Fields = {
  post_id: [TEXT],
  reward: [MONEY],
  screened_out: [COUNT],
  answered: [COUNT],
  spent: [MONEY],
  held: [MONEY],
};

/** What was funded or refunded, and what is available then. */
const FUNDING: Fields = { amount: [MONEY], reference: [TEXT], available: [MONEY] };

/** A balance that is smaller than what live campaigns can still cost. */
const LOW: Fields = { available: [MONEY], allotted: [MONEY], still_to_come: [MONEY] };

/** A bonus that was paid. */
const BONUS: Fields = {
  post_id: [TEXT],
  cohort: [{ ...COUNT, minimum: 1, maximum: 5 }],
  bonus: [MONEY],
  bonus_ref: [TEXT],
  answered: [COUNT],
  spent: [MONEY],
  held: [MONEY],
};

/** What became of a dispute. */
const DECISION: Fields = { post_id: [TEXT], has_lapsed: [FLAG] };

/** A request that needs an approval, and the campaign that it changes, if there is one. */
const APPROVAL: Fields = { operation: [TEXT], post_id: [TEXT] };

/** Where a guardrail fired. */
const GUARDRAIL: Fields = {
  post_id: [TEXT],
  name: [TEXT],
  then: [ref('GuardrailAction')],
  stopped: [FLAG],
  seq: [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' }],
  at: [TIME],
};

/** What it measured, which only those see who may read responses. */
const MEASURED: Fields = {
  values: [{ type: 'array', items: ref('FiredValue'), minItems: 1, maxItems: 5 }],
};

/** The fields that an event of each type can change. */
const CHANGES: Readonly<Record<EventType, Fields>> = {
  'campaign.created': { ...CAMPAIGN, currency: [TEXT], ...LIVE, ...QUESTION_SET },
  'campaign.updated': { ...CAMPAIGN, ...STATUS, ...STOP_REASON },
  'campaign.started': LIVE,
  'campaign.stopped': LIVE,
  'campaign.completed': { ...STATUS, ...LIVE },
  'campaign.archived': STATUS,
  'campaign.unarchived': STATUS,
  'campaign.questions_replaced': QUESTION_SET,
  'campaign.cohort_rewards_updated': REWARDS,
  'campaign.targeting_replaced': TARGETING,
  'api_key.generated': { ...KEY, prefix: [TEXT] },
  'api_key.updated': CHANGED_KEY,
  'api_key.rotated': CHANGED_KEY,
  'api_key.revoked': CHANGED_KEY,
  'webhook.tested': {},
  'webhook.disabled': {
    enabled: [FLAG],
    disabled_reason: [ref('WebhookDisabledReason'), 'nullable'],
  },
  'response.submitted': RESPONSE,
  'response.reversed': { ...RESPONSE, bonus: [MONEY], reason: [TEXT] },
  'response.bonus_paid': BONUS,
  'dispute.opened': { post_id: [TEXT], reason: [TEXT] },
  'dispute.accepted': DECISION,
  'dispute.declined': { ...DECISION, note: [TEXT] },
  'guardrail.triggered': { ...GUARDRAIL, ...MEASURED },
  'quota.filled': QUOTA,
  'quota.reopened': QUOTA,
  'participation.screened_out': SCREEN_OUT,
  'balance.funded': FUNDING,
  'balance.refunded': FUNDING,
  'balance.low': LOW,
  'approval.requested': {
    ...APPROVAL,
    commits: [MONEY, 'nullable'],
    adds: [MONEY, 'nullable'],
    expires_at: [TIME],
  },
  'approval.approved': APPROVAL,
  'approval.refused': { ...APPROVAL, reason: [TEXT] },
  'approval.expired': APPROVAL,
  'approval.outdated': APPROVAL,
};

/** The fields that every event of a type changes. */
const ALWAYS: Readonly<Partial<Record<EventType, Fields>>> = {
  'campaign.started': LIVE,
  'campaign.stopped': LIVE,
  'campaign.completed': STATUS,
  'campaign.archived': STATUS,
  'campaign.unarchived': STATUS,
  'campaign.questions_replaced': QUESTION_SET,
  'campaign.targeting_replaced': TARGETING,
  'webhook.disabled': CHANGES['webhook.disabled'],
  'response.submitted': RESPONSE,
  'response.reversed': { ...RESPONSE, reason: [TEXT] },
  'response.bonus_paid': BONUS,
  'dispute.opened': CHANGES['dispute.opened'],
  'dispute.accepted': DECISION,
  'dispute.declined': DECISION,
  'guardrail.triggered': GUARDRAIL,
  'quota.filled': QUOTA,
  'quota.reopened': QUOTA,
  'participation.screened_out': SCREEN_OUT,
  'balance.funded': FUNDING,
  'balance.refunded': FUNDING,
  'balance.low': LOW,
  'approval.requested': { operation: [TEXT] },
  'approval.approved': { operation: [TEXT] },
  'approval.refused': { operation: [TEXT] },
  'approval.expired': { operation: [TEXT] },
  'approval.outdated': { operation: [TEXT] },
};

function orNull(value: Schema): Schema {
  return '$ref' in value
    ? { anyOf: [value, { type: 'null' }] }
    : { ...value, type: [value.type, 'null'] };
}

function changesOf(type: EventType, described: Schema | undefined): Schema {
  const fields = Object.entries(CHANGES[type]).map(([name, [value, presence]]) => {
    const either = presence === 'nullable' ? orNull(value) : value;
    const old = isCreation(type) ? { type: 'null' } : either;
    const change = { type: 'object', properties: { old, new: either }, required: ['old', 'new'] };
    return [name, change] as const;
  });
  return {
    type: 'object',
    description: described?.description,
    properties: Object.fromEntries(fields),
    required: Object.keys(ALWAYS[type] ?? {}),
  };
}

/** `CampaignCreated` for `campaign.created`. */
const nameOf = (type: EventType) => pascalCase(type.replace('.', '_'));

/**
 * Replaces a schema by one for each type of event, which its `type` tells apart.
 *
 * @param suffix of the schemas' names
 * @param refine what the schema of a type has in place of some properties
 */
export function byEventType(
  suffix: string,
  refine: (type: EventType, properties: Record<string, Schema>) => Record<string, Schema>,
): Refinement {
  return ({ properties, ...schema }) =>
    oneOf(
      EVENT_TYPES.map((type) => {
        const own = { type: { type: 'string', enum: [type] }, ...refine(type, properties) };
        return [nameOf(type) + suffix, { ...schema, properties: { ...properties, ...own } }, type];
      }),
      'type',
    );
}

/** An event of each type, with the fields that it changes. */
export const eventOfType = byEventType('Event', (type, { changes }) => ({
  changes: changesOf(type, changes),
}));

/** A message about an event of each type. */
export const messageOfType = byEventType('Message', (type, { data }) => ({
  data: { ...data, ...ref(`${nameOf(type)}Event`) },
}));
