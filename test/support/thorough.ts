import { postgresUrl } from './databases';

/**
 * Whether tests with many cases run them all, and more random ones. By default they run a sample
 * that has every operation and every state.
 */
export const THOROUGH = process.env.TEST_THOROUGH !== undefined;

/**
 * Returns how many rounds of a race to run: on the embedded database, whose statements never
 * overlap, two.
 */
export const roundsOf = (count: number): number => (postgresUrl === undefined ? 2 : count);

/** The sample on a server is not the one on the embedded database. */
const offset = postgresUrl === undefined ? 0 : 4;

/** Returns every eighth case, beginning at another one for each group; all of them if thorough. */
export function sampled<T>(cases: readonly T[], group: number): T[] {
  return cases.filter((_, index) => THOROUGH || (index + group + offset) % 8 === 0);
}
