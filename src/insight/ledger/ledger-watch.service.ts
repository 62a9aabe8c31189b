import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { StoredId, FIRST_STORED_ID } from '../../platform/database/identifiers';
import { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { countComparison, countFailure, countPage, reportDifferences } from './ledger.registry';
import { printDifference, ReconciliationService } from './reconciliation.service';
import { printSettlementDifference } from './settlement-differences';
import { printEnvironment } from '../../platform/caller/environment.rules';

/** Milliseconds between two turns. */
const INTERVAL = 20_000;

/** A turn ends after so many pages, or a page after so many participations. */
const PAGES = 100;
const PARTICIPATIONS = 10_000;

/** Turns in a row in which a page may fail: the database may have restarted in one of them. */
const ATTEMPTS = 3;

/** Differences of a page that the log names. */
const LOGGED_MAXIMUM = 10;

/** The next environment that has participations or a balance, on whichever shard it is. */
const NEXT = `
  SELECT company_id FROM (
    SELECT company_id FROM campaign_progress WHERE company_id > $1
    UNION ALL SELECT company_id FROM balance WHERE company_id > $1
  ) AS o ORDER BY company_id LIMIT 1`;

const JOB = 'compare the books';

/** Where a comparison continues, and what it has found. */
interface Progress {
  companyId: StoredId;
  /** The next page of the environment; `null` after its last one. */
  cursor: string | null;
  /** Differences of the last complete comparison, and of this one so far. */
  before: number;
  found: number;
  /** Environments that the last complete comparison has left out, and this one so far. */
  leftOutBefore: number;
  leftOut: number;
  /** Turns in a row in which the next page has failed. */
  failures: number;
}

const START: Progress = {
  companyId: FIRST_STORED_ID,
  cursor: null,
  before: 0,
  found: 0,
  leftOutBefore: 0,
  leftOut: 0,
  failures: 0,
};

/**
 * Compares all books in the background, environment by environment, again and again. One process
 * does so, a few pages at a time, so it takes little of the database; another one continues where
 * it was. A difference is an error of the service or a change by hand.
 *
 * A page that fails is tried again in the next turns. An environment that still cannot be compared
 * is left out until the next comparison.
 */
@Injectable()
export class LedgerWatch {
  private readonly logger = new Logger(LedgerWatch.name);

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reconciliation: ReconciliationService,
    private readonly jobs: SharedJobs,
  ) {
    jobs.onLost(() => {
      reportDifferences(0, 0);
    });
  }

  @Interval(INTERVAL)
  async compareInBackground(): Promise<void> {
    await this.jobs.run(JOB, (stop) => this.compare(stop));
  }

  /** Compares a few pages, at most to the end of all books or to a failure. */
  async compare(stop?: AbortSignal): Promise<void> {
    const kept = (await this.jobs.kept(JOB)) as Progress | null | undefined;
    const progress = await this.comparePages({ ...START, ...kept }, stop);
    if (await this.jobs.keep(JOB, progress)) {
      reportDifferences(
        Math.max(progress.before, progress.found),
        Math.max(progress.leftOutBefore, progress.leftOut),
      );
    }
  }

  private async comparePages(from: Progress, stop?: AbortSignal): Promise<Progress> {
    let progress = from;
    let checked = 0;
    for (let page = 0; page < PAGES && checked < PARTICIPATIONS; page += 1) {
      const next = await this.next(progress);
      if (next === undefined) {
        return complete(progress);
      }
      try {
        const compared = await this.comparePage(next);
        checked += compared.checked;
        progress = compared.progress;
      } catch (error) {
        return this.afterFailure(next, error);
      }
      if (stop?.aborted === true) {
        break;
      }
    }
    return progress;
  }

  /** Tries a page again in the next turn, or leaves its environment out. */
  private afterFailure(at: Progress, error: unknown): Progress {
    const failures = at.failures + 1;
    if (failures < ATTEMPTS) {
      return { ...at, failures };
    }
    countFailure();
    this.logger.error(
      `could not compare the books of ${printEnvironment(at.companyId)}: ${String(error)}`,
    );
    return { ...at, cursor: null, failures: 0, leftOut: at.leftOut + 1 };
  }

  /** Where the next page begins. */
  private async next(progress: Progress): Promise<Progress | undefined> {
    if (progress.cursor !== null || progress.failures > 0) {
      return progress;
    }
    const [row] = await this.dataSource.query<{ company_id: StoredId }[]>(NEXT, [
      progress.companyId,
    ]);
    return row && { ...progress, companyId: row.company_id };
  }

  private async comparePage(progress: Progress): Promise<{ checked: number; progress: Progress }> {
    const { companyId, cursor } = progress;
    const page = await this.reconciliation.reconcile(companyId, cursor ?? undefined);
    const { checked, nextCursor } = page;
    const settlements =
      nextCursor === null ? await this.reconciliation.compareSettlements(companyId) : [];
    const differences = [
      ...page.differences.map(printDifference),
      ...settlements.map(printSettlementDifference),
    ];
    countPage(checked, differences.length);
    const found = progress.found + differences.length;
    differences.slice(0, LOGGED_MAXIMUM).forEach((difference) => {
      this.logger.error(`the books differ: ${printEnvironment(companyId)} ${difference}`);
    });
    return { checked, progress: { ...progress, found, cursor: nextCursor, failures: 0 } };
  }
}

/** Ends a comparison. One that has left something out does not take earlier differences back. */
function complete({ before, found, leftOut }: Progress): Progress {
  if (leftOut > 0) {
    return { ...START, before: Math.max(before, found), leftOutBefore: leftOut };
  }
  countComparison();
  return { ...START, before: found };
}
