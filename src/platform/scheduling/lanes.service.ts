import { setTimeout as delay } from 'node:timers/promises';
import type { StoredId } from '../database/identifiers';
import { inSpan } from '../tracing/tracing';
import { BackgroundJobs } from './background-jobs.service';

/** Milliseconds before a lane looks again whether a company has rested. */
const PAUSE = 20;

/**
 * Lets companies take turns in several lanes at once, so that a slow one delays no other. A company
 * never has two turns at once.
 */
export class Lanes {
  /** Companies that wait, in the order of their turns. None of them has a turn now. */
  private readonly due = new Set<StoredId>();
  private readonly active = new Set<StoredId>();
  /** Companies that were added during their turn. */
  private readonly again = new Set<StoredId>();

  /**
   * @param name what the lanes do, for the log and for traces
   * @param turn works for a company, and returns whether it needs a further turn; a failure is
   *   logged, and ends the lane until companies are added again
   * @param hasRested whether a company may have its turn now
   */
  constructor(
    private readonly jobs: BackgroundJobs,
    private readonly name: string,
    private readonly lanes: number,
    private readonly turn: (companyId: StoredId) => Promise<boolean>,
    private readonly hasRested: (companyId: StoredId) => boolean = () => true,
  ) {}

  /** Lets each company have a turn that begins from now on, after those that wait already. */
  add(companies: Iterable<StoredId>): void {
    for (const companyId of companies) {
      (this.active.has(companyId) ? this.again : this.due).add(companyId);
    }
    for (let lane = 1; this.due.size > 0 && lane <= this.lanes; lane += 1) {
      void this.jobs.run(`${this.name} (${lane})`, (stop) => this.work(stop), null, this.name);
    }
  }

  private async work(stop: AbortSignal): Promise<void> {
    while (this.due.size > 0 && !stop.aborted) {
      const companyId = this.firstRested();
      if (companyId === undefined) {
        await delay(PAUSE, undefined, { signal: stop }).catch(() => undefined);
      } else {
        this.due.delete(companyId);
        this.active.add(companyId);
        let hasMore = false;
        try {
          hasMore = await inSpan(this.name, () => this.turn(companyId));
        } finally {
          this.active.delete(companyId);
          if (this.again.delete(companyId) || hasMore) {
            this.due.add(companyId);
          }
        }
      }
    }
  }

  private firstRested(): StoredId | undefined {
    for (const companyId of this.due) {
      if (this.hasRested(companyId)) {
        return companyId;
      }
    }
    return undefined;
  }
}
