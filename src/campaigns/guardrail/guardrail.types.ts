/** What a guardrail does when it fires. */
export const GUARDRAIL_ACTIONS = ['stop', 'complete', 'notify'] as const;

export type GuardrailAction = (typeof GUARDRAIL_ACTIONS)[number];

/** A guardrail that watches a campaign. */
export interface WatchingGuardrail {
  guardrail_id: string;
  name: string;
  then: GuardrailAction;
  /** Whether it can fire on this campaign: where it has fired, it is armed again first. */
  armed: boolean;
}

/** Where a guardrail has fired last on a campaign. */
export interface GuardrailFiring {
  name: string;
  at: Date;
  /** Whether the campaign was live and is stopped by it. */
  stopped: boolean;
}

/** Guardrails of a company in one mode (`guardrail_maximum`). */
export const GUARDRAILS_MAXIMUM = 50;

/** Guardrails of one campaign, and guardrails of all campaigns (`guardrail_campaign_maximum`). */
export const CAMPAIGN_GUARDRAILS_MAXIMUM = 10;

/** Conditions of a guardrail (`guardrail_conditions`). */
export const CONDITIONS_MAXIMUM = 5;
