import type { FastifySchemaValidationError } from 'fastify';

/** Headers that the service sets on every response. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

interface Detail {
  field: string;
  code: string;
  message: string;
}

// Nobody reads the stack of a refusal.
Error.stackTraceLimit = 0;

/** A response that is not a success. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
  }
}

export function refusalOf(errors: readonly FastifySchemaValidationError[]): Refusal {
  const details = errors.map(({ instancePath, params, keyword, message = '' }) => {
    const path = instancePath.slice(1).replaceAll('/', '.');
    const missing = params.missingProperty ?? params.additionalProperty;
    const field = typeof missing === 'string' ? [path, missing].filter(Boolean).join('.') : path;
    return { field, code: keyword, message: `${field} ${message}.` };
  });
  return new Refusal(400, 'validation_failed', details[0]?.message ?? '', details);
}

export function errorEnvelope({ code, message, details }: Refusal, requestId: string) {
  return { success: false, message, data: null, error: { code, request_id: requestId, details } };
}

export function success(message: string, data: object) {
  return { success: true, message, data };
}

/** A campaign's row, as pg returns it. */
export type CampaignRow = Record<string, string | number | boolean | Date | string[] | null> & {
  progress: Record<string, number> | null;
};

/** The counters of a campaign that nobody has begun. */
export const NO_PROGRESS = {
  begun: 0,
  open: 0,
  submitted: 0,
  reversed: 0,
  abandoned: 0,
  expired: 0,
  spent: 0,
  held: 0,
};

export function cohortRewards(row: CampaignRow) {
  const rewards = row.cohort_rewards as string[];
  return {
    cohort_1_reward: Number(rewards[0]),
    cohort_2_reward: Number(rewards[1]),
    cohort_3_reward: Number(rewards[2]),
    cohort_4_reward: Number(rewards[3]),
    cohort_5_reward: Number(rewards[4]),
  };
}

/** Where a campaign is in its life. Every response that describes a campaign has these members. */
export function statusOf({ company_id, is_live, status, stop_reason }: CampaignRow) {
  return {
    mode: String(company_id)[14] === '8' ? 'test' : 'live',
    is_live,
    status,
    status_reasons: status === 'paused' ? [stop_reason] : [],
    stop_reason,
  };
}

/** The same with the times and limits that it depends on. */
export function lifeOf(row: CampaignRow) {
  return Object.assign(statusOf(row), {
    currency: row.currency,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    max_responses: row.max_responses,
    budget: row.budget === null ? null : Number(row.budget),
    answer_minutes: row.answer_minutes,
  });
}

export function campaignSummary(row: CampaignRow) {
  return {
    id: Number(row.id),
    post_id: row.post_id,
    external_ref: row.external_ref,
    type: row.type,
    format: row.format,
    title: row.title,
    category: row.category,
    reward_amount: Number(row.reward_amount),
    ...lifeOf(row),
    progress: row.progress ?? NO_PROGRESS,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function campaign(row: CampaignRow) {
  return Object.assign(campaignSummary(row), {
    description: row.description,
    content_url: row.content_url,
    tagline: row.tagline,
    cohort_rewards: cohortRewards(row),
    video_url: row.video_url,
    thumbnail_url: row.thumbnail_url,
    duration_seconds: row.duration_seconds,
    has_feedback: row.has_feedback,
    questions:
      row.question_id === null
        ? null
        : {
            question_id: row.question_id,
            total_questions: row.total_questions,
            created_at: row.questions_created_at,
          },
    image_survey: row.image_survey,
  });
}
