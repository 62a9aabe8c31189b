import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { reportWaitingReaders } from '../metrics/metrics.registry';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import type { StoredId } from '../database/identifiers';
import { EVENT_CAMPAIGN } from './event.columns';
import type { EventType } from './event.types';
import { subjectOf, TypesAndSubject } from './subject.rules';
import { companyOf, environmentOf, MODES, printEnvironment } from '../caller/environment.rules';

/** Maximum number of requests that wait at once, in this process and for one company. */
const PROCESS_MAXIMUM = 1_000;
const COMPANY_MAXIMUM = 50;

/** Milliseconds between two polls for events that other processes have numbered. */
const LOOK_INTERVAL = 250;

/** Maximum number of events whose types one statement reads. */
const SCAN_MAXIMUM = 5_000;

const LOOK = `
  SELECT company_id, last_seq FROM event_sequence WHERE company_id = ANY ($1)`;

/** What happened between two numbers, with the last number of each. */
const HAPPENED = `
  SELECT type, subject, ${EVENT_CAMPAIGN} AS campaign, max(seq) AS seq FROM event
  WHERE company_id = $1 AND seq > $2 AND seq <= $3 GROUP BY type, subject, campaign`;

interface Happened {
  type: EventType;
  subject: StoredId;
  /** The post_id of the campaign of a response or guardrail; `null` for other events. */
  campaign: string | null;
  seq: string;
}

/** The events that a reader asks for; all of them without a filter. */
export interface EventFilter extends TypesAndSubject {
  /** A campaign, with its responses. */
  postId?: string;
}

/** How a reader stopped waiting. */
interface Waited {
  /** Whether there may be an event for it. */
  woken: boolean;
  /** There is no event for it up to this number. */
  seen: number;
}

interface Waiter {
  seen: number;
  filter: EventFilter;
  end: (woken: boolean) => void;
}

/** The readers who wait for a company, and the last number that was announced to them. */
interface Company {
  waiters: Set<Waiter>;
  lastSeq: number;
}

/** The requests that wait for a company's next event. They hold no database connection. */
@Injectable()
export class WaitingReaders implements OnModuleDestroy {
  private readonly companies = new Map<StoredId, Company>();
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
    for (const { waiters } of this.companies.values()) {
      for (const { end } of waiters) {
        end(false);
      }
    }
  }

  /** Wakes the readers of a company who have not seen this number and ask for what happened. */
  announce(companyId: StoredId, lastSeq: number): void {
    const company = this.companies.get(companyId);
    if (company === undefined) {
      return;
    }
    company.lastSeq = Math.max(company.lastSeq, lastSeq);
    for (const { seen, filter, end } of company.waiters) {
      if (seen < lastSeq && asksForAll(filter)) {
        end(true);
      }
    }
    if (behind(company).length > 0) {
      void this.jobs.run(
        `wake the readers of ${printEnvironment(companyId)}`,
        () => this.wakeByFilter(companyId, company),
        'wake readers',
      );
    }
  }

  /**
   * Waits until a company has an event after the number `seen` that the filter lets through. It
   * returns early if the client is gone, the service stops, or too many requests wait.
   */
  async wait(
    companyId: StoredId,
    seen: number,
    filter: EventFilter,
    milliseconds: number,
    gone: AbortSignal,
  ): Promise<Waited> {
    const company = this.companies.get(companyId) ?? { waiters: new Set(), lastSeq: 0 };
    const isFull =
      this.count >= PROCESS_MAXIMUM || this.countOfCompany(companyId) >= COMPANY_MAXIMUM;
    if (this.stopped || gone.aborted || isFull) {
      return { woken: false, seen };
    }
    this.companies.set(companyId, company);
    return new Promise((resolve) => {
      const end = (woken: boolean) => {
        if (!company.waiters.delete(waiter)) {
          return;
        }
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        if (company.waiters.size === 0) {
          this.companies.delete(companyId);
        }
        this.setCount(this.count - 1);
        resolve({ woken: woken && !this.stopped, seen: waiter.seen });
      };
      const leave = () => {
        end(false);
      };
      const waiter: Waiter = { seen, filter, end };
      const timer = setTimeout(leave, milliseconds);
      gone.addEventListener('abort', leave);
      company.waiters.add(waiter);
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
        .query<{ company_id: StoredId; last_seq: string }[]>(LOOK, [[...this.companies.keys()]])
        .catch(() => []);
      for (const { company_id, last_seq } of rows) {
        this.announce(company_id, Number(last_seq));
      }
    });
  }

  /** Reads what happened once for all readers of a company, and wakes those who ask for it. */
  private async wakeByFilter(companyId: StoredId, company: Company): Promise<void> {
    for (let waiters = behind(company); waiters.length > 0; waiters = behind(company)) {
      const from = Math.min(...waiters.map(({ seen }) => seen));
      const to = Math.min(company.lastSeq, from + SCAN_MAXIMUM);
      // While the database is unavailable, the requests themselves report it when they read.
      const happened = await this.dataSource
        .query<Happened[]>(HAPPENED, [companyId, from, to])
        .catch(() => undefined);
      for (const waiter of waiters) {
        const { seen, filter, end } = waiter;
        if (happened?.some((event) => Number(event.seq) > seen && asksFor(filter, event)) ?? true) {
          end(true);
        } else {
          waiter.seen = Math.max(seen, to);
        }
      }
    }
  }

  /** The requests that wait for a company, with live and test keys. */
  private countOfCompany(companyId: StoredId): number {
    const environments = MODES.map((mode) => environmentOf(companyOf(companyId), mode));
    return environments.reduce((sum, id) => sum + (this.companies.get(id)?.waiters.size ?? 0), 0);
  }

  private setCount(count: number): void {
    this.count = count;
    reportWaitingReaders(count);
  }
}

function asksForAll({ types, subject, postId }: EventFilter): boolean {
  return types === undefined && subject === undefined && postId === undefined;
}

function asksFor({ types, subject, postId }: EventFilter, event: Happened): boolean {
  return (
    (types?.includes(event.type) ?? true) &&
    (subject === undefined || subject === event.subject) &&
    (postId === undefined || postId === subjectOf(event) || postId === event.campaign)
  );
}

/** The readers of a company who do not know yet whether the last events are for them. */
function behind({ waiters, lastSeq }: Company): Waiter[] {
  return [...waiters].filter(({ seen }) => seen < lastSeq);
}
