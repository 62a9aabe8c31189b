import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/platform/database/data-source';
import { entities } from '../../src/app.module';
import type { Client } from './client';
import { testEnv } from './env';
import { eventually } from './eventually';
import { generatePlatformKey } from './platforms';
import { PostgresCluster } from './postgres-cluster';
import { RunningService, runService } from './process';

/** What an instance is killed in: a function of the database, while it waits for a table. */
export interface Storing {
  statement: string;
  table: string;
}

/** Ends the sessions that store something ($1), once there is one that has begun to write. */
const KILL = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%' || $1 || '%'
    AND pid <> pg_backend_pid() AND wait_event_type = 'Lock' AND wait_event = 'relation'`;

/** Two instances on a PostgreSQL server of their own, of which the first is killed. */
export class KilledInstances {
  private constructor(
    private readonly cluster: PostgresCluster,
    private readonly instances: RunningService[],
    readonly database: DataSource,
    private readonly platformKey: string,
  ) {}

  static async start(): Promise<KilledInstances> {
    const cluster = await PostgresCluster.create();
    const instances = [await startOn(cluster), await startOn(cluster)];
    const env = testEnv({ DATABASE_URL: cluster.url() });
    const database = await createDataSource(env, { entities }).initialize();
    const { secret } = await generatePlatformKey(database);
    return new KilledInstances(cluster, instances, database, secret);
  }

  /** A client of a platform for each instance as it runs now. */
  get platforms(): Client[] {
    return this.instances.map(({ client }) => client.withKey(this.platformKey));
  }

  /** A client of the instance that is killed next. */
  get endangered(): Client {
    return this.instances[0]!.client;
  }

  /** A client of the instance that is never killed. */
  get survivor(): Client {
    return this.instances[1]!.client;
  }

  /** Kills the first instance and the sessions that store something, and starts it again. */
  async kill({ statement, table }: Storing): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
      await eventually(async () => {
        expect(await this.database.query(KILL, [statement])).not.toEqual([]);
      });
      const [killed] = this.instances;
      await killed!.kill();
    });
    this.instances[0] = await startOn(this.cluster);
  }

  async stop(): Promise<void> {
    await this.database.destroy();
    await Promise.all(this.instances.map((service) => service.kill()));
    await this.cluster.remove();
  }
}

function startOn(cluster: PostgresCluster): Promise<RunningService> {
  return runService({ DATABASE_URL: cluster.url() });
}
