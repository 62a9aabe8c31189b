import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { serviceUnavailable } from '../../platform/protocol/api-error';

/**
 * Passwords hashed at once. Each takes a core and 19 MiB. Half of the cores stay free for other
 * requests, and so does one of Node's four threads for blocking work.
 */
const AT_ONCE = Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2)));

/** Passwords that may wait for their turn: about a second and a half of work for one core. */
const WAITING = 50;

/** Seconds after which a refused login may be sent again. */
const RETRY_AFTER = 2;

/**
 * Queues passwords to be hashed, so that this deliberately slow work does not slow down other
 * requests.
 */
@Injectable()
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * Refuses what would be refused its turn now.
   *
   * @throws ApiError `service_unavailable` if too many are waiting
   */
  refuseIfFull(): void {
    if (this.waiting.length >= WAITING) {
      throw serviceUnavailable(
        'Too many companies are logging in right now. Try again shortly.',
        RETRY_AFTER,
      );
    }
  }

  /**
   * Hashes or verifies a password when its turn comes. The work must not wait for anything else.
   *
   * @throws ApiError `service_unavailable` if too many are waiting
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running < AT_ONCE) {
      this.running += 1;
    } else {
      this.refuseIfFull();
      // A finished task passes its turn to the next one, so `running` stays as it is.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) {
        this.running -= 1;
      } else {
        next();
      }
    }
  }
}
