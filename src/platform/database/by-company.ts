import type { StoredId } from './identifiers';

/** Groups rows by company, as a statement names one company. The order of the rows stays. */
export function byCompany<Row extends { company_id: StoredId }>(
  rows: readonly Row[],
): Map<StoredId, Row[]> {
  const companies = new Map<StoredId, Row[]>();
  for (const row of rows) {
    const known = companies.get(row.company_id);
    if (known === undefined) {
      companies.set(row.company_id, [row]);
    } else {
      known.push(row);
    }
  }
  return companies;
}
