import { isDeepStrictEqual } from 'node:util';
import { Big } from 'big.js';
import { isEndBeforeStart, toColumns } from '../campaign/campaign.columns';
import type { Campaign } from '../campaign/campaign.entity';
import { cohortRewardMismatch, endsBeforeStart } from '../campaign/campaign.errors';
import { isStoppedByGuardrail, StatusReason } from '../campaign/campaign.types';
import { currentStateOf } from '../campaign/status.rules';
import { snakeCase } from '../../platform/database/snake-naming.strategy';
import { toStoredSet } from '../questions/question.rules';
import type { SetContent } from '../questions/question.types';
import { toTargeting } from '../targeting/targeting.dto';
import { EVERYBODY, Targeting } from '../targeting/targeting.types';
import type { CampaignDocumentDto } from './campaign-document.dto';
import { CampaignKind, kindOfNewCampaign, assertCompatible } from './document-kind';

/** What applying a document writes. */
export interface DocumentPlan {
  columns: Partial<Campaign>;
  /** A new question set; absent if the current one stays. */
  set?: SetContent;
  /** Whom it asks; absent if that stays. */
  targeting?: Targeting;
  /** The changed fields, by their names in the document. */
  changedFields: string[];
}

/** Whether changed columns can undo what has stopped a campaign. */
const CAN_UNDO: Readonly<
  Partial<Record<StatusReason, (changed: Partial<Campaign>, stored: Campaign) => boolean>>
> = {
  ends_at_passed: ({ endsAt }) => endsAt !== undefined,
  max_responses_reached: ({ maxResponses }) => maxResponses !== undefined,
  budget_spent: ({ budget, cohortRewards }, { largestReward }) =>
    budget !== undefined ||
    cohortRewards?.every((reward) => new Big(reward).lt(largestReward)) === true,
};

function requireEqualReward({ rewardAmount, cohortRewards }: Partial<Campaign>): void {
  if (cohortRewards?.[4] !== rewardAmount) {
    throw cohortRewardMismatch('cohort_rewards.cohort_5_reward');
  }
}

function columnsOf(document: CampaignDocumentDto, currency: string): Partial<Campaign> {
  const columns = toColumns(document, currency);
  if (isEndBeforeStart(columns)) {
    throw endsBeforeStart();
  }
  return columns;
}

/**
 * Returns what a document writes if no campaign has its `external_ref` yet.
 *
 * @throws ApiError `document_incomplete` if it lacks a field that a new campaign needs,
 *   `wrong_campaign_type`, `feedback_not_enabled`, `questions_fixed`, `cohort_reward_mismatch` or
 *   `ends_before_start`
 */
export function planCreation(document: CampaignDocumentDto, currency: string): DocumentPlan {
  const kind = kindOfNewCampaign(document);
  assertCompatible(kind, document);
  const wanted = { isLive: false, ...columnsOf(document, currency) };
  requireEqualReward(wanted);
  const set = setOf(document);
  const { imageSurvey, ...fixed } = kind;
  const stored = Object.entries({ ...fixed, ...wanted }).filter(([, value]) => value !== null);
  return {
    columns: { ...kind, ...wanted, externalRef: document.external_ref },
    ...(set === undefined ? {} : { set }),
    changedFields: [
      ...stored.map(([column]) => snakeCase(column)),
      ...Object.keys(imageSurvey ?? {}),
      ...(set === undefined ? [] : changesOf(null, set)),
    ],
  };
}

/** The question set that a document describes as a whole; nothing if it has no questions. */
function setOf({ questions, ...content }: CampaignDocumentDto): SetContent | undefined {
  return questions === undefined ? undefined : toStoredSet({ questions, ...content });
}

/** The parts of a set that differ from those of the current one, by their names in the document. */
function changesOf(current: SetContent | null, set: SetContent): string[] {
  return (['questions', 'language', 'translations', 'sections'] as const).filter(
    (part) => !isDeepStrictEqual(current?.[part] ?? null, set[part]),
  );
}

/**
 * Returns what a document writes to the campaign that has its `external_ref`.
 *
 * @param currentSet the campaign's question set, `null` if it has none
 * @throws ApiError `wrong_campaign_type`, `feedback_not_enabled`, `questions_fixed`,
 *   `cohort_reward_mismatch` or `ends_before_start`
 */
export function planUpdate(
  stored: Campaign,
  currentSet: SetContent | null,
  document: CampaignDocumentDto,
): DocumentPlan {
  assertCompatible(stored satisfies CampaignKind, document);
  const { status, statusReasons, stopReason, isLive } = currentStateOf(stored);
  const current = { ...stored, isLive };
  const wanted = columnsOf(document, stored.currency);
  requireEqualReward({ ...stored, ...wanted });
  const differing = Object.entries(wanted).filter(
    ([column, value]) => !isDeepStrictEqual(current[column as keyof Campaign], value),
  );
  const changed: Partial<Campaign> = Object.fromEntries(differing);
  // A campaign that its end, a limit or a guardrail has stopped was live as the document wants it.
  // Unless the document undoes what has stopped it, applying it again must change nothing. Nothing
  // undoes a guardrail, whatever has completed the campaign since: only its owner starts it again.
  const isGuarded = isStoppedByGuardrail(stopReason) && status !== 'archived';
  const whyStopped = status === 'scheduled' && stopReason !== null ? [stopReason] : statusReasons;
  const staysStopped =
    isGuarded || whyStopped.some((reason) => CAN_UNDO[reason]?.(changed, stored) === false);
  // What cancels a start removes its time, and a time that is stored now would schedule nothing.
  const cannotStart =
    isGuarded || status === 'archived' || (status === 'completed' && staysStopped);
  const changes = differing.filter(
    ([column, value]) =>
      !(column === 'isLive' && staysStopped) &&
      !(column === 'startsAt' && value !== null && cannotStart),
  );
  // Its end can pass before this is written, and would then stay what has stopped it.
  const { endsAt } = changed;
  const endsLater = endsAt === null || (endsAt !== undefined && endsAt > stored.readAt);
  const staysLive = isLive && wanted.isLive === true && endsLater;
  const set = setOf(document);
  const setChanges = set === undefined ? [] : changesOf(currentSet, set);
  return {
    columns: { ...Object.fromEntries(changes), ...(staysLive ? { isLive } : {}) },
    ...(set === undefined || setChanges.length === 0 ? {} : { set }),
    changedFields: [...changes.map(([column]) => snakeCase(column)), ...setChanges],
  };
}

/** Adds what a document changes about whom a campaign asks. */
export function planTargeting(
  plan: DocumentPlan,
  current: Targeting,
  { targeting }: CampaignDocumentDto,
): DocumentPlan {
  if (targeting === undefined) {
    return plan;
  }
  const wanted = targeting === null ? EVERYBODY : toTargeting(targeting);
  return isDeepStrictEqual(wanted, current)
    ? plan
    : { ...plan, targeting: wanted, changedFields: [...plan.changedFields, 'targeting'] };
}
