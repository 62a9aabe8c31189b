import type { DataSource } from 'typeorm';
import { citusUrl } from './citus';
import { eventually } from './eventually';

/** The sessions of one server, or of every node of a cluster. */
const SESSIONS = citusUrl === undefined ? 'pg_stat_activity' : 'citus_stat_activity';

/** Returns once a statement that contains this text waits for a lock in this database. */
export function untilLockWait(dataSource: DataSource, text = ''): Promise<void> {
  const waiting = `SELECT FROM ${SESSIONS}
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%${text}%'`;
  return eventually(async () => {
    expect(await dataSource.query(waiting)).not.toEqual([]);
  });
}
