import { requireMinorUnit } from '../../access/company/currency.field';
import type { UpdateCampaignDto } from './campaign.dto';
import type { Campaign } from './campaign.entity';
import { CohortRewards, defaultCohortRewards, toDecimal } from './cohort-ladder.rules';
import type { CohortRewardsDto } from './cohort-rewards.dto';

/** The changeable fields of a campaign in a request; an absent field stays as it is. */
interface CampaignFields extends Omit<UpdateCampaignDto, 'post_id'> {
  cohort_rewards?: CohortRewardsDto;
  is_live?: boolean;
}

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The column of each of these fields. */
type Column = CamelCase<keyof CampaignFields> & keyof Campaign;

/**
 * Returns the columns for the fields that are present in a request. With `reward_amount` and
 * without `cohort_rewards`, the default ladder of the currency applies (section 2.3).
 *
 * @throws InvalidRequest if an amount has more decimal places than the currency
 */
export function toColumns(fields: CampaignFields, currency: string): Partial<Campaign> {
  const { reward_amount, budget, cohort_rewards } = fields;
  requireMinorUnit(currency, { reward_amount, budget });
  const rewardAmount = reward_amount === undefined ? undefined : toDecimal(reward_amount);
  const columns: { [Name in Column]: Campaign[Name] | undefined } = {
    title: fields.title,
    description: fields.description,
    contentUrl: fields.content_url,
    category: fields.category,
    tagline: fields.tagline,
    videoUrl: fields.video_url,
    thumbnailUrl: fields.thumbnail_url,
    durationSeconds: fields.duration_seconds,
    rewardAmount,
    cohortRewards: rewardsOf(cohort_rewards, rewardAmount, currency),
    isLive: fields.is_live,
    startsAt: fields.starts_at,
    endsAt: fields.ends_at,
    maxResponses: fields.max_responses,
    budget: budget == null ? budget : toDecimal(budget),
    answerMinutes: fields.answer_minutes,
  };
  const present: Record<string, unknown> = {};
  for (const column of Object.keys(columns) as Column[]) {
    if (columns[column] !== undefined) {
      present[column] = columns[column];
    }
  }
  return present;
}

/**
 * Whether a request has both times, in the wrong order. The database compares them as they would be
 * stored, and an end in the past removes a start that is still to come.
 */
export function isEndBeforeStart({ startsAt, endsAt }: Partial<Campaign>): boolean {
  return startsAt != null && endsAt != null && endsAt <= startsAt;
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

function rewardsOf(
  given: CohortRewardsDto | undefined,
  rewardAmount: string | undefined,
  currency: string,
): CohortRewards | undefined {
  if (given !== undefined) {
    return [
      toDecimal(given.cohort_1_reward),
      toDecimal(given.cohort_2_reward),
      toDecimal(given.cohort_3_reward),
      toDecimal(given.cohort_4_reward),
      toDecimal(given.cohort_5_reward),
    ];
  }
  return rewardAmount === undefined ? undefined : defaultCohortRewards(rewardAmount, currency);
}
