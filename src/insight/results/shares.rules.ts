import { Interval, rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { MeanWithInterval, meanWithInterval } from '../../platform/statistics/mean.rules';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { weightedCount, wilson } from '../../platform/statistics/share.rules';
import type { MeanDto, ShareDto } from './result-fields.dto';
import type { Place, Tallied } from './tally.rules';

interface Share {
  share: number | null;
  interval: Interval;
}

/** A part of all, with its interval for so many responses of equal weight. */
export function shareOf(part: number, all: number, size: number): Share {
  const share = all > 0 ? part / all : 0;
  return {
    share: all > 0 ? rounded(share) : null,
    interval: roundedInterval(wilson(share * size, size)),
  };
}

/** A mean with its interval, as results have it. */
export function meanOf(...parameters: Parameters<typeof meanWithInterval>): MeanDto {
  return shownMean(meanWithInterval(...parameters));
}

export function shownMean({ mean, standardDeviation, interval }: MeanWithInterval): MeanDto {
  return {
    mean: mean && rounded(mean),
    standard_deviation: standardDeviation && rounded(standardDeviation),
    interval: interval && roundedInterval(interval),
  };
}

/**
 * Shares by what they are parts of, and then by the part: many of the 25,000 options that a
 * questionnaire can have are alike, above all those that nobody chose.
 */
export type KnownShares = Map<string, Map<number, Share>>;

/**
 * Returns how many of those who answered gave an answer, or one of several answers of which each
 * gave at most one. A question can have 2,000 answers.
 */
export function shareIn(
  tallied: Tallied,
  answered: Place,
  known: KnownShares = new Map(),
): (...given: readonly Place[]) => ShareDto {
  const all = tallied.weigh(...answered);
  const size = tallied.size(...answered);
  const whole = `${all} ${size}`;
  const shares = known.get(whole) ?? new Map<number, Share>();
  known.set(whole, shares);
  return (...given) => {
    const strata = given.flatMap((place) => tallied.strata(...place));
    const part = weightedCount(strata);
    const share = shares.get(part) ?? shareOf(part, all, size);
    shares.set(part, share);
    return { count: sumOf(strata.map(({ count }) => count)), ...share };
  };
}
