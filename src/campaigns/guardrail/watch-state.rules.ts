import { AnswerName, isAnswer } from './answer-looks.rules';
import { QUALITY_SIGNALS } from '../questions/quality-signals.types';
import type { Interval } from '../../platform/statistics/interval.rules';
import { addToSpread, emptySpread } from '../../platform/statistics/mean-sequence.rules';

/**
 * What a window keeps of each response, as whole numbers, so that sums are exact: the cohort,
 * hundredths of the attention score or the reward, milliseconds from begin to submit, or the
 * signals of quality, beside the numbers of the submissions, by which an erasure finds them. Of
 * answers, it keeps numbers as they were answered, and nothing where there is no answer.
 */
export type Kept = 'cohort' | 'score' | 'reward' | 'milliseconds' | 'quality' | 'seq' | AnswerName;

/** What the log says of one response, of its reversal, or of a start of the campaign. */
export interface LogEntry {
  seq: number;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** Whether the campaign was started. Then it has none of the following. */
  is_start: boolean;
  /** The `seq` of the submission that a reversal is about; `null` for a submission. */
  reverses: number | null;
  cohort: number;
  /** Hundredths. */
  score: number;
  /** Hundredths. */
  reward: number;
  /** From begin to submit. */
  milliseconds: number;
  /** The bits of the signals that flag it, and 16 times those of the signals that it has. */
  quality: number;
  /** What conditions look at in the answers; absent if none does. */
  answers?: Readonly<Record<AnswerName, number | null>> | null;
  /** The names of the quotas that the response counts in; absent if no condition asks. */
  quotas?: readonly string[] | null;
  /** Everything that the campaign has spent up to this event, in hundredths. */
  spent: number;
}

/** What a guardrail remembers of one campaign: a function of a part of the log, as JSON. */
export interface WatchState {
  /** Responses since it began to watch, and how many of these were reversed. */
  responses: number;
  reversed: number;
  /** Responses by cohort. */
  cohorts: number[];
  /** Responses by signal of quality: those that have it, and those that it flags. */
  measured: number[];
  flagged: number[];
  /** Answers to questions: those with an option, and all; absent if no condition counts them. */
  options?: Record<AnswerName, [picked: number, answered: number]>;
  /** How often each part of a scale was answered; absent if no condition needs it. */
  spreads?: Record<string, number[]>;
  /** Everything that the campaign has spent, in hundredths. */
  spent: number;
  /**
   * Of the first response since the campaign was last started, and of the latest response, in
   * milliseconds since 1970.
   */
  firstAt: number | null;
  latestAt: number;
  /** Minutes since 1970 with their responses, of the latest hour; empty if nothing needs them. */
  minutes: [minute: number, responses: number][];
  /** The latest responses, oldest first. */
  window: Partial<Record<Kept, (number | null)[]>>;
  /** The same of the responses of each quota that conditions name; absent if none does. */
  quotas?: QuotaState[];
}

interface QuotaState {
  name: string;
  state: WatchState;
}

/** What the conditions of a guardrail need to remember. */
export interface Needs {
  /** How many responses each window has. */
  window: ReadonlyMap<Kept, number>;
  minutes: boolean;
  /** The answers that are counted from the beginning. */
  options: readonly AnswerName[];
  /** The answers whose spread on a scale is counted from the beginning. */
  scales: readonly Scale[];
}

/** The answers to a question on a scale. */
export interface Scale {
  /** The name of the spread. */
  name: string;
  answer: AnswerName;
  bounds: Interval;
}

const MINUTE = 60_000;
const MINUTES = 60;

/** What a guardrail remembers before its first response. */
export function emptyState(): WatchState {
  return {
    responses: 0,
    reversed: 0,
    cohorts: [0, 0, 0, 0, 0],
    measured: QUALITY_SIGNALS.map(() => 0),
    flagged: QUALITY_SIGNALS.map(() => 0),
    spent: 0,
    firstAt: null,
    latestAt: 0,
    minutes: [],
    window: {},
  };
}

/**
 * Adds an entry of the log to a state, in place.
 *
 * @param since the number of the event after which the guardrail watches
 */
export function remember(state: WatchState, entry: LogEntry, needs: Needs, since: number): void {
  state.spent = entry.spent;
  if (entry.reverses !== null) {
    state.reversed += entry.reverses > since ? 1 : 0;
    return;
  }
  state.responses += 1;
  state.cohorts[entry.cohort - 1] = (state.cohorts[entry.cohort - 1] ?? 0) + 1;
  for (const signal of QUALITY_SIGNALS.keys()) {
    state.measured[signal] = (state.measured[signal] ?? 0) + isMeasured(entry.quality, signal);
    state.flagged[signal] = (state.flagged[signal] ?? 0) + isFlagged(entry.quality, signal);
  }
  for (const name of needs.options) {
    const [picked, answered] = state.options?.[name] ?? [0, 0];
    const answer = valueOf(entry, name);
    state.options = {
      ...state.options,
      [name]: [picked + isPicked(answer), answered + isAnswered(answer)],
    };
  }
  for (const {
    name,
    answer,
    bounds: [low, high],
  } of needs.scales) {
    const value = valueOf(entry, answer);
    const spread = ((state.spreads ??= {})[name] ??= emptySpread());
    if (value !== null) {
      addToSpread(spread, (value - low) / (high - low));
    }
  }
  state.firstAt ??= entry.at;
  // Numbers follow the order of commits, so a response can be a little older than the one before.
  state.latestAt = Math.max(state.latestAt, entry.at);
  if (needs.minutes) {
    rememberMinute(state, Math.floor(state.latestAt / MINUTE));
  }
  for (const [kept, size] of needs.window) {
    const values = (state.window[kept] ??= []);
    values.push(valueOf(entry, kept));
    // Cut now and then, because each cut moves what is left.
    if (values.length >= 2 * size) {
      values.splice(0, values.length - size);
    }
  }
}

/** What a window keeps of a response; `null` if it does not have that. */
export function valueOf(entry: LogEntry, kept: Kept): number | null {
  return isAnswer(kept) ? (entry.answers?.[kept] ?? null) : entry[kept];
}

/** 1 if an answer has the option that is looked for, otherwise 0, also for no answer. */
export const isPicked = (answer: number | null) => Number(answer === 2);

/** 1 if there is an answer, otherwise 0. */
export const isAnswered = (answer: number | null) => Number(answer !== null && answer > 0);

/** 1 if a signal, by its place in `QUALITY_SIGNALS`, flags a response, otherwise 0. */
export const isFlagged = (quality: number, signal: number) => (quality >> signal) & 1;

/** 1 if a response has a signal, whether or not it flags it, otherwise 0. */
export const isMeasured = (quality: number, signal: number) =>
  isFlagged(quality, QUALITY_SIGNALS.length + signal);

function rememberMinute(state: WatchState, minute: number): void {
  const latest = state.minutes.at(-1);
  if (latest?.[0] === minute) {
    latest[1] += 1;
    return;
  }
  state.minutes.push([minute, 1]);
  while ((state.minutes[0]?.[0] ?? minute) <= minute - MINUTES) {
    state.minutes.shift();
  }
}

/** The state with no more than its windows need, as it is stored. */
export function trimmed(state: WatchState, { window }: Needs): WatchState {
  const cut = [...window].map(([kept, size]) => [kept, (state.window[kept] ?? []).slice(-size)]);
  return { ...state, window: Object.fromEntries(cut) as WatchState['window'] };
}
