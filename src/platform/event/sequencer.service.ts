import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { RepeatedFailures } from '../logging/repeated-failures';
import { reportUnsequenced } from '../metrics/metrics.registry';
import { countPromise } from '../metrics/service-levels.registry';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { Lanes } from '../scheduling/lanes.service';
import { SharedJobs } from '../scheduling/shared-jobs.service';
import { LOOK, LOOK_MAXIMUM, NUMBER, WAITS } from './sequencer.statements';
import { WaitingReaders } from './waiting-readers.service';
import { printEnvironment } from '../caller/environment.rules';
import { StoredId, FIRST_STORED_ID } from '../database/identifiers';

/** Milliseconds between two polls for events that nobody has numbered. */
const LOOK_INTERVAL = 250;

/**
 * Milliseconds between two statements for one company, so that under load one statement numbers the
 * events of several writes. After a quiet moment the first write is numbered at once.
 */
const SHORTEST_REST = 200;
const LONGEST_REST = 500;

/** Milliseconds of a rest for each company numbered lately, so that these statements stay few. */
const REST_PER_COMPANY = 25;

/** Maximum number of events that one statement numbers. */
const BATCH = 1_000;

/** How long a read waits for the numbers of earlier events: batches, and milliseconds. */
const SETTLED_BATCHES = 2;
const SETTLING = 1_000;

/** Milliseconds between two attempts meanwhile. */
const PAUSE = 5;

/** Number of statements that run at once. */
const LANES = 3;

/** Milliseconds that a company is left alone after a failure; doubled after each further one. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 4_000;

/** Seconds within which an event is promised to be in the feed. */
const PROMPT = 5;

/** Seconds after which the log says that events wait. */
const LATE = 15;

const NOTHING = { waiting: 0, age: 0 };

interface Unsequenced {
  company_id: StoredId;
  waiting: number;
  /** Age of the oldest event, in seconds. */
  age: number;
}

/**
 * Numbers the events of each company: 1, 2, 3 and so on, without a gap. Numbers are given after the
 * commit, because numbers taken inside a transaction become visible out of order. A process numbers
 * what it has written, and one of them what others have left. One process at a time numbers a
 * company's events, each batch in a transaction of its own.
 */
