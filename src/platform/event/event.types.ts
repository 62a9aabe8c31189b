/** The kinds of events. */
export const EVENT_TYPES = [
  'campaign.created',
  'campaign.updated',
  'campaign.started',
  'campaign.stopped',
  'campaign.completed',
  'campaign.archived',
  'campaign.unarchived',
  'campaign.questions_replaced',
  'campaign.cohort_rewards_updated',
  'campaign.targeting_replaced',
  'api_key.generated',
  'api_key.updated',
  'api_key.rotated',
  'api_key.revoked',
  'webhook.tested',
  'webhook.disabled',
  'response.submitted',
  'response.reversed',
  'guardrail.triggered',
  'quota.filled',
  'quota.reopened',
  'participation.screened_out',
  'balance.funded',
  'balance.refunded',
  'balance.low',
  'response.bonus_paid',
  'dispute.opened',
  'dispute.accepted',
  'dispute.declined',
  'approval.requested',
  'approval.approved',
  'approval.refused',
  'approval.expired',
  'approval.outdated',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** The events of something new. Their changes are its values; those of others are old and new. */
const CREATIONS: readonly EventType[] = [
  'campaign.created',
  'api_key.generated',
  'response.submitted',
  'response.reversed',
  'guardrail.triggered',
  'quota.filled',
  'quota.reopened',
  'participation.screened_out',
  'balance.funded',
  'balance.refunded',
  'balance.low',
  'response.bonus_paid',
  'dispute.opened',
  'dispute.accepted',
  'dispute.declined',
  'approval.requested',
  'approval.approved',
  'approval.refused',
  'approval.expired',
  'approval.outdated',
];

export function isCreation(type: EventType): boolean {
  return CREATIONS.includes(type);
}

/**
 * The events about something of a campaign: a response to it, its bonus or its dispute, a
 * respondent who was screened out, a guardrail that fired on it, or one of its quotas.
 * Their `changes` have its `post_id`.
 */
export const CAMPAIGN_PART_TYPES: readonly EventType[] = [
  'response.submitted',
  'response.reversed',
  'guardrail.triggered',
  'quota.filled',
  'quota.reopened',
  'participation.screened_out',
  'response.bonus_paid',
  'dispute.opened',
  'dispute.accepted',
  'dispute.declined',
];

/** The actor of what the service does by itself, such as ending a campaign. */
export const SERVICE = 'service';
