import type { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import type { Balance } from './balance.types';

/** One statement reads one snapshot, so the parts add up whatever happens meanwhile. */
const READ = `
  SELECT b.is_prepaid, b.available, b.funded, b.postpaid, b.is_low, s.allotted, s.held, s.paid
  FROM balance AS b
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(g.allotment - g.held - g.spent), 0) AS allotted,
      coalesce(sum(g.held), 0) AS held, coalesce(sum(g.spent), 0) AS paid
    FROM campaign_progress AS g WHERE g.company_id = $1 AND g.allotment IS NOT NULL
  ) AS s
  WHERE b.company_id = $1`;

const NONE: Readonly<Balance> = {
  is_prepaid: false,
  available: '0.00',
  allotted: '0.00',
  held: '0.00',
  paid: '0.00',
  funded: '0.00',
  postpaid: '0.00',
  is_low: false,
};

/** Returns the balance of an environment; one of nothing if it never had any. */
export async function readBalance(
  database: Pick<DataSource, 'query'>,
  companyId: StoredId,
): Promise<Balance> {
  const [row] = await database.query<Balance[]>(READ, [companyId]);
  return row ?? NONE;
}
