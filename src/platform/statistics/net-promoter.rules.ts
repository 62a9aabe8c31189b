import { CONFIDENCE, Interval, standardErrors } from './interval.rules';

/** What is added to the promoters and to the detractors, and to all. */
const ADDED = { part: 3 / 4, all: 3 };

/**
 * The interval of a net promoter score: the share of promoters minus that of detractors, from -1 to
 * 1. The variance of that difference of two shares of the same multinomial sample is
 * (p + d − (p − d)²) / n. It is the adjusted Wald interval, which counts three more answers, ¾ of a
 * promoter and of a detractor each: without them it would have no width where all agree. Without
 * answers it is everything.
 *
 * Sources: B. Rocks, Interval estimation for the “Net Promoter Score”, The American Statistician 70
 * (2016), 365–372; A. Agresti and Y. Min, Simple improved confidence intervals for comparing
 * matched proportions, Statistics in Medicine 24 (2005), 729–740.
 *
 * @param promoters from 0 to `n`
 * @param detractors from 0 to `n` − `promoters`
 * @param n the number of answers, or an effective size; need not be whole
 */
export function netPromoterInterval(
  promoters: number,
  detractors: number,
  n: number,
  confidence = CONFIDENCE,
): Interval {
  if (n <= 0) {
    return [-1, 1];
  }
  const all = n + ADDED.all;
  const [p, d] = [(promoters + ADDED.part) / all, (detractors + ADDED.part) / all];
  const half = standardErrors(confidence) * Math.sqrt((p + d - (p - d) ** 2) / all);
  const score = (promoters - detractors) / n;
  return [Math.max(-1, Math.min(score, p - d - half)), Math.min(1, Math.max(score, p - d + half))];
}
