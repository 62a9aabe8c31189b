import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that nothing here takes, however busy the machine is. */
const LONGEST = 20_000;

/**
 * Waits until a condition holds.
 *
 * @throws if it does not hold in time; the message names what did not happen
 */
export async function waitUntil(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + LONGEST;
  while (!(await holds())) {
    if (performance.now() > end) {
      throw new Error(`${what}: not within ${LONGEST / 1_000} seconds`);
    }
    await delay(20);
  }
}
