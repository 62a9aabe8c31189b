import { Big } from 'big.js';
import type { Campaign } from '../campaign/campaign.entity';
import { currentStateOf } from '../campaign/status.rules';
import type { WatchingGuardrail } from '../guardrail/guardrail.types';
import { reviewSet, SetReview } from '../questions/set-review.rules';
import type { QuestionType, SetContent } from '../questions/question.types';
import { positionsByKey } from '../questions/answer.rules';
import { warnOfRewards } from '../cohort-rewards/preview.rules';
import { LAUNCH_RULE_CODES, reviewRules } from '../targeting/limit-review.rules';
import type { Targeting } from '../targeting/targeting.types';

/** What makes the service refuse to start a campaign. */
export const BLOCKER_CODES = [
  'archived',
  'ends_at_passed',
  'max_responses_reached',
  'budget_spent',
  'balance_low',
] as const;

/** A start is possible, but the owner may not intend it. */
export const LAUNCH_WARNING_CODES = [
  'no_questions',
  'unlimited_cost',
  'budget_below_reward',
  'budget_below_maximum_cost',
  'starts_before_starts_at',
  'lower_cohort_paid_more',
  'guardrail_not_armed',
  'condition_always_holds',
  'condition_never_holds',
  'untranslated',
  'banner_without_question',
  'margin_without_question',
  ...LAUNCH_RULE_CODES,
] as const;

type BlockerCode = (typeof BLOCKER_CODES)[number];
type WarningCode = (typeof LAUNCH_WARNING_CODES)[number];

interface Finding<Code> {
  code: Code;
  message: string;
}

interface Warning extends Finding<WarningCode> {
  /** The path of what it is about in the rules of whom the campaign asks; `null` for all others. */
  field: string | null;
}

/** What a campaign asks, and whom. */
export interface Asking {
  set: SetContent | null;
  targeting: Targeting;
}

export interface LaunchCheck {
  blockers: Finding<BlockerCode>[];
  warnings: Warning[];
  /** The most that the campaign can cost, as an exact decimal; `null` without a limit. */
  maximumCost: string | null;
  /** What watches the campaign. */
  guardrails: WatchingGuardrail[];
  /** How many questions a respondent is shown; `null` without questions. */
  paths: SetReview['paths'] | null;
}

/** The places of a campaign that are taken. */
export interface TakenPlaces {
  taken: number;
  /**
   * What they have cost, and can still cost: an exact decimal. Each open one costs what it holds,
   * or the largest reward: if it expires, its place is taken again, at the rewards of that time.
   */
  cost: string;
  /** Respondents who were paid although they do not qualify. */
  screened_out: number;
}

/** The places of a campaign that nobody has begun. */
export const NONE_TAKEN: Readonly<TakenPlaces> = { taken: 0, cost: '0', screened_out: 0 };

const BLOCKERS: Readonly<Record<BlockerCode, string>> = {
  archived: 'The campaign is archived. Unarchive it first.',
  ends_at_passed: 'The campaign has ended. Move ends_at, or remove it.',
  max_responses_reached: 'Every response was given. Raise max_responses, or remove it.',
  budget_spent: 'What is left of the budget pays no further response. Raise it, or remove it.',
  balance_low: 'The balance of your company pays no response at the largest reward. Fund it.',
};

/** A start that the balance does not pay for. */
export const BALANCE_LOW: Finding<BlockerCode> = {
  code: 'balance_low',
  message: BLOCKERS.balance_low,
};

const NOT_ARMED: Finding<WarningCode> = {
  code: 'guardrail_not_armed',
  message: 'A guardrail that has fired does nothing more on this campaign until it is armed.',
};

