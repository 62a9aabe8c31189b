import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue';

/** Maximum number of pieces of heavy work that run at once: of one caller, and of all. */
const AT_ONCE = 2;
const AT_ONCE_IN_ALL = 4;

/** Maximum number that one caller lets wait. */
const WAITING = 20;

/** Limits how much heavy work the process does at once. */
@Injectable()
export class HeavyWork extends FairQueue {
  constructor() {
    super({ ofOne: () => AT_ONCE, ofAll: AT_ONCE_IN_ALL });
  }

  /** Whether a caller has as many waiting as it may. */
  isFull(name: string): boolean {
    return this.waitingOf(name) >= WAITING;
  }
}
