import type { DataSource } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../database/identifiers';

/** Companies that one statement lists. */
const COMPANIES = 500;

const LIST = `
  SELECT company_id FROM event_sequence WHERE company_id > $1
  ORDER BY company_id LIMIT ${COMPANIES}`;

/** Returns every company whose log has numbers, and the test data of companies, one by one. */
export async function* loggedCompanies(
  dataSource: Pick<DataSource, 'query'>,
): AsyncGenerator<StoredId> {
  for (let last: StoredId | undefined = FIRST_STORED_ID; last !== undefined;) {
    const found: { company_id: StoredId }[] = await dataSource.query(LIST, [last]);
    const ids = found.map(({ company_id }) => company_id);
    yield* ids;
    last = ids.at(-1);
  }
}
