import { escapeLiteral } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

const SCANS = /Index (?:Only )?Scan (?:Backward )?using (\w+)|Bitmap Index Scan on (\w+)|Seq Scan/g;

/** A statement of the service, with its parameters. */
export interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Records the statements that a service sends from now on, of which a test may need only some. */
export function recordStatements(
  { logger }: DataSource,
  isNeeded: (sql: string) => boolean = () => true,
): Statement[] {
  const statements: Statement[] = [];
  Object.assign(logger, {
    logQuery: (sql: string, parameters: unknown[] = []) => {
      if (isNeeded(sql)) {
        statements.push({ sql, parameters });
      }
    },
  });
  return statements;
}

export interface Plan {
  text: string;
  /** Each table access: the name of the index, or else the kind of scan. */
  scans: string[];
  buffers: number;
  /** What PostgreSQL calls the execution time, in milliseconds. */
  milliseconds: number;
}

/** A parameter as a literal in SQL. */
function toLiteral(value: unknown): string {
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join()}}`
    : value instanceof Date
      ? value.toISOString()
      : Buffer.isBuffer(value)
        ? `\\x${value.toString('hex')}`
        : String(value);
  return escapeLiteral(text);
}

const textOf = (lines: { 'QUERY PLAN': string }[]): string =>
  lines.map((line) => line['QUERY PLAN']).join('\n');

/**
 * Explains a prepared statement with a plan for its parameters or a generic one. SHOW_PLANS=1
 * prints the plan.
 */
export async function explain(
  database: Pick<EntityManager, 'transaction'>,
  { sql, parameters }: Statement,
  plan: 'custom' | 'generic',
): Promise<Plan> {
  const lines = await database.transaction(async (session) => {
    await session.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
    const values =
      parameters.length === 0
        ? ''
        : `(${parameters.map((value) => (value === null ? 'NULL' : toLiteral(value))).join(', ')})`;
    await session.query(`PREPARE explained AS ${sql}`);
    const found = await session.query<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF)
       EXECUTE explained ${values}`,
    );
    await session.query('DEALLOCATE explained');
    return found;
  });
  const text = textOf(lines);
  const [, hit = '0', read = '0'] =
    /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(text) ?? [];
  const buffers = Number(hit) + Number(read);
  if (process.env.SHOW_PLANS === '1') {
    const { currentTestName } = expect.getState();
    process.stdout.write(`\n## ${currentTestName}: ${plan} plan, ${buffers} buffers\n${text}\n`);
  }
  return {
    text,
    scans: [...text.matchAll(SCANS)].map(([scan, index, bitmap]) => index ?? bitmap ?? scan),
    buffers,
    milliseconds: Number(/Execution Time: ([\d.]+) ms/.exec(text)?.[1]),
  };
}

/**
 * Returns how many tasks a Citus cluster has for each part of a statement that reads or writes a
 * table, or that calls a function on a node.
 */
export async function tasksOf(
  database: Pick<DataSource, 'query'>,
  { sql, parameters }: Statement,
): Promise<number[]> {
  const lines = await database.query(`EXPLAIN (COSTS OFF) ${sql}`, parameters);
  return [...textOf(lines).matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
}
