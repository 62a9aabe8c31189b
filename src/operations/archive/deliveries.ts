import type { PartSource } from './company-archive';
import { BATCH, CompanyRun, PART_ROWS } from './limits';
import type { Part } from './manifest.rules';

/** Deliveries that one statement looks at, whether or not they are old enough. */
const SCAN_MAXIMUM = 10_000;

/** The last one of the deliveries that are looked at together, after an endpoint and a number. */
const END_OF_SCAN = `
  SELECT o.webhook_id, o.seq::float8 AS seq FROM (
    SELECT d.webhook_id, d.seq FROM webhook_delivery AS d
    WHERE d.company_id = $1 AND (d.webhook_id, d.seq) > ($2, $3::bigint)
    ORDER BY d.webhook_id, d.seq LIMIT ${SCAN_MAXIMUM}
  ) AS o
  ORDER BY o.webhook_id DESC, o.seq DESC LIMIT 1`;

/**
 * Finished deliveries of a company ($1) after one key and up to another, both of an endpoint and a
 * number. Those of a deleted endpoint are about to be removed. Without the table's name, `seq`
 * would be the number as it is returned, in whose order no index is.
 */
const PAGE = `
  SELECT d.webhook_id, d.seq::float8 AS seq, d.state AS status, d.failures, d.attempts, d.created_at,
    d.finished_at
  FROM webhook_delivery AS d
  WHERE d.company_id = $1 AND (d.webhook_id, d.seq) > ($2, $3::bigint)
    AND (d.webhook_id, d.seq) <= ($4, $5::bigint) AND d.finished_at < $6
    AND d.webhook_id NOT IN (SELECT o.id FROM deletion AS o WHERE o.company_id = $1)
  ORDER BY d.webhook_id, d.seq LIMIT ${BATCH}`;

/** A delivery that was replayed meanwhile is not the one in the file, and stays. */
const REMOVE = `
  DELETE FROM webhook_delivery AS d
  USING unnest($2::text[], $3::bigint[], $4::timestamptz[]) AS k (webhook_id, seq, finished_at)
  WHERE d.company_id = $1 AND d.webhook_id = k.webhook_id AND d.seq = k.seq
    AND d.finished_at = k.finished_at`;

interface Key {
  webhook_id: string;
  seq: number;
}

interface Row extends Key {
  finished_at: string;
}

/** The next finished deliveries of a company that are old enough. */
export function deliveries(
  { dataSource, companyId, limits: { before, stop } }: CompanyRun,
  part: number,
): PartSource {
  async function* pages(): AsyncGenerator<Row[]> {
    let rows = 0;
    for (let after: Key = { webhook_id: '', seq: 0 }; ;) {
      const [end] = await dataSource.query<Key[]>(END_OF_SCAN, [
        companyId,
        after.webhook_id,
        after.seq,
      ]);
      if (end === undefined) {
        return;
      }
      for (let last: Key | undefined = after; last !== undefined;) {
        stop.throwIfAborted();
        const range: (string | number)[] = [last.webhook_id, last.seq, end.webhook_id, end.seq];
        const page: Row[] = await dataSource.query(PAGE, [companyId, ...range, before]);
        yield page;
        rows += page.length;
        if (rows >= PART_ROWS) {
          return;
        }
        last = page.length === BATCH ? page.at(-1) : undefined;
      }
      after = end;
    }
  }
  return {
    pages: pages(),
    describe: () => ({ kind: 'deliveries', file: `${part}-deliveries.ndjson.gz` }),
  };
}

export async function removeDeliveries(
  { dataSource, companyId, archive, limits: { stop } }: CompanyRun,
  part: Part,
): Promise<boolean> {
  for await (const rows of archive.rowsOf<Row>(part, BATCH)) {
    stop.throwIfAborted();
    await dataSource.query(REMOVE, [
      companyId,
      rows.map(({ webhook_id }) => webhook_id),
      rows.map(({ seq }) => seq),
      rows.map(({ finished_at }) => finished_at),
    ]);
  }
  return true;
}
