import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { reportWaitingReaders } from '../metrics/metrics.registry';
import { BackgroundJobs } from '../scheduling/background-jobs.service';

/** Maximum number of requests that wait at once, in this process and for one company. */
const PROCESS_MAXIMUM = 1_000;
const COMPANY_MAXIMUM = 50;

/** Milliseconds between two looks for events that other processes have numbered. */
const LOOK_INTERVAL = 250;

const LOOK = `
  SELECT company_id, last_seq FROM event_sequence WHERE company_id = ANY ($1)`;

interface Waiter {
  /** The last number that the reader knows. */
  seen: number;
  wake: () => void;
}

/** The requests that wait for a company's next event. They hold no database connection. */
@Injectable()
export class WaitingReaders implements OnModuleDestroy {
  private readonly waiting = new Map<string, Set<Waiter>>();
  /** The number of requests that wait. */
  count = 0;
  private stopped = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
  ) {}

  /** Lets every request respond, so that the shutdown does not wait for it. */
  onModuleDestroy(): void {
    this.stopped = true;
    for (const companyId of this.waiting.keys()) {
      this.announce(companyId, Infinity);
    }
  }

  /** Wakes the readers of a company who have not seen this number. */
  announce(companyId: string, lastSeq: number): void {
    for (const { seen, wake } of this.waiting.get(companyId) ?? []) {
      if (seen < lastSeq) {
        wake();
      }
    }
  }

  /**
   * Waits until a company has an event after the number `seen`. It returns early if the client is
   * gone, the service stops, or too many requests wait.
   *
   * @returns whether there may be such an event
   */
  async wait(
    companyId: string,
    seen: number,
    milliseconds: number,
    gone: AbortSignal,
  ): Promise<boolean> {
    const company = this.waiting.get(companyId) ?? new Set();
    const isFull = this.count >= PROCESS_MAXIMUM || company.size >= COMPANY_MAXIMUM;
    if (this.stopped || gone.aborted || isFull) {
      return false;
    }
    this.waiting.set(companyId, company);
    return new Promise((resolve) => {
      const end = (woken: boolean) => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        company.delete(waiter);
        if (company.size === 0) {
          this.waiting.delete(companyId);
        }
        this.setCount(this.count - 1);
        resolve(woken && !this.stopped);
      };
      const leave = () => {
        end(false);
      };
      const waiter: Waiter = {
        seen,
        wake: () => {
          end(true);
        },
      };
      const timer = setTimeout(leave, milliseconds);
      gone.addEventListener('abort', leave);
      company.add(waiter);
      this.setCount(this.count + 1);
    });
  }

  /** Finds what other processes have numbered, in one statement for all who wait. */
  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    if (this.count === 0) {
      return;
    }
    await this.jobs.run('look for numbered events', async () => {
      // While the database is unavailable, the requests themselves report it when they read.
      const rows = await this.dataSource
        .query<{ company_id: string; last_seq: string }[]>(LOOK, [[...this.waiting.keys()]])
        .catch(() => []);
      for (const { company_id, last_seq } of rows) {
        this.announce(company_id, Number(last_seq));
      }
    });
  }

  private setCount(count: number): void {
    this.count = count;
    reportWaitingReaders(count);
  }
}
