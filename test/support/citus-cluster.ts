import { joinNodes, Node } from './citus';
import { PostgresCluster } from './postgres-cluster';

const SETTINGS = [
  "shared_preload_libraries = 'citus'",
  // A shard is moved by logical replication.
  'wal_level = logical',
  'max_connections = 200',
  'max_prepared_transactions = 200',
];

const DATABASE = 'campaign';

/** A Citus cluster of a test's own: a coordinator and two workers, which may be killed. */
export class CitusCluster {
  private constructor(
    readonly coordinator: PostgresCluster,
    readonly workers: readonly PostgresCluster[],
  ) {}

  /** A cluster with a migrated database, of as many shards as Citus makes by default. */
  static async create(): Promise<CitusCluster> {
    const servers: PostgresCluster[] = [];
    try {
      for (let count = 0; count < 3; count += 1) {
        const server = await PostgresCluster.createEmpty(SETTINGS, 'citus');
        servers.push(server);
        await server.query(`CREATE DATABASE ${DATABASE}`, 'postgres');
      }
      const [coordinator, ...workers] = servers as [PostgresCluster, ...PostgresCluster[]];
      const nodes = servers.map(({ port }, group): Node => ({ host: '127.0.0.1', port, group }));
      await joinNodes(nodes, coordinator.url(), DATABASE);
      await coordinator.migrate();
      return new CitusCluster(coordinator, workers);
    } catch (error) {
      await Promise.all(servers.map((server) => server.remove()));
      throw error;
    }
  }

  url(): string {
    return this.coordinator.url();
  }

  /** The worker that has the rows of a company, and the shard of its campaigns. */
  async placeOf(companyId: string): Promise<{ worker: PostgresCluster; shard: number }> {
    const [place] = await this.coordinator.query<{ port: number; shard: string }>(
      `SELECT nodeport AS port, shardid AS shard
       FROM get_shard_id_for_distribution_column('campaign', stored_id('${companyId}')) AS own (id)
       JOIN citus_shards ON shardid = own.id`,
    );
    const worker = this.workers.find(({ port }) => port === place?.port);
    if (place === undefined || worker === undefined) {
      throw new Error(`no worker has the rows of ${companyId}`);
    }
    return { worker, shard: Number(place.shard) };
  }

  async remove(): Promise<void> {
    await Promise.all([this.coordinator, ...this.workers].map((server) => server.remove()));
  }
}
