import { Client } from 'pg';

/** A coordinator's database through which the suite finds a Citus cluster, if it runs on one. */
export const citusUrl = process.env.CITUS_URL;

/** A server of a cluster; the coordinator has group 0. */
export interface Node {
  host: string;
  port: number;
  group: number;
}

/** Runs statements on a server, one by one, and returns the rows of the last one. */
export async function runOn<Row>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) {
      ({ rows } = await client.query(statement));
    }
    return rows as Row[];
  } finally {
    await client.end();
  }
}

/**
 * The servers of a cluster, the coordinator first.
 *
 * @param coordinator the URL of a database of the coordinator
 */
export async function nodesOf(coordinator: string): Promise<Node[]> {
  const nodes = await runOn<Node>(
    coordinator,
    `SELECT nodename AS host, nodeport AS port, groupid AS "group"
     FROM pg_dist_node WHERE isactive AND noderole = 'primary' ORDER BY groupid`,
  );
  if (nodes[0]?.group !== 0) {
    throw new Error(
      'the coordinator does not know its own address: call citus_set_coordinator_host()',
    );
  }
  return nodes;
}

/** The URL of a database of a node, with the user and options of the coordinator's URL. */
export function urlOn({ host, port, group }: Node, coordinator: string, database: string): string {
  const url = new URL(coordinator);
  if (group !== 0) {
    url.hostname = host;
    url.port = String(port);
  }
  url.pathname = database;
  return url.href;
}

/** Makes one cluster of the databases of this name, which exist on every node. */
export async function joinNodes(
  nodes: readonly Node[],
  coordinator: string,
  database: string,
): Promise<void> {
  await Promise.all(
    nodes.map((node) => runOn(urlOn(node, coordinator, database), 'CREATE EXTENSION citus')),
  );
  await runOn(
    urlOn(nodes[0]!, coordinator, database),
    ...nodes.map(({ host, port, group }) =>
      group === 0
        ? `SELECT citus_set_coordinator_host('${host}', ${port})`
        : `SELECT citus_add_node('${host}', ${port})`,
    ),
  );
}
