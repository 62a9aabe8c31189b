/**
 * Whether tests with many cases run them all, and more random ones. By default they run a sample
 * that has every operation and every state.
 */
export const THOROUGH = process.env.TEST_THOROUGH !== undefined;

/** Returns every fourth case, beginning at another one for each group; all of them if thorough. */
export function sampled<T>(cases: readonly T[], group: number): T[] {
  return cases.filter((_, index) => THOROUGH || (index + group) % 4 === 0);
}
