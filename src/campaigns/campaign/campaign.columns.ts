import { requireMinorUnit } from '../../access/company/currency.field';
import {
  COUNT,
  EventValue,
  FLAG,
  MONEY,
  OBJECT,
  OBJECTS,
  ref,
  TEXT,
  TEXTS,
  TIME,
} from '../../platform/event/event-values';
import type { CampaignContentDto } from './campaign-fields.dto';
import type { Campaign } from './campaign.entity';
import { ANSWER_MINUTES, DISPUTE_SHARE, MAX_RESPONSES, REVIEW_DAYS } from './campaign.fields';
import { CohortRewards, defaultCohortRewards, toDecimal } from './cohort-ladder.rules';
import type { CohortRewardsDto } from './cohort-rewards.dto';

/** Everything that a company writes about a campaign. */
interface WrittenFields
  extends
    CampaignContentDto,
    Pick<Campaign, 'type' | 'format'>,
    Record<'external_ref', Campaign['externalRef']>,
    Record<'image_survey', Campaign['imageSurvey']> {
  cohort_rewards: CohortRewardsDto;
  is_live: boolean;
}

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** What becomes of a field. */
type Row<Value, Column extends keyof Campaign> = {
  column: Column;
  /** Whether a copy of a campaign has it in common with the campaign. */
  copied: boolean;
  /** How events show it; `null` if they do so in a way of their own. */
  event: EventValue | null;
  /** Whether it is fixed at the creation, which writes it by itself. */
  fixed?: true;
} & ([Value] extends [Campaign[Column]]
  ? { store?: undefined }
  : { store: (value: NonNullable<Value>) => Campaign[Column] });

/** Each field that a company writes, with its column. */
export const CAMPAIGN_FIELDS = {
  type: { column: 'type', fixed: true, copied: true, event: [ref('CampaignType')] },
  format: { column: 'format', fixed: true, copied: true, event: [ref('SurveyFormat'), 'nullable'] },
  external_ref: { column: 'externalRef', fixed: true, copied: false, event: [TEXT, 'nullable'] },
  has_feedback: { column: 'hasFeedback', fixed: true, copied: true, event: [FLAG, 'nullable'] },
  image_survey: { column: 'imageSurvey', fixed: true, copied: true, event: [OBJECT, 'nullable'] },
  title: { column: 'title', copied: false, event: [TEXT] },
  description: { column: 'description', copied: true, event: [TEXT] },
  content_url: { column: 'contentUrl', copied: true, event: [TEXT, 'nullable'] },
  category: { column: 'category', copied: true, event: [TEXT] },
  tagline: { column: 'tagline', copied: true, event: [TEXT] },
  video_url: { column: 'videoUrl', copied: true, event: [TEXT, 'nullable'] },
  thumbnail_url: { column: 'thumbnailUrl', copied: true, event: [TEXT, 'nullable'] },
  duration_seconds: { column: 'durationSeconds', copied: true, event: [COUNT, 'nullable'] },
  reward_amount: { column: 'rewardAmount', store: toDecimal, copied: true, event: [MONEY] },
  cohort_rewards: { column: 'cohortRewards', store: toCohortRewards, copied: true, event: null },
  is_live: { column: 'isLive', copied: false, event: null },
  starts_at: { column: 'startsAt', copied: false, event: [TIME, 'nullable'] },
  ends_at: { column: 'endsAt', copied: false, event: [TIME, 'nullable'] },
  max_responses: {
    column: 'maxResponses',
    copied: true,
    event: [{ ...COUNT, ...MAX_RESPONSES }, 'nullable'],
  },
  budget: { column: 'budget', store: toDecimal, copied: true, event: [MONEY, 'nullable'] },
  answer_minutes: {
    column: 'answerMinutes',
    copied: true,
    event: [{ ...COUNT, ...ANSWER_MINUTES }, 'nullable'],
  },
  review_days: {
    column: 'reviewDays',
    copied: true,
    event: [{ ...COUNT, ...REVIEW_DAYS }, 'nullable'],
  },
  maximum_dispute_share: {
    column: 'maximumDisputeShare',
    // As the database returns it, so that a document finds no difference.
    store: (share: number) => share.toFixed(3),
    copied: true,
    event: [{ type: 'number', ...DISPUTE_SHARE }, 'nullable'],
  },
  banners: { column: 'banners', copied: true, event: [TEXTS, 'nullable'] },
  margins: { column: 'margins', copied: true, event: [OBJECTS, 'nullable'] },
} as const satisfies {
  [Name in keyof WrittenFields]: Row<WrittenFields[Name], CamelCase<Name> & keyof Campaign>;
};

const ROWS = Object.entries<{
  column: keyof Campaign;
  copied: boolean;
  fixed?: true;
  store?: (value: never) => unknown;
}>(CAMPAIGN_FIELDS);

const CHANGEABLE = ROWS.filter(([, { fixed }]) => fixed !== true);

/** What a copy of a campaign has in common with it. */
export const CONTENT = ROWS.filter(([, { copied }]) => copied).map(([, { column }]) => column);

/**
 * Returns the columns for the fields that are present in a request; an absent field stays as it is.
 * With `reward_amount` and without `cohort_rewards`, the default ladder of the currency applies
 * (section 2.3).
 *
 * @throws InvalidRequest if an amount has more decimal places than the currency
 */
export function toColumns(
  fields: Readonly<Partial<WrittenFields>>,
  currency: string,
): Partial<Campaign> {
  const { reward_amount, budget } = fields;
  requireMinorUnit(currency, { reward_amount, budget });
  const columns: Record<string, unknown> = {};
  for (const [name, { column, store }] of CHANGEABLE) {
    const value = fields[name as keyof typeof fields];
    if (value !== undefined) {
      columns[column] = value === null || store === undefined ? value : store(value as never);
    } else if (column === 'cohortRewards' && reward_amount !== undefined) {
      columns[column] = defaultCohortRewards(toDecimal(reward_amount), currency);
    }
  }
  return columns;
}

/**
 * Whether a request has both times, in the wrong order. The database compares them as they would be
 * stored, and an end in the past removes a start that is still to come.
 */
export function isEndBeforeStart({ startsAt, endsAt }: Partial<Campaign>): boolean {
  return startsAt != null && endsAt != null && endsAt <= startsAt;
}

function toCohortRewards(given: CohortRewardsDto): CohortRewards {
  return [
    toDecimal(given.cohort_1_reward),
    toDecimal(given.cohort_2_reward),
    toDecimal(given.cohort_3_reward),
    toDecimal(given.cohort_4_reward),
    toDecimal(given.cohort_5_reward),
  ];
}
