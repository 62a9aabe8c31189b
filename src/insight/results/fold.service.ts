import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { onOneConnection } from '../../platform/database/one-connection';
import { SequencerService } from '../../platform/event/sequencer.service';
import { RepeatedFailures } from '../../platform/logging/repeated-failures';
import { countFolded, reportUnfolded } from '../../platform/metrics/metrics.registry';
import { countPromise } from '../../platform/metrics/service-levels.registry';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { inSpan } from '../../platform/tracing/tracing';
import type { StoredId } from '../../platform/database/identifiers';

/** Events that one statement looks at. */
const BATCH = 1_000;

/** Statements that one read of results runs at most; what is left then is not counted in it. */
const READ_STATEMENTS = 20;

/**
 * Milliseconds of a rest between turns. A company's turn comes after so many rests, or after the
 * first one by which it has a whole batch, so that one statement folds what many have submitted: a
 * batch writes each amount once. A read of results does not wait for a turn.
 */
const REST = 5_000;
const RESTS = 3;

/** Milliseconds between two polls for companies that other processes have left unprocessed. */
const LOOK_INTERVAL = 5_000;

/** Maximum number of companies that one poll returns. */
const LOOK_MAXIMUM = 1_000;

/** Seconds within which a response is promised to be in the tally. */
const PROMPT = 30;

const FOLD = 'SELECT folded, reached, last FROM fold_responses($1, $2)';

/**
 * Companies with events to fold, those that wait the longest first. A plain read over all
 * companies, which a cluster sends to every shard.
 */
const LOOK = `
  SELECT s.company_id, (s.last_seq - coalesce(t.folded_seq, 0))::float8 AS waiting,
    extract(epoch FROM clock_timestamp() - e.created_at)::float8 AS age
  FROM event_sequence AS s
  LEFT JOIN tally_position AS t ON t.company_id = s.company_id
  LEFT JOIN event AS e ON e.company_id = s.company_id AND e.seq = coalesce(t.folded_seq, 0) + 1
  WHERE s.last_seq > coalesce(t.folded_seq, 0)
  ORDER BY e.created_at LIMIT ${LOOK_MAXIMUM}`;

/** How many events wait, of all companies. */
const COUNT = `
  SELECT sum(s.last_seq - coalesce(t.folded_seq, 0))::float8 AS waiting
  FROM event_sequence AS s
  LEFT JOIN tally_position AS t ON t.company_id = s.company_id`;

/** How many events of a company have no number, up to 10,000. */
const UNNUMBERED = `
  SELECT count(*)::float8 AS waiting FROM (
    SELECT FROM unnumbered_event WHERE company_id = $1 LIMIT 10000
  ) AS unnumbered`;

interface Waiting {
  /** Events. */
  waiting: number;
}

interface Unfolded extends Waiting {
  company_id: StoredId;
  /** Age of the oldest event, in seconds. */
  age: number | null;
}

interface FoldedRow {
  folded: number;
  reached: string;
  last: string;
}

/**
 * Adds submitted responses to the tally that results are read from, company by company, in the
 * order of the log. A process folds what it has numbered, and one of them what others have left. A
 * batch and the position after it are one transaction, so a killed process loses nothing, and two
 * never count a response twice.
 */
@Injectable()
export class FoldService implements OnModuleInit {
  private readonly logger = new Logger(FoldService.name);
  /** Numbered events that may not be in the tally, by company, in the order of their turns. */
  private readonly due = new Map<StoredId, { events: number; rests: number }>();
  private readonly failures = new RepeatedFailures(this.logger, 'could not fold responses');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly sequencer: SequencerService,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  onModuleInit(): void {
    this.sharedJobs.onLost(() => {
      reportUnfolded(0, 0);
    });
    this.sequencer.onNumbered((companyId, numbered) => {
      this.queue(companyId, (this.due.get(companyId)?.events ?? 0) + numbered);
    });
  }

  /**
   * Numbers and folds what was committed before, as far as one request may do so, and then reads on
   * the connection of the last statement. It holds none of them for longer than one statement and
   * what is read.
   *
   * @param read receives how many events it has left without a number
   */
  async catchUp<T>(
    companyId: StoredId,
    read: (manager: EntityManager, unnumbered: number) => Promise<T>,
  ): Promise<T> {
    const unnumbered = (await this.sequencer.settle(companyId)) ? 0 : await this.count(companyId);
    for (let statement = 1; ; statement += 1) {
      const ended = await onOneConnection(this.dataSource, async (manager) => {
        const isLast = await this.fold(companyId, manager);
        return isLast || statement === READ_STATEMENTS
          ? { found: await read(manager, unnumbered) }
          : undefined;
      });
      if (ended !== undefined) {
        return ended.found;
      }
    }
  }

  /** Counts the events without a number. */
  private async count(companyId: StoredId): Promise<number> {
    const [{ waiting }] = await this.dataSource.query<[Waiting]>(UNNUMBERED, [companyId]);
    return waiting;
  }

  /** Finds what other processes have left. */
  @Interval(LOOK_INTERVAL)
  async look(): Promise<void> {
    await this.sharedJobs.run('look for responses to fold', async () => {
      const found = await this.dataSource.query<Unfolded[]>(LOOK);
      const all =
        found.length < LOOK_MAXIMUM ? found : await this.dataSource.query<Waiting[]>(COUNT);
      const oldest = found[0]?.age ?? 0;
      reportUnfolded(sumOf(all.map(({ waiting }) => waiting)), oldest);
      countPromise('results_prompt', oldest <= PROMPT);
      for (const { company_id, waiting } of found) {
        this.queue(company_id, waiting);
      }
    });
  }

  /** Lets a company wait for its turn, with so many events by now. */
  private queue(companyId: StoredId, events: number): void {
    this.due.set(companyId, { events, rests: this.due.get(companyId)?.rests ?? 0 });
    void this.jobs.run('fold responses', (stop) => this.work(stop), null);
  }

  private async work(stop: AbortSignal): Promise<void> {
    while (this.due.size > 0 && !stop.aborted) {
      await delay(REST, undefined, { signal: stop }).catch(() => undefined);
      let turns = this.afterRest();
      while (turns.length > 0) {
        turns = await this.take(turns, stop);
        if (turns.length > 0) {
          // Those that become due meanwhile do not wait for the end of a long backlog.
          turns.push(...this.afterRest());
        }
      }
    }
  }

  /** Takes the companies whose turn has come. */
  private afterRest(): StoredId[] {
    const turns: StoredId[] = [];
    for (const [companyId, waiting] of this.due) {
      waiting.rests += 1;
      if (waiting.rests === RESTS || waiting.events >= BATCH) {
        turns.push(companyId);
        this.due.delete(companyId);
      }
    }
    return turns;
  }

  /** Folds a batch of each company, and returns those with more. */
  private async take(turns: readonly StoredId[], stop: AbortSignal): Promise<StoredId[]> {
    const more: StoredId[] = [];
    for (const companyId of turns) {
      if (stop.aborted) {
        break;
      }
      try {
        if (!(await inSpan('fold responses', () => this.fold(companyId)))) {
          more.push(companyId);
        }
      } catch (error) {
        // The next poll finds it again.
        this.failures.add(error);
      }
    }
    return more;
  }

  /** Folds a batch, and returns whether it was the last one. */
  private async fold(
    companyId: StoredId,
    on: Pick<EntityManager, 'query'> = this.dataSource,
  ): Promise<boolean> {
    const [row] = await on.query<[FoldedRow]>(FOLD, [companyId, BATCH]);
    countFolded(row.folded);
    return Number(row.reached) >= Number(row.last);
  }
}
