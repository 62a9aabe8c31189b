import { escapeLiteral } from 'pg';
import type { EntityManager } from 'typeorm';

const SCANS = /Index (?:Only )?Scan (?:Backward )?using (\w+)|Bitmap Index Scan on (\w+)|Seq Scan/g;

/** A statement of the service, with its parameters. */
export interface Statement {
  sql: string;
  parameters: unknown[];
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

/** Explains a prepared statement with a plan for its parameters or a generic one. */
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
  const text = lines.map((line) => line['QUERY PLAN']).join('\n');
  const [, hit = '0', read = '0'] =
    /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(text) ?? [];
  return {
    text,
    scans: [...text.matchAll(SCANS)].map(([scan, index, bitmap]) => index ?? bitmap ?? scan),
    buffers: Number(hit) + Number(read),
    milliseconds: Number(/Execution Time: ([\d.]+) ms/.exec(text)?.[1]),
  };
}
