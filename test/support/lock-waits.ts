import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { citusUrl } from './citus';

/** The sessions of one server, or of every node of a cluster. */
const SESSIONS = citusUrl === undefined ? 'pg_stat_activity' : 'citus_stat_activity';

/** Returns once a statement waits for a lock in this database. */
export async function untilLockWait(dataSource: DataSource): Promise<void> {
  const waiting = `SELECT FROM ${SESSIONS}
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await dataSource.query<unknown[]>(waiting)).length === 0) {
    await delay(10);
  }
}
