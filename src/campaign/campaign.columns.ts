import type { DeepPartial } from 'typeorm';
import type { Campaign } from './campaign.entity';
import { defaultCohortRewards, toDecimal } from './cohort-ladder.rules';
import type { CohortRewards } from './cohort-rewards.columns';
import type { CohortRewardsDto } from './cohort-rewards.dto';

/** The changeable fields of a campaign in a request; an absent field stays as it is. */
interface CampaignFields {
  title?: string;
  description?: string;
  content_url?: string | null;
  category?: string;
  tagline?: string;
  video_url?: string;
  thumbnail_url?: string;
  duration_seconds?: number;
  reward_amount?: number;
  cohort_rewards?: CohortRewardsDto;
  is_live?: boolean;
  starts_at?: string | null;
  ends_at?: string | null;
  max_responses?: number | null;
  budget?: number | null;
  answer_minutes?: number | null;
}

/** The columns of {@link CampaignFields}. */
export type CampaignColumns = Pick<
  Campaign,
  | 'title'
  | 'description'
  | 'contentUrl'
  | 'category'
  | 'tagline'
  | 'videoUrl'
  | 'thumbnailUrl'
  | 'durationSeconds'
  | 'rewardAmount'
  | 'cohortRewards'
  | 'isLive'
  | 'startsAt'
  | 'endsAt'
  | 'maxResponses'
  | 'budget'
  | 'answerMinutes'
>;

/**
 * Returns the columns for the fields that are present in a request. With `reward_amount` and
 * without `cohort_rewards`, the default ladder applies (section 2.3).
 */
export function toColumns(fields: CampaignFields): Partial<CampaignColumns> {
  const { reward_amount, cohort_rewards } = fields;
  const rewardAmount = reward_amount === undefined ? undefined : toDecimal(reward_amount);
  const columns: { [Column in keyof CampaignColumns]: CampaignColumns[Column] | undefined } = {
    title: fields.title,
    description: fields.description,
    contentUrl: fields.content_url,
    category: fields.category,
    tagline: fields.tagline,
    videoUrl: fields.video_url,
    thumbnailUrl: fields.thumbnail_url,
    durationSeconds: fields.duration_seconds,
    rewardAmount,
    cohortRewards: ladderOf(cohort_rewards, rewardAmount),
    isLive: fields.is_live,
    startsAt: toDate(fields.starts_at),
    endsAt: toDate(fields.ends_at),
    maxResponses: fields.max_responses,
    budget: fields.budget == null ? fields.budget : toDecimal(fields.budget),
    answerMinutes: fields.answer_minutes,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** What a copy of a campaign has in common with it. */
export const CONTENT = [
  'type',
  'format',
  'description',
  'contentUrl',
  'category',
  'tagline',
  'rewardAmount',
  'cohortRewards',
  'maxResponses',
  'budget',
  'answerMinutes',
  'videoUrl',
  'thumbnailUrl',
  'durationSeconds',
  'hasFeedback',
  'imageSurvey',
] as const satisfies readonly (keyof Campaign)[];

/** Columns that decide whether a campaign is live, now or later. */
const LIFE: readonly (keyof Campaign)[] = [
  'isLive',
  'archived',
  'startsAt',
  'endsAt',
  'maxResponses',
  'budget',
];

/** Whether a change concerns a campaign's life. */
export function isAboutLife(set: DeepPartial<Campaign>): boolean {
  return LIFE.some((column) => column in set);
}

/** When the clock first changes a new campaign. Later the database decides it. */
export function firstDueAt({
  isLive,
  startsAt,
  endsAt,
}: DeepPartial<Campaign>): DeepPartial<Campaign> {
  const dueAt = (isLive === true ? null : startsAt) ?? endsAt;
  return dueAt == null ? {} : { dueAt };
}

/** The time that a timestamp states, to the millisecond, as it is stored. */
function toDate(timestamp: string | null | undefined): Date | null | undefined {
  return timestamp == null ? timestamp : new Date(timestamp);
}

function ladderOf(
  rewards: CohortRewardsDto | undefined,
  rewardAmount: string | undefined,
): CohortRewards | undefined {
  if (rewards !== undefined) {
    return {
      cohort1Reward: toDecimal(rewards.cohort_1_reward),
      cohort2Reward: toDecimal(rewards.cohort_2_reward),
      cohort3Reward: toDecimal(rewards.cohort_3_reward),
      cohort4Reward: toDecimal(rewards.cohort_4_reward),
      cohort5Reward: toDecimal(rewards.cohort_5_reward),
    };
  }
  return rewardAmount === undefined ? undefined : defaultCohortRewards(rewardAmount);
}
