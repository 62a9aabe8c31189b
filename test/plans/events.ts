import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { feedPage } from '../support/feed';
import { explain, Plan, recordStatements, Statement } from '../support/plans';
import { serviceForAll } from '../support/service';
import { storedId } from '../../src/platform/database/identifiers';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/*
 * Checks the plans of the statements behind the event feed, among many events. SHOW_PLANS=1 prints
 * them.
 */

/** Number of numbered events of the company, and of another one. */
const EVENTS = 100_000;

/** The campaign of which a thousandth of the events are. */
const CAMPAIGN = `post_${'7'.padStart(26, '0')}`;

const INSERT = `
  INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
  SELECT $1, lpad((n % 1000)::text, 32, '0')::uuid, n, CASE WHEN n % 1000 = 0 THEN 'campaign.started'
    ELSE 'campaign.updated' END, n, 'key_x', '{"title": {"old": "a", "new": "b"}}', now()
  FROM generate_series($2::integer, $3::integer) AS n`;

const INSERT_UNNUMBERED = `
  INSERT INTO unnumbered_event (company_id, subject, version, type, actor, changes, created_at)
  SELECT $1, lpad(n::text, 32, '0')::uuid, 1, 'campaign.updated', 'key_x', '{}', now()
  FROM generate_series(1, $2::integer) AS n`;

/** Further changes of a campaign, after as many numbered events. */
const INSERT_CHANGES = `
  INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
  SELECT $1, $2, n, 'campaign.updated', $3::integer + n, 'key_x',
    jsonb_build_object('title', jsonb_build_object('old', 'a', 'new', repeat('b', 1000))), now()
  FROM generate_series(2, 2000) AS n`;

describe('the query planner on events', () => {
  const service = serviceForAll();
  let company: TestCompany;
  let statements: Statement[];

  beforeAll(async () => {
    company = await registerCompany(service.client);
    const other = await registerCompany(service.client);
    for (const { companyId, api } of [company, other]) {
      await feedPage(api, { wait_seconds: 5 });
      for (let first = 2; first <= EVENTS; first += 10_000) {
        const last = Math.min(EVENTS, first + 9_999);
        await service.dataSource.query(INSERT, [storedEnvironment(companyId), first, last]);
      }
      await service.dataSource.query(
        'UPDATE event_sequence SET last_seq = $2 WHERE company_id = $1',
        [storedEnvironment(companyId), EVENTS],
      );
    }
    await service.dataSource.query('VACUUM ANALYZE event');
    statements = recordStatements(service.dataSource);
  }, 120_000);

  function planOf(like: RegExp, plan: 'custom' | 'generic'): Promise<Plan> {
    const statement = statements.find(({ sql }) => like.test(sql))!;
    return explain(service.dataSource, statement, plan);
  }

  it.each<[Record<string, unknown>, items: number, buffers: number]>([
    [{ after: 50_000 }, 100, 100],
    [{ after: 0, limit: 1_000 }, 1_000, 200],
    [{ after: EVENTS - 10 }, 10, 20],
    [{ after: 50_000, types: 'campaign.started' }, 5, 500],
    [{ after: 50_000, subject: CAMPAIGN }, 5, 500],
    [{ after: 50_000, post_id: CAMPAIGN }, 5, 500],
  ])('reads a page of %j in one scan of its index', async (query, items, buffers) => {
    for (const plan of ['custom', 'generic'] as const) {
      statements.length = 0;
      expect((await feedPage(company.api, query)).items).toHaveLength(items);
      const found = await planOf(/FROM event\n\s+WHERE company_id/, plan);
      // A campaign with few events is read from its own, whatever the stretch of numbers.
      const isOfFew = 'subject' in query && plan === 'custom';
      // The first row says where the log begins.
      expect(found.scans).toEqual(['event_sequence_pkey', isOfFew ? 'event_pkey' : 'event_feed']);
      expect(found.buffers).toBeGreaterThan(0);
      expect(found.buffers).toBeLessThan(buffers);
    }
  });

  it('looks at no more events than a page without filters has', async () => {
    statements.length = 0;
    await feedPage(company.api, { after: 50_000, limit: 7 });
    const page = statements.find(({ sql }) => /FROM event\n\s+WHERE company_id/.test(sql));
    expect(page?.parameters.slice(1, 3)).toEqual([50_000, 50_007]);
  });

  it('finds events without a number in their index', async () => {
    statements.length = 0;
    await eventually(() => {
      expect(statements).toContainEqual(
        expect.objectContaining({ sql: expect.stringContaining('FROM unnumbered_event') }),
      );
    });
    const look = statements.find(({ sql }) => sql.includes('FROM unnumbered_event'))!;
    const session = service.dataSource.createQueryRunner();
    await session.startTransaction();
    try {
      await session.query(INSERT_UNNUMBERED, [storedEnvironment(company.companyId), EVENTS]);
      const { scans, buffers } = await explain(session.manager, look, 'generic');
      expect(scans).toEqual(['unnumbered_event_time']);
      expect(buffers).toBeLessThan(1_000);
    } finally {
      await session.rollbackTransaction();
      await session.release();
    }
  });

  it('reads a page of a history without the changes before it', async () => {
    const { post_id } = await createSurvey(company.api);
    const inserted = [storedEnvironment(company.companyId), storedId('post', post_id), EVENTS];
    await service.dataSource.query(INSERT_CHANGES, inserted);
    for (const plan of ['custom', 'generic'] as const) {
      statements.length = 0;
      const { status } = await company.api.get(`/svc/campaign/${post_id}/history?limit=1`);
      expect(status).toBe(200);
      const { scans, buffers } = await planOf(/FROM unnumbered_event WHERE company_id = /, plan);
      expect(scans.toSorted()).toEqual(['event_pkey', 'unnumbered_event_pkey']);
      expect(buffers).toBeLessThan(20);
    }
  });
});
