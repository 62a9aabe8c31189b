import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which a condition counts as never met, and between two attempts. */
const DEADLINE = 30_000;
const PAUSE = 10;

/**
 * Repeats an assertion until it passes and returns its value; rejects with its last error after the
 * deadline.
 *
 * @param assertion throws while its condition is not met; must be safe to repeat
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  { deadline = DEADLINE, pause = PAUSE } = {},
): Promise<T> {
  const end = performance.now() + deadline;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > end) {
        throw error;
      }
    }
    await delay(pause);
  }
}
