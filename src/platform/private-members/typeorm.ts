import type { Pool, PoolClient } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** The members of TypeORM's driver for PostgreSQL that its types of a data source leave out. */
interface PostgresDriver {
  readonly master?: Pool;
  obtainMasterConnection(): Promise<[PoolClient, () => void]>;
  connectedQueryRunners: QueryRunner[];
}

export const driverOf = ({ driver }: DataSource): PostgresDriver =>
  driver as unknown as PostgresDriver;

/** The connections of a data source that is initialised. */
export function poolOf(dataSource: DataSource): Pool {
  const { master } = driverOf(dataSource);
  if (master === undefined) {
    throw new Error('The data source has no connections before it is initialised.');
  }
  return master;
}

/**
 * Notes a connection in use where TypeORM notes those of its query runners: it takes them back
 * before it closes the pool, which would otherwise wait for the longest statement.
 */
export function trackConnection(
  { connectedQueryRunners }: PostgresDriver,
  release: () => void,
): QueryRunner {
  const use = {
    release: () => {
      const index = connectedQueryRunners.indexOf(use);
      if (index >= 0) {
        connectedQueryRunners.splice(index, 1);
        release();
      }
    },
  } as unknown as QueryRunner;
  connectedQueryRunners.push(use);
  return use;
}
