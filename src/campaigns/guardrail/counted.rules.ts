import { QUALITY_SIGNALS } from '../questions/quality-signals.types';
import { emptySpread, Spread, spreadOfShare } from '../../platform/statistics/mean-sequence.rules';
import { answerName, spreadName } from './answer-looks.rules';
import type { Condition } from './condition.rules';
import type { LatestSums } from './latest-sums.rules';
import type { WatchState } from './watch-state.rules';

/** The place of a signal among all. */
export const placeOf = (signal: Condition['signal']) =>
  QUALITY_SIGNALS.findIndex((each) => each === signal);

/** How many of the responses a signal flags, and how many of them have it. */
export function countSignal(
  state: WatchState,
  { signal }: Condition,
  latest?: LatestSums,
): [flagged: number, measured: number] {
  const place = placeOf(signal);
  return latest === undefined
    ? [state.flagged[place] ?? 0, state.measured[place] ?? 0]
    : [latest.sums[0] ?? 0, latest.sums[1] ?? 0];
}

/** How many of the answers have an option, and how many there are. */
export function countOption(
  { options }: WatchState,
  condition: Condition,
  latest?: LatestSums,
): [picked: number, answered: number] {
  return latest === undefined
    ? (options?.[answerName(condition)] ?? [0, 0])
    : [latest.sums[0] ?? 0, latest.sums[1] ?? 0];
}

/** The answers to a question on its scale: to an option, whether they have it. */
export function spreadOf(state: WatchState, condition: Condition): Spread {
  return condition.option === undefined
    ? (state.spreads?.[spreadName(condition)] ?? emptySpread())
    : spreadOfShare(...countOption(state, condition));
}

/** What the latest responses that answer a question have answered. */
export function latestAnswers({ window }: WatchState, condition: Condition): number[] {
  const { last = 0 } = condition;
  return (window[answerName(condition)] ?? []).slice(-last).filter((value) => value !== null);
}
