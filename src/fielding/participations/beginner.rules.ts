import type { SentAnswer } from '../../campaigns/questions/answer.rules';
import type { QuestionType } from '../../campaigns/questions/question.types';
import { admit } from '../../campaigns/targeting/admission.rules';
import {
  screenAnswers,
  unsupportedTypes,
} from '../../campaigns/targeting/screening-questions.rules';
import {
  paceReached,
  PaidScreenOut,
  quotaFull,
  screenedOut,
} from '../../campaigns/targeting/targeting.errors';
import {
  Attributes,
  EVERYBODY,
  PACE,
  RefusalReason,
  Rules,
  SCREENED_OUT_BEFORE,
} from '../../campaigns/targeting/targeting.types';
import { ApiError, fieldDetail, summarize } from '../../platform/protocol/api-error';
import { notSupported } from './fielding.errors';

/** What a platform says of whoever begins, besides the respondent_id. */
export interface Beginner {
  attributes?: Attributes;
  /** Answers to the screening questions. */
  screening_answers?: readonly SentAnswer[];
  /** The types of question that can be shown; all by default. */
  supports?: readonly QuestionType[];
}

/** What the rules of a campaign say of a respondent. */
export interface Comparison {
  /** The cells that the respondent counts in; `null` for none. */
  cells: number[] | null;
  /** The rule about attributes that refuses. */
  attributes: string | null;
  /** The rule about the answers to the screening questions that refuses. */
  answers: string | null;
  /** Why the begin is refused whatever the respondent is. */
  error: ApiError | null;
}

/** What a campaign without rules says of everybody. */
const ADMITTED: Comparison = { cells: null, attributes: null, answers: null, error: null };

/** Compares a respondent with the rules of a campaign. */
export function compare(
  rules: Rules | undefined,
  { attributes = {}, screening_answers = [], supports }: Beginner,
): Comparison {
  if (rules === undefined && screening_answers.length === 0) {
    return ADMITTED;
  }
  const targeting = rules?.targeting ?? EVERYBODY;
  const { refusedBy, cells } =
    rules === undefined ? { refusedBy: null, cells: null } : admit(rules, attributes);
  const missing = supports === undefined ? [] : unsupportedTypes(targeting, supports);
  const screened = screenAnswers(targeting, screening_answers);
  const details = (screened.problems ?? []).map(({ at = '', code, message }) =>
    fieldDetail(`screening_answers${at}`, code, message),
  );
  const wrong =
    details.length === 0 ? null : new ApiError('validation_failed', summarize(details), details);
  return {
    cells,
    attributes: refusedBy,
    answers: screened.refusedBy,
    error: missing.length > 0 ? notSupported(missing) : wrong,
  };
}

/** What `begin_participation` takes of the rules and of what they say of a respondent. */
export function limitsOf(rules: Rules | undefined, comparison: Comparison): unknown[] {
  const { cells, attributes, answers, error } = comparison;
  const { audience = null, targeting = EVERYBODY } = rules ?? {};
  const reward = answers === null ? null : (targeting.screen_out_reward ?? '0');
  return [
    rules?.version ?? null,
    cells,
    attributes !== null || error !== null,
    audience && JSON.stringify(audience),
    targeting.at_most_per_hour,
    reward,
    targeting.maximum_screen_outs,
  ];
}

/** What of the response of `begin_participation` says why a respondent is refused. */
export interface RefusedRow {
  full_cell: number | null;
  /** The rule about what the respondent has done that refuses. */
  refused_by: string | null;
  /** Seconds until somebody can begin. */
  pause: number | null;
  /** What the respondent was paid whose answers do not qualify, now or before. */
  paid: string | null;
}

/** Why a respondent is refused. */
export interface Refusal {
  /** What it counts as; `null` if it is no rule that refuses. */
  counted: { reason: RefusalReason; rule: string } | null;
  error: ApiError;
  /** What was paid, which must be committed. */
  paid: Omit<PaidScreenOut, 'currency'> | null;
}

export function refusalOf(
  rules: Rules | undefined,
  { attributes, answers, error }: Comparison,
  { paid, refused_by, full_cell, pause }: RefusedRow,
): Refusal {
  const because = (reason: RefusalReason, rule: string, of: ApiError): Refusal => ({
    counted: { reason, rule },
    error: of,
    paid: null,
  });
  if (paid !== null) {
    const rule = answers ?? SCREENED_OUT_BEFORE;
    return {
      ...because('screened_out', rule, screenedOut(rule)),
      paid: { rule, reward: Number(paid) },
    };
  }
  const byAttributes = attributes ?? refused_by;
  if (byAttributes !== null) {
    return because('screened_out', byAttributes, screenedOut(byAttributes));
  }
  if (pause !== null) {
    return because('pace_reached', PACE, paceReached(pause));
  }
  if (error !== null) {
    return { counted: null, error, paid: null };
  }
  if (answers !== null) {
    return because('screened_out', answers, screenedOut(answers));
  }
  const rule = rules?.targeting.quotas[rules.cells.indexOf(full_cell ?? 0)]?.name ?? '';
  return because('quota_full', rule, quotaFull(rule));
}
