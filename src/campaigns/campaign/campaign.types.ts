/** The kinds of campaign (section 2.2). */
export const CAMPAIGN_TYPES = ['survey', 'advertisement'] as const;

export type CampaignType = (typeof CAMPAIGN_TYPES)[number];

/** Where a campaign is in its life; the first that holds. */
export const CAMPAIGN_STATUSES = [
  'archived',
  'completed',
  'live',
  'scheduled',
  'paused',
  'draft',
] as const;

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What can run out, so that no further response is possible. */
const EXHAUSTIONS = ['max_responses_reached', 'budget_spent'] as const;

export type Exhaustion = (typeof EXHAUSTIONS)[number];

/** Why a campaign was stopped last. */
export const STOP_REASONS = [
  'stopped_by_owner',
  'ends_at_passed',
  ...EXHAUSTIONS,
  'archived',
  'guardrail',
  'known_enough',
] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** Whether a guardrail has stopped a campaign, as one that failed or one that is complete. */
export const isStoppedByGuardrail = (reason: StopReason | null) =>
  reason === 'guardrail' || reason === 'known_enough';

/** Why nobody can begin a live campaign at the moment. */
const BLOCK_REASONS = ['fully_held', 'budget_below_reward', 'balance_low'] as const;

export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Why a campaign has its status. */
export const STATUS_REASONS = [...STOP_REASONS, 'waiting_for_starts_at', ...BLOCK_REASONS] as const;

export type StatusReason = (typeof STATUS_REASONS)[number];

/** How a survey asks: a question set, or one question about images. */
export const SURVEY_FORMATS = ['questionnaire', 'round_robin', 'binary', 'image_slider'] as const;

export type SurveyFormat = (typeof SURVEY_FORMATS)[number];

/** The formats that ask about images; their content is fixed at creation. */
export type ImageSurveyFormat = Exclude<SurveyFormat, 'questionnaire'>;
