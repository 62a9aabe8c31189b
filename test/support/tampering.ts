import type { DataSource, EntityManager } from 'typeorm';

/**
 * Changes stored rows by hand, in a transaction without triggers, their rules, and foreign keys. A
 * cluster passes both settings on to its nodes; any other database ignores the first.
 */
export function tamper<T>(
  dataSource: DataSource,
  work: (session: EntityManager) => Promise<T>,
): Promise<T> {
  return dataSource.transaction(async (session) => {
    await session.query(`SET LOCAL citus.propagate_set_commands = 'local'`);
    await session.query('SET LOCAL session_replication_role = replica');
    return work(session);
  });
}
