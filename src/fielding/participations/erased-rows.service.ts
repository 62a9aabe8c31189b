import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../platform/config/env';
import { isEmbedded } from '../../platform/database/data-source';
import { OneByOne } from '../../platform/limits/turns';

/**
 * VACUUM alone leaves the bytes of deleted rows in pages that it keeps, so the tables are written
 * anew, and so are the statistics, which have samples of rows. The old files, and the log up to
 * here, are gone after the checkpoint.
 */
const REMOVAL = [
  'VACUUM (FULL, ANALYZE) participation, tally, answer_times, guardrail_watch',
  'VACUUM (FULL) pg_statistic',
  'SELECT pg_switch_wal()',
  'CHECKPOINT',
];

/**
 * Removes what was erased from the files of the embedded database, which never does so by itself.
 * The operator of a PostgreSQL server decides when it does.
 */
@Injectable()
export class ErasedRows {
  /** Counts erasures; the first one stands for those before the process started. */
  private erasures = 1;
  /** How many of them are out of the files. */
  private removed = 0;
  private readonly removals = new OneByOne();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly env: Env,
  ) {}

  /** Notes that rows are about to be erased, or were erased just now. */
  markErased(): void {
    this.erasures += 1;
  }

  /** Resolves once all rows that were erased before are out of the files. */
  async removeFromFiles(): Promise<void> {
    if (!isEmbedded(this.env)) {
      return;
    }
    const mine = this.erasures;
    // Each caller gets its own failure; the next one tries again.
    await this.removals.run(() => this.removeUpTo(mine));
  }

  private async removeUpTo(erasure: number): Promise<void> {
    if (this.removed >= erasure) {
      return;
    }
    const { erasures } = this;
    for (const statement of REMOVAL) {
      await this.dataSource.query(statement);
    }
    this.removed = erasures;
  }
}
