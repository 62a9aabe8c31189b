import type { PartSource } from './company-archive';
import { BATCH, CompanyRun, PART_ROWS } from './limits';
import type { Part } from './manifest.rules';

/** Finished deliveries of a company ($1) after an endpoint and a number, read by their key. */
const PAGE = `
  SELECT webhook_id, seq::float8 AS seq, state AS status, failures, attempts, created_at, finished_at
  FROM webhook_delivery
  WHERE company_id = $1 AND (webhook_id, seq) > ($2, $3::bigint) AND finished_at < $4
  ORDER BY webhook_id, seq LIMIT ${BATCH}`;

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
