import { isDeepStrictEqual } from 'node:util';
import type { Campaign } from '../campaign/campaign.entity';
import { toCohortRewards } from '../cohort-rewards/cohort-rewards.dto';
import { cohortRewardMismatch } from '../cohort-rewards/cohort-rewards.errors';
import { defaultCohortRewards, toDecimal } from '../cohort-rewards/ladder';
import { snakeCase } from '../database/snake-naming.strategy';
import { Question, toStoredQuestion } from '../questions/question';
import type { CampaignDocumentDto } from './campaign-document.dto';
import { CampaignKind, kindOfNewCampaign, requireFit } from './document-kind';

/** What of a campaign a document sets at creation and may change later. */
type Changeable = Pick<
  Campaign,
  | 'title'
  | 'description'
  | 'contentUrl'
  | 'category'
  | 'tagline'
  | 'rewardAmount'
  | 'cohortRewards'
  | 'videoUrl'
  | 'thumbnailUrl'
  | 'durationSeconds'
  | 'isLive'
>;

/** What applying a document writes. */
export interface DocumentPlan {
  columns: Partial<Campaign>;
  /** A new question set; absent where the current one stays. */
  questions?: Question[];
  /** What changes, by the document's names. */
  changedFields: string[];
}

/** The columns a document asks for. Left-out cohort rewards follow the reward. */
function wantedColumns(document: CampaignDocumentDto): Partial<Changeable> {
  const { reward_amount, cohort_rewards } = document;
  const rewardAmount = reward_amount === undefined ? undefined : toDecimal(reward_amount);
  const wanted: { [Column in keyof Changeable]: Changeable[Column] | undefined } = {
    title: document.title,
    description: document.description,
    contentUrl: document.content_url,
    category: document.category,
    tagline: document.tagline,
    rewardAmount,
    cohortRewards:
      cohort_rewards !== undefined
        ? toCohortRewards(cohort_rewards)
        : rewardAmount !== undefined
          ? defaultCohortRewards(rewardAmount)
          : undefined,
    videoUrl: document.video_url,
    thumbnailUrl: document.thumbnail_url,
    durationSeconds: document.duration_seconds,
    isLive: document.is_live,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

/** Equal as stored values are; an entity's embedded object equals a plain one. */
function isSame(stored: unknown, wanted: unknown): boolean {
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value;
  return isDeepStrictEqual(plain(stored), plain(wanted));
}

function requireEqualReward({ rewardAmount, cohortRewards }: Partial<Campaign>): void {
  if (cohortRewards?.cohort5Reward !== rewardAmount) {
    throw cohortRewardMismatch('cohort_rewards.cohort_5_reward');
  }
}

/**
 * What a document comes to where no campaign has its `external_ref` yet.
 *
 * @throws ApiError `validation_failed` if it lacks what a new campaign needs, `wrong_campaign_type`,
 *   `feedback_not_enabled`, `questions_fixed` or `cohort_reward_mismatch`
 */
export function planCreation(document: CampaignDocumentDto): DocumentPlan {
  const kind = kindOfNewCampaign(document);
  requireFit(kind, document);
  const wanted = { isLive: false, ...wantedColumns(document) };
  requireEqualReward(wanted);
  const questions = document.questions?.map(toStoredQuestion);
  const { imageSurvey, ...fixed } = kind;
  const stored = Object.entries({ ...fixed, ...wanted }).filter(([, value]) => value !== null);
  return {
    columns: { ...kind, ...wanted, externalRef: document.external_ref },
    questions,
    changedFields: [
      ...stored.map(([column]) => snakeCase(column)),
      ...Object.keys(imageSurvey ?? {}),
      ...(questions === undefined ? [] : ['questions']),
    ],
  };
}

/**
 * What a document comes to for the campaign that has its `external_ref`.
 *
 * @param currentQuestions the campaign's questions, `null` where it has none
 * @throws ApiError `wrong_campaign_type`, `feedback_not_enabled`, `questions_fixed` or
 *   `cohort_reward_mismatch`
 */
export function planUpdate(
  stored: Campaign,
  currentQuestions: Question[] | null,
  document: CampaignDocumentDto,
): DocumentPlan {
  requireFit(stored satisfies CampaignKind, document);
  const wanted = wantedColumns(document);
  requireEqualReward({ ...stored, ...wanted });
  const changes = Object.entries(wanted).filter(
    ([column, value]) => !isSame(stored[column as keyof Changeable], value),
  );
  const questions = document.questions?.map(toStoredQuestion);
  const questionsChange = questions !== undefined && !isSame(currentQuestions, questions);
  return {
    columns: Object.fromEntries(changes),
    ...(questionsChange ? { questions } : {}),
    changedFields: [
      ...changes.map(([column]) => snakeCase(column)),
      ...(questionsChange ? ['questions'] : []),
    ],
  };
}
