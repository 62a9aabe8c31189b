import type { DataSource } from 'typeorm';
import { companyOf, printEnvironment, storedEnvironment } from '../caller/environment.rules';
import type { StoredId } from '../database/identifiers';

const CURRENCY = 'SELECT currency FROM company WHERE company_id = $1';

const unknown = (company: string) => new Error(`There is no company ${company}.`);

/**
 * Reads a company, `co_…`, or its test data, `test_…`.
 *
 * @throws Error if the text is no identifier of one
 */
export function readCompany(company: string): StoredId {
  const companyId = storedEnvironment(company);
  if (companyId === null) {
    throw unknown(company);
  }
  return companyId;
}

/**
 * Returns the currency of a company.
 *
 * @throws Error if there is no such company
 */
export async function currencyOf(
  dataSource: Pick<DataSource, 'query'>,
  companyId: StoredId,
): Promise<string> {
  const [row] = await dataSource.query<{ currency: string }[]>(CURRENCY, [companyOf(companyId)]);
  if (row === undefined) {
    throw unknown(printEnvironment(companyId));
  }
  return row.currency;
}