@Injectable()
export class SequencerService implements OnModuleInit {
  private readonly logger = new Logger(SequencerService.name);
  /** For companies that may have events without a number. */
  private readonly lanes: Lanes;
  /** When a company may be numbered again, by the process's monotonic clock. */
  private readonly resting = new Map<StoredId, number>();
  /** After a failure: when to try again, by the same clock, and the pause until then. */
  private readonly retries = new Map<StoredId, { pause: number; at: number }>();
  /** The last company of a look that did not read all events; the next look begins after it. */
  private lookedUntil = FIRST_STORED_ID;
  /** What the looks since the first company have found, and those of the round before. */
  private round = NOTHING;
  private lastRound = NOTHING;
  private readonly listeners: ((companyId: StoredId, numbered: number) => void)[] = [];
  private readonly failures = new RepeatedFailures(this.logger, 'could not number events');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
    private readonly readers: WaitingReaders,
  ) {
    this.lanes = new Lanes(
      jobs,
      'number events',
      LANES,
      (companyId) => this.number(companyId),
      (companyId) => (this.resting.get(companyId) ?? 0) <= performance.now(),
    );
  }

  onModuleInit(): void {
    this.sharedJobs.onLost(() => {
      this.round = this.lastRound = NOTHING;
      reportUnsequenced(0, 0);
    });
  }

  /** Numbers a company's events soon; call it after the transaction that wrote them. */
  wake(companyId: StoredId): void {
    this.add([companyId]);
  }

  /**
   * Numbers the events that were committed before a read, so that the read includes them. While
   * another process numbers them, it waits for that. It gives up after a second or 2,000 events.
   *
   * @returns whether it has numbered all of them
   */
  async settle(companyId: StoredId): Promise<boolean> {
    const end = performance.now() + SETTLING;
    for (let batches = 0; batches < SETTLED_BATCHES && performance.now() < end;) {
      const [{ waits }] = await this.dataSource.query<[{ waits: boolean }]>(WAITS, [companyId]);
      const numbered = waits ? await this.numberBatch(companyId) : 0;
      if (numbered === undefined) {
        await delay(PAUSE);
      } else if (numbered < BATCH) {
        return true;
      } else {
        batches += 1;
      }
    }
    return false;
  }

  /** Calls a listener whenever this process has numbered events of a company: with their number. */
  onNumbered(listener: (companyId: StoredId, numbered: number) => void): void {
    this.listeners.push(listener);
  }

  /** Finds the events of other processes, and those that a killed process has left. */
  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    this.forgetRested();
    await this.sharedJobs.run('look for events without a number', async () => {
      try {
        const found = await this.dataSource.query<Unsequenced[]>(LOOK, [this.lookedUntil]);
        const waiting = found.reduce((sum, company) => sum + company.waiting, 0);
        const isCut = waiting === LOOK_MAXIMUM;
        const age = this.report(
          waiting,
          Math.max(0, ...found.map((company) => company.age)),
          isCut,
        );
        countPromise('events_prompt', age <= PROMPT);
        this.noteLate(found);
        this.lookedUntil = (isCut ? found.at(-1)?.company_id : undefined) ?? FIRST_STORED_ID;
        this.add(found.map(({ company_id }) => company_id));
      } catch (error) {
        this.failures.add(error);
        countPromise('events_prompt', false);
      }
    });
  }

  /**
   * Logs the company that waits longest: numbering skips a company whose row another transaction
   * has locked, without an error.
   */
  private noteLate(found: readonly Unsequenced[]): void {
    const [first, ...others] = found.filter(({ age }) => age > LATE);
    if (first !== undefined) {
      const { company_id, age } = others.reduce((a, b) => (b.age > a.age ? b : a), first);
      const waits = `those of ${printEnvironment(company_id)} wait for ${Math.round(age)} seconds`;
      this.failures.add(others.length === 0 ? waits : `${waits}, and ${others.length} companies`);
    }
  }

  /**
   * Reports what a round of looks has found; before its end, at least what the last one has found.
   *
   * @returns the age of the oldest event
   */
  private report(waiting: number, age: number, isCut: boolean): number {
    this.round = { waiting: this.round.waiting + waiting, age: Math.max(this.round.age, age) };
    const { round } = this;
    const before = isCut ? this.lastRound : NOTHING;
    const oldest = Math.max(before.age, round.age);
    reportUnsequenced(Math.max(before.waiting, round.waiting), oldest);
    if (!isCut) {
      this.lastRound = round;
      this.round = NOTHING;
    }
    return oldest;
  }

  private add(companies: readonly StoredId[]): void {
    const now = performance.now();
    this.lanes.add(companies.filter((each) => (this.retries.get(each)?.at ?? 0) <= now));
  }

  private forgetRested(): void {
    const now = performance.now();
    for (const [companyId, until] of this.resting) {
      if (until <= now) {
        this.resting.delete(companyId);
      }
    }
  }

  private rest(): number {
    return Math.min(Math.max(SHORTEST_REST, this.resting.size * REST_PER_COMPANY), LONGEST_REST);
  }

  /** Numbers a batch, and returns whether the company may have more. */
  private async number(companyId: StoredId): Promise<boolean> {
    try {
      const numbered = await this.numberBatch(companyId);
      this.retries.delete(companyId);
      if (numbered === BATCH) {
        return true;
      }
      this.resting.set(companyId, performance.now() + this.rest());
    } catch (error) {
      this.failures.add(error);
      const { pause = FIRST_RETRY / 2 } = this.retries.get(companyId) ?? {};
      const next = Math.min(2 * pause, LAST_RETRY);
      this.retries.set(companyId, { pause: next, at: performance.now() + next });
    }
    return false;
  }

  /** Numbers a batch, and returns its size; `undefined` while another process numbers. */
  private async numberBatch(companyId: StoredId): Promise<number | undefined> {
    const [row] = await this.dataSource.query<{ numbered: number; reached: string }[]>(NUMBER, [
      companyId,
      BATCH,
    ]);
    if (row !== undefined && row.numbered > 0) {
      this.readers.announce(companyId, Number(row.reached));
      this.listeners.forEach((listener) => {
        listener(companyId, row.numbered);
      });
    }
    return row?.numbered;
  }
}
