import { Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { isEmbedded } from '../database/data-source';
import { BackgroundJobs } from './background-jobs.service';

/** Milliseconds from the start to the first look. */
const FIRST_LOOK = 2_000;

/** Milliseconds between two polls; each compares two positions. */
const LOOK_INTERVAL = 60_000;

/** The share of the database's size that is written to the log before it is vacuumed again. */
const CHANGED = 0.2;

/** Bytes of the log before a small database is vacuumed again. */
const CHANGED_MINIMUM = 16 * 1024 * 1024;

/** Bytes of the log from the last checkpoint to the next one. */
const LOG_MAXIMUM = 64 * 1024 * 1024;

/**
 * How much has been written to the log since a position ($1), whether that is much, and the
 * position now. The embedded database does not count the changes of a table.
 */
const WRITTEN = `
  SELECT pg_current_wal_insert_lsn()::text AS position,
    coalesce(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1::pg_lsn)
      >= greatest(${CHANGED_MINIMUM}, ${CHANGED} * pg_database_size(current_database())), true)
    AS "isMuch"`;

/** Whether the log since the last checkpoint is long: a start after a crash repeats all of it. */
const LOG_IS_LONG = `
  SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) >= ${LOG_MAXIMUM} AS long
  FROM pg_control_checkpoint()`;

/**
 * The tables with 50 pages of 8 kB, including the values that are stored apart, and those of the
 * system: smaller ones are read quickly as they are. And every table whose oldest transaction is so
 * long ago that VACUUM freezes its rows, without which the database would end after 2^31
 * transactions.
 */
const TABLES = `
  SELECT c.oid::regclass::text AS name
  FROM pg_class AS c LEFT JOIN pg_class AS apart ON apart.oid = c.reltoastrelid
  WHERE c.relkind = 'r' AND (
    c.relnamespace IN (current_schema()::regnamespace, 'pg_catalog'::regnamespace)
      AND pg_table_size(c.oid) >= 50 * 8192
    OR greatest(age(c.relfrozenxid), age(apart.relfrozenxid))
      > current_setting('vacuum_freeze_table_age')::integer
  )
  ORDER BY name`;

/**
 * The tables with ten pages or more that have at least doubled since they were analysed. Prepared
 * statements and functions keep the plans for the size that a table had then.
 */
const GROWN = `
  SELECT c.oid::regclass::text AS name FROM pg_class AS c
  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    AND pg_relation_size(c.oid) >= greatest(10, 2 * c.relpages) * 8192::bigint
  ORDER BY name`;

/**
 * Vacuums and analyses the tables of the embedded database, which has no process that does so: at
 * the start, and whenever much has been written. It also analyses what has grown much. Without
 * checkpoints, which it makes here too, the database would keep its whole log. PostgreSQL has
 * autovacuum and a checkpointer.
 */
@Injectable()
export class EmbeddedUpkeep {
  /** The position in the log at the last vacuum; `null` before the first. */
  private position: string | null = null;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly env: Env,
  ) {}

  @Timeout(FIRST_LOOK)
  async lookSoonAfterStart(): Promise<void> {
    await this.lookInBackground();
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    if (isEmbedded(this.env)) {
      await this.jobs.run('vacuum the embedded database', (stop) => this.look(stop));
    }
  }

  /**
   * Vacuums if much has been written, analyses what has grown, and makes a checkpoint if the log is
   * long.
   *
   * @param stop ends the work after the current table
   * @returns whether it was time to vacuum
   */
  async look(stop?: AbortSignal): Promise<boolean> {
    const vacuumed = await this.vacuum(stop);
    await this.forEach(GROWN, 'ANALYZE', stop);
    const [{ long }] = await this.dataSource.query<[{ long: boolean }]>(LOG_IS_LONG);
    if (long) {
      await this.dataSource.query('CHECKPOINT');
    }
    return vacuumed;
  }

  /**
   * Vacuums the larger tables the first time, and if much has been written since.
   */
  private async vacuum(stop?: AbortSignal): Promise<boolean> {
    const [{ position, isMuch }] = await this.dataSource.query<
      [{ position: string; isMuch: boolean }]
    >(WRITTEN, [this.position]);
    if (!isMuch) {
      return false;
    }
    await this.forEach(TABLES, 'VACUUM (ANALYZE)', stop);
    this.position = position;
    return true;
  }

  /** One table after the other, so that other statements run in between. */
  private async forEach(select: string, command: string, stop?: AbortSignal): Promise<void> {
    for (const { name } of await this.dataSource.query<{ name: string }[]>(select)) {
      if (stop?.aborted === true) {
        break;
      }
      await this.dataSource.query(`${command} ${name}`);
    }
  }
}
