import { statfs } from 'node:fs/promises';
import { Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { isDiskFull } from '../database/disk-full';
import { gauges, labelledGauge } from '../metrics/metrics.registry';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds between two polls at the disk, and between two at the tables. */
const DISK_INTERVAL = 10_000;
const TABLES_INTERVAL = 60_000;

/** The free share below which a disk is nearly full. */
const NEARLY_FULL = 0.1;

const GIB = 2 ** 30;

/** What the databases of the server take, and what its log usually takes at most. */
const USED = `
  SELECT sum(pg_database_size(oid))::float8
    + pg_size_bytes(current_setting('max_wal_size'))::float8 AS used
  FROM pg_database WHERE has_database_privilege(oid, 'CONNECT')`;

/** Every table of the service. */
const TABLES = `
  SELECT relname AS name, pg_total_relation_size(oid)::float8 AS bytes FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

const reportDisk = gauges(
  ['database_disk_size_bytes', 'Size of the disk of the database; 0 if it is not known.'],
  ['database_disk_free_bytes', 'Free bytes of that disk; 0 if its size is not known.'],
);

const reportTable = labelledGauge(
  'database_table_bytes',
  'Bytes of a table with its indexes, as last measured by the process that measures for all.',
  ['table'],
);

export type DiskStatus = 'ok' | 'disk_nearly_full' | 'disk_full';

/** Measures the disk of the database, and its tables. */
@Injectable()
export class DatabaseSize implements OnApplicationBootstrap {
  private disk: { size: number; free: number } | undefined;

  constructor(
    private readonly env: Env,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {
    sharedJobs.onLost(() => {
      reportTable.reset();
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.measureDisk();
  }

  /** What is known of the disk, without asking anyone. */
  get diskStatus(): DiskStatus {
    if (isDiskFull()) {
      return 'disk_full';
    }
    const { disk } = this;
    return disk !== undefined && disk.free < NEARLY_FULL * disk.size ? 'disk_nearly_full' : 'ok';
  }

  @Interval(DISK_INTERVAL)
  async measureDisk(): Promise<void> {
    await this.jobs.run('measure the disk of the database', async () => {
      this.disk = await this.readDisk();
      reportDisk(this.disk?.size ?? 0, this.disk?.free ?? 0);
    });
  }

  @Interval(TABLES_INTERVAL)
  async measureTables(): Promise<void> {
    await this.sharedJobs.measure('measure the tables', async () => {
      const tables = await this.dataSource.query<{ name: string; bytes: number }[]>(TABLES);
      for (const { name, bytes } of tables) {
        reportTable.set({ table: name }, bytes);
      }
    });
  }

  private async readDisk(): Promise<{ size: number; free: number } | undefined> {
    const { DATABASE_URL, DATABASE_DISK_GIB, DATA_DIR } = this.env;
    if (DATABASE_URL === undefined) {
      const { bsize, blocks, bavail } = await statfs(DATA_DIR);
      return { size: bsize * blocks, free: bsize * bavail };
    }
    if (DATABASE_DISK_GIB === undefined) {
      return undefined;
    }
    const [{ used }] = await this.dataSource.query<[{ used: number }]>(USED);
    const size = DATABASE_DISK_GIB * GIB;
    return { size, free: Math.max(0, size - used) };
  }
}
