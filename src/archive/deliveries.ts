import type { PartSource } from './company-archive';
import { BATCH, CompanyRun, PART_ROWS } from './limits';
import type { Part } from './manifest.rules';

/**
 * Finished deliveries of a company ($1) after an endpoint and a number, read by their key. Those of
 * a deleted endpoint are about to be removed. Without the table's name, `seq` would be the number
 * as it is returned, in whose order no index is.
 */
const PAGE = `
  SELECT d.webhook_id, d.seq::float8 AS seq, d.state AS status, d.failures, d.attempts, d.created_at,
    d.finished_at
  FROM webhook_delivery AS d
  WHERE d.company_id = $1 AND (d.webhook_id, d.seq) > ($2, $3::bigint) AND d.finished_at < $4
    AND d.webhook_id NOT IN (SELECT w.webhook_id FROM deleted_webhook AS w WHERE w.company_id = $1)
  ORDER BY d.webhook_id, d.seq LIMIT ${BATCH}`;

/** A delivery that was replayed meanwhile is not the one in the file, and stays. */
const REMOVE = `
  DELETE FROM webhook_delivery AS d
  USING unnest($2::text[], $3::bigint[], $4::timestamptz[]) AS k (webhook_id, seq, finished_at)
  WHERE d.company_id = $1 AND d.webhook_id = k.webhook_id AND d.seq = k.seq
    AND d.finished_at = k.finished_at`;

interface Row {
  webhook_id: string;
  seq: number;
  finished_at: string;
}

/** The next finished deliveries of a company that are old enough. */
export function deliveries(
  { dataSource, companyId, limits: { before, stop } }: CompanyRun,
  part: number,
): PartSource {
  async function* pages(): AsyncGenerator<Row[]> {
    let after: [string, number] = ['', 0];
    for (let rows = 0; rows < PART_ROWS;) {
      stop.throwIfAborted();
      const page = await dataSource.query<Row[]>(PAGE, [companyId, ...after, before]);
      const last = page.at(-1);
      if (last === undefined) {
        return;
      }
      rows += page.length;
      after = [last.webhook_id, last.seq];
      yield page;
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
