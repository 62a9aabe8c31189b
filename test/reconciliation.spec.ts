import { SchedulerRegistry } from '@nestjs/schedule';
import { RECONCILE_COMMAND } from '../src/insight/ledger/reconcile.commands';
import { createSurvey } from './support/builders';
import { citusUrl } from './support/citus';
import { registerCompany, TestCompany } from './support/client';
import { begun, expectReconciled, liveSurvey, submit } from './support/fielding';
import { generateKey } from './support/keys';
import { explain, recordStatements, Statement } from './support/plans';
import { serviceForAll, unhurried } from './support/service';
import { tamper } from './support/tampering';
import { storedEnvironment } from '../src/platform/caller/environment.rules';

/** Participations that one page compares, and those of a campaign that takes three pages. */
const PAGE = 10_000;
const LARGE = 25_000;

/** Buffers for each participation: its own row, and its transfers through their index. */
const BUFFERS = 8;

/**
 * Of four respondents, one is answering, and one was paid, has abandoned or was reversed each.
 * Their numbers follow those of the company's other participations.
 */
const PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
    rewards, held, begun_at, expires_at, state, closed_at, attention_score, cohort, reward,
    reversed_at, reversal_reason)
  SELECT $1, $2, stored_id('part_' || lpad((before + n)::text, 26, '0')), 'app', sha256((random() || '')::bytea),
    '{3,40,60,80,100}', 100, now(), now() + interval '1 hour',
    (ARRAY['open', 'submitted', 'abandoned', 'reversed'])[n % 4 + 1],
    CASE WHEN n % 4 > 0 THEN now() END, CASE WHEN n % 2 = 1 THEN 5 END,
    CASE WHEN n % 2 = 1 THEN 3 END, CASE WHEN n % 2 = 1 THEN 60 END,
    CASE WHEN n % 4 = 3 THEN now() END, CASE WHEN n % 4 = 3 THEN 'fraud' END
  FROM generate_series(1, $3::integer) AS n
  CROSS JOIN (SELECT count(*) AS before FROM participation WHERE company_id = $1) AS others`;

const TRANSFERS = `
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount, released)
  SELECT p.company_id, p.campaign_id, p.participation_id, t.kind, t.amount,
    CASE t.kind WHEN 'settle' THEN p.held - p.reward ELSE 0 END
  FROM participation AS p CROSS JOIN LATERAL (VALUES
    ('hold', p.held, true),
    ('settle', p.reward, p.reward IS NOT NULL),
    ('release', p.held, p.state = 'abandoned'),
    ('reverse', p.reward, p.state = 'reversed')
  ) AS t (kind, amount, applies)
  WHERE p.company_id = $1 AND p.campaign_id = $2 AND t.applies`;

const COUNTERS = `
  INSERT INTO campaign_progress (company_id, campaign_id, taken, answered, reversed, abandoned,
    held, spent)
  SELECT $1, $2, count(*) FILTER (WHERE n % 4 <> 2), count(*) FILTER (WHERE n % 2 = 1),
    count(*) FILTER (WHERE n % 4 = 3), count(*) FILTER (WHERE n % 4 = 2),
    100 * count(*) FILTER (WHERE n % 4 = 0), 60 * count(*) FILTER (WHERE n % 4 = 1)
  FROM generate_series(1, $3::integer) AS n`;

interface Page {
  checked: number;
  differences: { post_id: string; participation_id: string | null; field: string }[];
  next_cursor: string | null;
}

describe('reconciling a large ledger', () => {
  const service = serviceForAll();
  let company: TestCompany;
  let statements: Statement[];

  beforeAll(async () => {
    // Nothing in the background may compare the books too, or analyse the tables.
    const registry = service.app.get(SchedulerRegistry);
    for (const name of registry.getIntervals()) {
      registry.deleteInterval(name);
    }
    for (const name of registry.getTimeouts()) {
      registry.deleteTimeout(name);
    }
    for (const table of ['participation', 'transfer', 'campaign_progress', 'campaign']) {
      await service.dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    statements = recordStatements(service.dataSource);
  });

  beforeEach(async () => {
    company = await registerCompany(service.client);
  });

  /** Creates a campaign with this many participations. */
  async function campaignOf(participations: number): Promise<{ id: number; post_id: string }> {
    const { id, post_id } = await createSurvey(company.api);
    await fill(id, participations);
    return { id, post_id };
  }

  /** Without triggers and foreign keys this takes a third of the time. */
  function fill(id: number, participations: number): Promise<void> {
    const environment = storedEnvironment(company.companyId);
    return unhurried(service, (dataSource) =>
      tamper(dataSource, async (session) => {
        await session.query(COUNTERS, [environment, id, participations]);
        await session.query(PARTICIPATIONS, [environment, id, participations]);
        await session.query(TRANSFERS, [environment, id]);
      }),
    );
  }

  async function page(cursor: string | null = null): Promise<Page> {
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    return (await company.api.get(`/svc/ledger/reconcile${query}`)).data as Page;
  }

  async function allPages(): Promise<Page[]> {
    const pages = [await page()];
    while (pages.at(-1)!.next_cursor !== null) {
      pages.push(await page(pages.at(-1)!.next_cursor));
    }
    return pages;
  }

  /** What `npm run reconcile` does. */
  const command = (...args: string[]) => {
    const { dataSource } = service;
    const stop = new AbortController().signal;
    return RECONCILE_COMMAND.read(args, '.')({ dataSource, stop });
  };

  it('compares a campaign by participation, on as many pages as it takes', async () => {
    await campaignOf(3);
    await campaignOf(LARGE);
    await campaignOf(0);
    await campaignOf(PAGE - (LARGE % PAGE) - 3);
    await campaignOf(5);
    const pages = await allPages();
    expect(pages.map(({ checked }) => checked)).toEqual([PAGE, PAGE, PAGE, 5]);
    expect(await command(company.companyId)).toBe(
      `Compared ${3 * PAGE + 5} participations of ${company.companyId}: the books balance.\n`,
    );
    expect(pages.flatMap(({ differences }) => differences)).toEqual([]);
  });

  it('finds no difference while respondents come and go between its pages', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    company = { ...company, api, companyId: company.companyId.replace('co_', 'test_') };
    const post_id = await liveSurvey({ api });
    const { data } = (await api.get(`/svc/campaign/${post_id}`)).body;
    await fill(data.id, LARGE);
    const first = await page();
    await submit(api, { post_id, participation_id: `part_${'4'.padStart(26, '0')}` }, 7);
    await begun(api, post_id, 'ann');
    const second = await page(first.next_cursor);
    await begun(api, post_id, 'bob');
    const third = await page(second.next_cursor);
    expect([first, second, third].flatMap(({ differences }) => differences)).toEqual([]);
    expect(third).toMatchObject({ checked: LARGE + 2 - 2 * PAGE, next_cursor: null });
    await expectReconciled(api);
  });

  it('compares the sums of a campaign with a carried balance, at the end of its pages', async () => {
    const { id, post_id } = await campaignOf(LARGE);
    await campaignOf(5);
    const key = [storedEnvironment(company.companyId), id];
    const change = (statement: string) =>
      tamper(service.dataSource, (session) => session.query(statement, key));
    // The second page ends beyond it.
    await change(`
      WITH removed AS (
        DELETE FROM transfer WHERE company_id = $1 AND campaign_id = $2
          AND participation_id <= stored_id('part_${'15000'.padStart(26, '0')}')
        RETURNING *
      )
      INSERT INTO carried_balance
      SELECT company_id, campaign_id, kind, count(*), sum(amount), sum(released), now(), now()
      FROM removed GROUP BY company_id, campaign_id, kind`);
    const found = async () =>
      (await allPages()).map(({ differences }) =>
        differences.map((each) => [each.post_id, each.participation_id, each.field]),
      );
    expect(await found()).toEqual([[], [], []]);
    await change(`UPDATE carried_balance SET released = released + 0.01
      WHERE company_id = $1 AND campaign_id = $2 AND kind = 'settle'`);
    await change(`DELETE FROM transfer WHERE company_id = $1 AND campaign_id = $2 AND kind = 'hold'
      AND participation_id = stored_id('part_${'24000'.padStart(26, '0')}')`);
    expect(await found()).toEqual([
      [],
      [],
      [
        [post_id, null, 'hold'],
        [post_id, null, 'release'],
      ],
    ]);
  });

  it('compares up to 1,000 campaigns on a page', async () => {
    await createSurvey(company.api);
    await service.dataSource.query(
      `INSERT INTO campaign (post_id, company_id, type, format, title, description, category,
         tagline, reward_amount, cohort_rewards, updated_by, max_responses)
       SELECT 'post_' || lpad(n::text, 26, '0'), company_id, type, format, title, description, category, tagline,
         reward_amount, cohort_rewards, updated_by, 5
       FROM campaign, generate_series(1, 1001) AS n WHERE company_id = $1`,
      [storedEnvironment(company.companyId)],
    );
    const { differences, next_cursor } = await page();
    expect(differences).toEqual([]);
    expect(next_cursor).not.toBeNull();
    await tamper(service.dataSource, (session) =>
      session.query(`UPDATE campaign_progress SET budget = 7 WHERE company_id = $1`, [
        storedEnvironment(company.companyId),
      ]),
    );
    const last = await page(next_cursor);
    expect(last).toMatchObject({ differences: [{ field: 'budget' }], next_cursor: null });
  });

  describe('of a campaign of several pages', () => {
    let owner: TestCompany;
    let large: { id: number; post_id: string };
    let small: typeof large;

    beforeAll(async () => {
      owner = await registerCompany(service.client);
      company = owner;
      large = await campaignOf(LARGE);
      small = await campaignOf(10);
    });

    beforeEach(() => {
      company = owner;
    });

    (citusUrl === undefined ? describe : describe.skip)(
      'has a plan that does not depend on statistics',
      () => {
        it.each(['before', 'after'])('%s the tables are analysed', async (moment) => {
          if (moment === 'after') {
            await service.dataSource.query('ANALYZE');
          }
          statements.length = 0;
          await allPages();
          const sent = statements.filter(({ sql }) => sql.includes('FROM participation AS o'));
          expect(sent).toHaveLength(4);
          for (const statement of sent) {
            for (const kind of ['custom', 'generic'] as const) {
              const { scans, buffers, text } = await explain(service.dataSource, statement, kind);
              // The tables of carried balances and of quotas are empty.
              expect([
                text,
                text.match(/Seq Scan on (?!carried_balance|quota_cell|cell_counts)\w+/g),
              ]).toEqual([text, null]);
              expect(scans).toContain('participation_pkey');
              expect(buffers).toBeLessThan(BUFFERS * (sent.at(-1) === statement ? LARGE : PAGE));
            }
          }
        });

        it('with statistics that do not know the company', async () => {
          await service.dataSource.query('ANALYZE');
          company = await registerCompany(service.client);
          await campaignOf(PAGE);
          statements.length = 0;
          await allPages();
          const [sent] = statements.filter(({ sql }) => sql.includes('FROM participation AS o'));
          const { buffers } = await explain(service.dataSource, sent!, 'custom');
          expect(buffers).toBeLessThan(BUFFERS * PAGE);
        });
      },
    );

    it('adds up one campaign at a time', async () => {
      const cursors = [];
      for (let { next_cursor } = await page(); next_cursor !== null;) {
        cursors.push(next_cursor);
        ({ next_cursor } = await page(next_cursor));
      }
      statements.length = 0;
      const last = cursors.at(-1)!;
      expect(await Promise.all([page(last), page(last)])).toHaveLength(2);
      const transactions = statements
        .map(({ sql }) => sql)
        .filter((sql) => /^(START TRANSACTION|COMMIT)/.test(sql));
      expect(transactions).toEqual(Array(2).fill(['START TRANSACTION', 'COMMIT']).flat());
    });

    // The last one, because it changes the books.
    it('names every difference, once', async () => {
      const { id, post_id } = large;
      const participation = (n: number) => `part_${String(n).padStart(26, '0')}`;
      await tamper(service.dataSource, async (session) => {
        const key = [storedEnvironment(company.companyId), id];
        await session.query(
          `UPDATE transfer SET amount = 61
           WHERE company_id = $1 AND campaign_id = $2 AND kind = 'settle' AND participation_id = stored_id($3)`,
          [...key, participation(13_001)],
        );
        await session.query(
          `DELETE FROM transfer WHERE company_id = $1 AND campaign_id = $2 AND participation_id = stored_id($3)`,
          [...key, participation(PAGE)],
        );
        await session.query(
          `UPDATE campaign_progress SET taken = taken + 1, spent = spent + 0.01
           WHERE company_id = $1 AND campaign_id = $2`,
          key,
        );
        await session.query(
          `UPDATE campaign_progress SET answered = answered - 1 WHERE company_id = $1 AND campaign_id = $2`,
          [storedEnvironment(company.companyId), small.id],
        );
      });
      await expect(command(company.companyId)).rejects.toThrow(
        new RegExp(
          `^Compared ${LARGE + 10} participations of ${company.companyId}: 5 differences.\n` +
            `${post_id} ${participation(PAGE)}: hold is 0\\.?0*, expected \\d+`,
        ),
      );
      const found = (await allPages()).map(({ differences }) =>
        differences.map((each) => [each.post_id, each.participation_id, each.field]),
      );
      expect(found).toEqual([
        [[post_id, participation(PAGE), 'hold']],
        [[post_id, participation(13_001), 'settle']],
        expect.arrayContaining([
          [post_id, null, 'places_taken'],
          [post_id, null, 'money_spent'],
          [small.post_id, null, 'responses'],
        ]),
      ]);
      expect(found.flat()).toHaveLength(5);
    });
  });
});
