import { isDeepStrictEqual } from 'node:util';
import { CampaignColumns, toColumns } from '../campaign/campaign.columns';
import type { Campaign } from '../campaign/campaign.entity';
import type { StatusReason } from '../campaign/campaign.types';
import { currentStateOf } from '../campaign/status.rules';
import { cohortRewardMismatch } from '../cohort-rewards/cohort-rewards.errors';
import { snakeCase } from '../database/snake-naming.strategy';
import { Question, toStoredQuestion } from '../questions/question.rules';
import type { CampaignDocumentDto } from './campaign-document.dto';
import { CampaignKind, kindOfNewCampaign, requireFit } from './document-kind';

/** What applying a document writes. */
export interface DocumentPlan {
  columns: Partial<Campaign>;
  /** A new question set; absent if the current one stays. */
  questions?: Question[];
  /** The changed fields, by their names in the document. */
  changedFields: string[];
}

/** The columns of which a change can undo what has stopped a campaign. */
const UNDONE_BY: Readonly<Partial<Record<StatusReason, readonly string[]>>> = {
  ends_at_passed: ['endsAt'],
  max_responses_reached: ['maxResponses'],
  budget_spent: ['budget', 'rewardAmount', 'cohortRewards'],
  guardrail: [],
};

function requireEqualReward({ rewardAmount, cohortRewards }: Partial<Campaign>): void {
  if (cohortRewards?.[4] !== rewardAmount) {
    throw cohortRewardMismatch('cohort_rewards.cohort_5_reward');
  }
}

/**
 * Returns what a document writes if no campaign has its `external_ref` yet.
 *
 * @throws ApiError `document_incomplete` if it lacks a field that a new campaign needs,
 *   `wrong_campaign_type`, `feedback_not_enabled`, `questions_fixed` or `cohort_reward_mismatch`
 */
export function planCreation(document: CampaignDocumentDto): DocumentPlan {
  const kind = kindOfNewCampaign(document);
  requireFit(kind, document);
  const wanted = { isLive: false, ...toColumns(document) };
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
 * Returns what a document writes to the campaign that has its `external_ref`.
 *
 * @param currentQuestions the campaign's questions, `null` if it has none
 * @throws ApiError `wrong_campaign_type`, `feedback_not_enabled`, `questions_fixed` or
 *   `cohort_reward_mismatch`
 */
export function planUpdate(
  stored: Campaign,
  currentQuestions: Question[] | null,
  document: CampaignDocumentDto,
): DocumentPlan {
  requireFit(stored satisfies CampaignKind, document);
  const { statusReasons, isLive } = currentStateOf(stored);
  const current = { ...stored, isLive };
  const wanted = toColumns(document);
  requireEqualReward({ ...stored, ...wanted });
  const differing = Object.entries(wanted).filter(
    ([column, value]) => !isDeepStrictEqual(current[column as keyof CampaignColumns], value),
  );
  const changed = Object.fromEntries(differing);
  // A campaign that its end, a limit or a guardrail has stopped was live as the document wants it.
  // Unless the document undoes what has stopped it, applying it again must change nothing.
  const staysStopped = statusReasons.some(
    (reason) => UNDONE_BY[reason]?.some((column) => column in changed) === false,
  );
  const changes = differing.filter(([column]) => !(column === 'isLive' && staysStopped));
  const questions = document.questions?.map(toStoredQuestion);
  const questionsChange =
    questions !== undefined && !isDeepStrictEqual(currentQuestions, questions);
  return {
    columns: Object.fromEntries(changes),
    ...(questionsChange ? { questions } : {}),
    changedFields: [
      ...changes.map(([column]) => snakeCase(column)),
      ...(questionsChange ? ['questions'] : []),
    ],
  };
}
