import {
  adjustedDifferences,
  correlationOf,
  emptySums,
  isConstant,
  JointSums,
  together,
} from '../../platform/statistics/covariance.rules';

/** What a platform does not control, in the order of the bits of a pattern. */
export const EVIDENCE = ['answer_percentile', 'consistency', 'right_share'] as const;

export type Evidence = (typeof EVIDENCE)[number];

/** What some responses of one platform add up to: those that have the same evidence. */
export interface ScoreSums {
  platform: string;
  /** The bits of the evidence that they have. */
  pattern: number;
  /** The attention score, rounded down. */
  score: number;
  sums: JointSums;
  /** Rewards in hundredths, and their squares. */
  paid: number;
  paid_squares: number;
  /** Responses without a flag and a wrong answer, and what they were paid. */
  careful: number;
  careful_paid: number;
  /** Answers to questions with a right answer, and how many of these are right. */
  checked: number;
  right: number;
}

/** The same of all responses of a platform. */
export interface PlatformSums extends Omit<ScoreSums, 'pattern' | 'score' | 'sums'> {
  /** By pattern. */
  patterns: Map<number, JointSums>;
  /** Responses by score, from 0 to 10. */
  histogram: number[];
}

const SCORES = 11;

/** Adds up the rows of one platform after the other. */
export function addScores(known: Map<string, PlatformSums>, rows: readonly ScoreSums[]): void {
  for (const { pattern, score, sums, ...row } of rows) {
    const before = known.get(row.platform);
    const patterns = before?.patterns ?? new Map<number, JointSums>();
    const histogram = before?.histogram ?? Array.from({ length: SCORES }, () => 0);
    patterns.set(pattern, together(patterns.get(pattern) ?? emptySums(EVIDENCE.length), sums));
    histogram[score] = (histogram[score] ?? 0) + sums.n;
    known.set(row.platform, {
      platform: row.platform,
      patterns,
      histogram,
      paid: row.paid + (before?.paid ?? 0),
      paid_squares: row.paid_squares + (before?.paid_squares ?? 0),
      careful: row.careful + (before?.careful ?? 0),
      careful_paid: row.careful_paid + (before?.careful_paid ?? 0),
      checked: row.checked + (before?.checked ?? 0),
      right: row.right + (before?.right ?? 0),
    });
  }
}

const has = (pattern: number, evidence: number) => ((pattern >> evidence) & 1) === 1;

/** The sums of the responses of a platform that have all of some evidence, and of that only. */
export function sumsWith({ patterns }: PlatformSums, evidence: readonly number[]): JointSums {
  return [...patterns]
    .filter(([pattern]) => evidence.every((each) => has(pattern, each)))
    .map(([, sums]) => ({
      ...sums,
      x: evidence.map((each) => sums.x[each] ?? 0),
      xy: evidence.map((each) => sums.xy[each] ?? 0),
      xx: evidence.map((a) => evidence.map((b) => sums.xx[a]?.[b] ?? 0)),
    }))
    .reduce(together, emptySums(evidence.length));
}

/** How the score of a platform goes with each evidence; without what too few responses have. */
export function associationsOf(platform: PlatformSums) {
  return EVIDENCE.flatMap((name, index) => {
    const sums = sumsWith(platform, [index]);
    const found = correlationOf(sums);
    return found === null ? [] : [{ name, responses: sums.n, ...found }];
  });
}

/**
 * By how much the scores of each platform differ from those of all others, beyond what the evidence
 * explains that at least half of all responses have. Others are left out.
 */
export function differencesOf(platforms: readonly PlatformSums[]) {
  const all = countOf(platforms, []);
  const usable = EVIDENCE.flatMap((_, index) => {
    const groups = platforms.map((each) => sumsWith(each, [index]));
    return 2 * countOf(platforms, [index]) >= all && !isConstant(groups, 0) ? [index] : [];
  });
  const groups = platforms.map((each) => sumsWith(each, usable));
  return {
    adjustedFor: usable.flatMap((index) => EVIDENCE[index] ?? []),
    differences: adjustedDifferences(groups),
    responses: groups.map(({ n }) => n),
  };
}

const countOf = (platforms: readonly PlatformSums[], evidence: readonly number[]) =>
  platforms.reduce((sum, each) => sum + sumsWith(each, evidence).n, 0);
