/** Groups rows by company, as a statement names one company. The order of the rows stays. */
export function byCompany<Row extends { company_id: string }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  const companies = new Map<string, Row[]>();
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
