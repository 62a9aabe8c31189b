import { Injectable, OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { queueNameOf } from '../../platform/caller/environment.rules';
import { FIRST_STORED_ID, StoredId } from '../../platform/database/identifiers';
import { FairQueue } from '../../platform/limits/fair-queue';
import { InterruptibleTurns } from '../../platform/limits/turns';
import { retryLater } from '../../platform/protocol/api-error';
import { Amounts } from './amounts';
import { CROSS, CrossRow } from './crosstab.statements';

/** Tables that are counted at once: of one company, and of all. Others wait. */
const AT_ONCE = 1;
const AT_ONCE_IN_ALL = 2;
const WAITING = 20;

/** Amounts of counted tables that are kept, in all. */
const KEPT_AMOUNTS = 200_000;

/** Milliseconds after which a committed response surely has its number. */
const NUMBERED_AFTER = 600_000;

const INTERRUPTED = 'The table was interrupted. Send the request again.';

/** Does a piece of work in a turn of heavy work. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** What to count, and up to where. */
export interface Counting {
  companyId: StoredId;
  campaignId: string;
  version: number;
  /** Positions of the questions; without one, the columns are platforms. */
  rows: number;
  columns: number | null;
  /** Of detail, for `coarse_key`. */
  level: number;
  asOfSeq: number;
  asOf: Date;
  /** Whether earlier events have no place in `asOfSeq` yet. */
  isBehind: boolean;
}

/**
 * Counts tables that are in no tally from the stored answers: some thousand responses a statement,
 * each in a turn of heavy work of its own, so that nobody waits for more than one of them.
 */
@Injectable()
export class CountingService implements OnModuleDestroy {
  private readonly queue = new FairQueue({ ofOne: () => AT_ONCE, ofAll: AT_ONCE_IN_ALL });
  private readonly turns = new InterruptibleTurns(INTERRUPTED);
  private readonly kept = new LRUCache<string, Amounts>({
    maxSize: KEPT_AMOUNTS,
    sizeCalculation: ({ size }) => Math.max(1, size),
  });

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleDestroy(): void {
    this.turns.stop();
  }

  /**
   * Returns the amounts of a table by column. They are kept, and hold as long as the company has no
   * later event: whatever takes a response out writes one.
   *
   * @throws ApiError `rate_limited`, or `request_timeout` or `service_unavailable` if it was
   *   interrupted
   */
  async count(counting: Counting, inTurn: InTurn, gone: AbortSignal): Promise<Amounts> {
    const { companyId, campaignId, version, rows, columns, asOfSeq } = counting;
    const key = JSON.stringify([companyId, campaignId, version, rows, columns, asOfSeq]);
    const caller = queueNameOf(companyId);
    const known = this.kept.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.queue.waitingOf(caller) >= WAITING) {
      throw retryLater('rate_limited', 'Too many tables are being counted. Try again shortly.');
    }
    return this.queue.run(caller, async () => {
      const amounts = this.kept.get(key) ?? (await this.countAll(counting, inTurn, gone));
      this.kept.set(key, amounts);
      return amounts;
    });
  }

  private async countAll(
    { companyId, campaignId, version, rows, columns, level, ...upTo }: Counting,
    inTurn: InTurn,
    gone: AbortSignal,
  ): Promise<Amounts> {
    const amounts = new Amounts();
    const recent = upTo.isBehind ? '-infinity' : new Date(+upTo.asOf - NUMBERED_AFTER);
    let after = { at: '-infinity', id: FIRST_STORED_ID };
    for (;;) {
      await this.turns.next(gone);
      const found = await inTurn(() =>
        this.dataSource.query<CrossRow[]>(CROSS, [
          companyId,
          campaignId,
          version,
          rows,
          columns,
          level,
          after.at,
          after.id,
          upTo.asOfSeq,
          recent,
        ]),
      );
      let reached = false;
      for (const row of found) {
        if (row.column_name === null) {
          after = { at: row.reached_at, id: row.reached_id };
          reached = true;
        } else {
          amounts.add(row.column_name, row);
        }
      }
      if (!reached) {
        return amounts;
      }
    }
  }
}