/** Checks what starting a campaign now would mean, and what watches it. */
export function checkLaunch(
  campaign: Campaign,
  taken: TakenPlaces,
  guardrails: WatchingGuardrail[],
  { set, targeting }: Asking,
): LaunchCheck {
  const { status, statusReasons } = currentStateOf(campaign);
  const review = set === null ? null : reviewSet(set);
  const cost = costOfAll(campaign, taken, targeting);
  const codes: readonly string[] = status === 'archived' ? ['archived'] : statusReasons;
  const blocking = status === 'archived' || status === 'completed';
  return {
    blockers: BLOCKER_CODES.filter((code) => blocking && codes.includes(code)).map((code) => ({
      code,
      message: BLOCKERS[code],
    })),
    warnings: [
      ...warningsOf(campaign, cost, status === 'scheduled'),
      ...(guardrails.every(({ armed }) => armed) ? [] : [NOT_ARMED]),
      ...(review?.doubts ?? []),
      ...warnOfTabulations(campaign, set),
      ...reviewRules(targeting, campaign),
    ].map((warning) => ({ field: null, ...warning })),
    maximumCost: maximumCostOf(campaign, cost)?.toFixed() ?? null,
    guardrails,
    paths: review?.paths ?? null,
  };
}

/** Warns of banners and margins that name no question by whose answers results can be kept. */
function warnOfTabulations(
  { banners, margins }: Campaign,
  set: SetContent | null,
): Finding<WarningCode>[] {
  const questions = set?.questions ?? [];
  const positions = positionsByKey(questions);
  const isMissing = (key: string | undefined, types: readonly QuestionType[]) => {
    const type = questions[(positions.get(key ?? '') ?? 0) - 1]?.type;
    return key !== undefined && (type === undefined || !types.includes(type));
  };
  return [
    ...(banners ?? [])
      .filter((key) => isMissing(key, BANNER_TYPES))
      .map((key) => ({
        code: 'banner_without_question' as const,
        message: `The banner ${key} names no choice, rating, nps or checkbox of the questions.`,
      })),
    ...(margins ?? [])
      .filter(({ question }) => isMissing(question, MARGIN_TYPES))
      .map(({ question }) => ({
        code: 'margin_without_question' as const,
        message: `The margin ${question} names no single_choice or checkbox of the questions.`,
      })),
  ];
}

/** Types of questions whose answers can be the columns of a table, and the shares of a margin. */
const BANNER_TYPES = ['single_choice', 'multiple_choice', 'rating', 'nps', 'checkbox'] as const;
const MARGIN_TYPES = ['single_choice', 'checkbox'] as const;

/**
 * The cost of the places that are taken, the largest reward for every place that is left, and what
 * respondents who do not qualify can still be paid; nothing without a limit.
 */
function costOfAll(
  { maxResponses, largestReward }: Campaign,
  { taken, cost, screened_out }: TakenPlaces,
  { screen_out_reward: reward, maximum_screen_outs: maximum }: Targeting,
): Big | undefined {
  const screenOuts =
    reward === null ? 0 : maximum === null ? Infinity : Math.max(0, maximum - screened_out);
  return maxResponses === null || screenOuts === Infinity
    ? undefined
    : new Big(largestReward)
        .times(maxResponses - taken)
        .plus(cost)
        .plus(new Big(reward ?? 0).times(screenOuts));
}

function maximumCostOf(campaign: Campaign, all: Big | undefined): Big | undefined {
  const budget = campaign.budget === null ? undefined : new Big(campaign.budget);
  return budget === undefined || all?.lt(budget) === true ? all : budget;
}

function warningsOf(
  campaign: Campaign,
  cost: Big | undefined,
  isScheduled: boolean,
): Finding<WarningCode>[] {
  const { budget, currentQuestionSet, hasFeedback, imageSurvey } = campaign;
  const asks = imageSurvey === null && hasFeedback !== false;
  const found: [boolean, WarningCode, string][] = [
    [asks && currentQuestionSet == null, 'no_questions', 'The campaign has no questions.'],
    [
      budget === null && campaign.maxResponses === null,
      'unlimited_cost',
      'Without max_responses and budget, nothing limits what the campaign costs.',
    ],
    [
      budget !== null && new Big(campaign.largestReward).gt(budget),
      'budget_below_reward',
      'The budget does not pay one response at the largest reward, so nobody can begin.',
    ],
    [
      budget !== null && cost?.gt(budget) === true,
      'budget_below_maximum_cost',
      'The budget may be spent before max_responses is reached.',
    ],
    [
      isScheduled,
      'starts_before_starts_at',
      'Starting the campaign now does not wait for starts_at.',
    ],
  ];
  return [
    ...found.filter(([holds]) => holds).map(([, code, message]) => ({ code, message })),
    ...warnOfRewards(campaign.cohortRewards),
  ];
}
