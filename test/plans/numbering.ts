import type { DataSource } from 'typeorm';
import { openDatabase } from '../../src/platform/database/open-database';
import { createTestDatabase } from '../support/databases';
import { testEnv } from '../support/env';

const COMPANY = '01990000-0000-7000-8000-000000000001';
const OTHER = '01990000-0000-7000-8000-000000000002';

/** Events of a company from one number to another, which nobody has numbered. */
const INSERT = `
  INSERT INTO unnumbered_event (company_id, subject, version, type, actor, changes, created_at)
  SELECT $1, lpad((n % 100)::text, 32, '0')::uuid, n, 'campaign.updated', 'key_x', '{}', now()
  FROM generate_series($2::integer, $3::integer) AS n`;

const NUMBER = 'SELECT numbered, reached FROM number_events($1, $2)';

/** How many events of a company arrive at once, and how many of them get their numbers. */
const EVENTS = 100_000;
const BATCH = 1_000;

describe('the numbering of events', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(testEnv(database.variables), []);
  });

  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('reads what it numbers, although the statistics know one event of a company', async () => {
    const companies = [COMPANY, OTHER];
    for (const company of companies) {
      await dataSource.query(INSERT, [company, 0, 0]);
    }
    await dataSource.query('VACUUM (ANALYZE) unnumbered_event');
    for (const company of companies) {
      await dataSource.query(NUMBER, [company, BATCH]);
    }
    await dataSource.query('VACUUM (ANALYZE) event');
    await dataSource.query(INSERT, [COMPANY, 1, EVENTS]);
    // A plan that compares each event with each of the batch exceeds the time limit of a statement.
    expect(await dataSource.query(NUMBER, [COMPANY, BATCH])).toEqual([
      { numbered: BATCH, reached: String(BATCH + 1) },
    ]);
  });
});
