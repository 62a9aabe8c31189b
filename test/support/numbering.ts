import type { DataSource } from 'typeorm';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { eventually } from './eventually';

/** Waits until every event, or every one of a company, has its number. */
export const untilNumbered = (database: Pick<DataSource, 'query'>, companyId?: string) =>
  eventually(async () => {
    const unnumbered = await database.query(
      'SELECT FROM unnumbered_event WHERE $1::uuid IS NULL OR company_id = $1',
      [companyId === undefined ? null : storedEnvironment(companyId)],
    );
    expect(unnumbered).toEqual([]);
  });
