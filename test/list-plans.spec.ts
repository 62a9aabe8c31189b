import { escapeLiteral } from 'pg';
import { postgresUrl } from './support/databases';
import { registerCompany, TestCompany } from './support/client';
import { madeUp, takeApart } from './support/cursors';
import { startService, TestService } from './support/service';

/*
 * Reads what the endpoints ask of the database, and how PostgreSQL answers it, among few and among
 * many campaigns. With SHOW_PLANS=1 the plans are printed, as docs/list-plans.md has them.
 */

const onPostgres = postgresUrl === undefined ? describe.skip : describe;

/** Buffers a statement may touch for 20 items, however many campaigns there are. */
const BUFFERS_MAXIMUM = 300;

const FEW = 1_000;
const MANY = 200_000;

const PORTION = 20_000;

/** Campaigns of another company, all of the category `food`. */
const OTHERS = 20_000;

/** Versions of one campaign's questions. */
const VERSIONS = 200;

/** Campaigns of a company; `rare`, `food` and image surveys are three of them, the oldest. */
const INSERT = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_1_reward, cohort_2_reward, cohort_3_reward, cohort_4_reward,
    cohort_5_reward, is_live, video_url, has_feedback, image_survey, updated_by, created_at)
  SELECT 'post_' || $1 || n, $1,
    CASE WHEN n % 3 = 0 THEN 'advertisement' ELSE 'survey' END,
    CASE WHEN n % 3 = 0 THEN NULL WHEN n IN (1, 2, 4) THEN 'binary' ELSE 'questionnaire' END,
    'Campaign ' || n, repeat('A description. ', 10),
    CASE WHEN $4 OR n IN (3, 5, 7) THEN 'food' WHEN n IN (6, 8, 10) THEN 'rare'
      ELSE 'topic ' || n % 20 END,
    'A tagline', 100, 3, 40, 60, 80, 100, n % 2 = 0,
    CASE WHEN n % 3 = 0 THEN 'https://example.com/spot.mp4' END,
    CASE WHEN n % 3 = 0 THEN false END,
    CASE WHEN n IN (1, 2, 4) THEN '{"question": "Which?", "images": [{}, {}]}'::jsonb END, $1,
    '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
  FROM generate_series($2::integer, $3::integer) AS n`;

const INSERT_QUESTIONS = `
  INSERT INTO question_set (question_id, campaign_id, version, questions, total_questions)
  SELECT 'qset_' || id || '_' || number, id, number, '[{"type":"text","question":"Why?"}]', 1
  FROM campaign CROSS JOIN generate_series(1, CASE WHEN post_id = $1 THEN ${VERSIONS} ELSE 1 END)
    AS number
  WHERE id % 10 = 0 OR post_id = $1
  ON CONFLICT DO NOTHING`;

const SCANS = /Index (?:Only )?Scan (?:Backward )?using (\w+)|Bitmap Index Scan on (\w+)|Seq Scan/g;

interface Plan {
  text: string;
  /** Every access to a table: the index, or what else it was. */
  scans: string[];
  buffers: number;
}

/** A parameter as it would stand in the statement itself. */
function toLiteral(value: unknown): string {
  const text = Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join()}}`
    : value instanceof Date
      ? value.toISOString()
      : String(value);
  return escapeLiteral(text);
}

onPostgres(
  'what lists and reads cost (PostgreSQL only: the embedded database would be filled too slowly)',
  () => {
    let service: TestService;
    let company: TestCompany;
    let postId: string;
    const statements: { sql: string; parameters: unknown[] }[] = [];

    beforeAll(async () => {
      service = await startService();
      // The audit trail of what is filled in would take longer than everything else.
      await service.dataSource.query('ALTER TABLE campaign DISABLE TRIGGER campaign_created');
      company = await registerCompany(service.client);
      postId = `post_${company.companyId}500`;
      const other = await registerCompany(service.client);
      await insert(other.companyId, 1, OTHERS, true);
      await grow(1, FEW);
      // The statements are the service's own.
      Object.assign(service.dataSource.logger, {
        logQuery: (sql: string, parameters: unknown[] = []) => statements.push({ sql, parameters }),
      });
    }, 60_000);

    afterAll(() => service.close());

    /** In portions that the service's own statement timeout lets through. */
    async function insert(companyId: string, from: number, to: number, food: boolean) {
      for (let first = from; first <= to; first += PORTION) {
        const last = Math.min(to, first + PORTION - 1);
        await service.dataSource.query(INSERT, [companyId, first, last, food]);
      }
    }

    async function grow(from: number, to: number): Promise<void> {
      await insert(company.companyId, from, to, false);
      await service.dataSource.query(INSERT_QUESTIONS, [postId]);
      await service.dataSource.query(
        `UPDATE campaign SET question_set_version = ${VERSIONS} WHERE post_id = $1`,
        [postId],
      );
      await service.dataSource.query('ANALYZE campaign, question_set');
    }

    /** Prepared, as the service has it: planned for its parameters or, in the long run, for any. */
    async function explain(
      { sql, parameters }: (typeof statements)[number],
      plan: 'custom' | 'generic',
    ): Promise<Plan> {
      const lines = await service.dataSource.transaction(async (session) => {
        await session.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
        await session.query(`PREPARE explained AS ${sql}`);
        const found = await session.query<{ 'QUERY PLAN': string }[]>(
          `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF)
           EXECUTE explained (${parameters.map(toLiteral).join(', ')})`,
        );
        await session.query('DEALLOCATE explained');
        return found;
      });
      const text = lines.map((line) => line['QUERY PLAN']).join('\n');
      const [, hit = '0', read = '0'] =
        /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(text) ?? [];
      return {
        text,
        scans: [...text.matchAll(SCANS)].map(([scan, index, bitmap]) => index ?? bitmap ?? scan),
        buffers: Number(hit) + Number(read),
      };
    }

    /** How what a request asks of the campaigns and questions is answered. */
    async function plansOf(path: string, plan: 'custom' | 'generic'): Promise<Plan[]> {
      await company.api.get(path);
      statements.length = 0;
      const { status } = await company.api.get(path);
      expect(status).toBe(200);
      const asked = statements.filter(({ sql }) => /FROM "?(campaign|question_set)\b/.test(sql));
      const plans: Plan[] = [];
      for (const statement of asked) {
        plans.push(await explain(statement, plan));
      }
      return plans;
    }

    const requests: [path: string, scans: string[]][] = [
      ['list', ['campaign_list']],
      ['list?type=advertisement', ['campaign_list']],
      ['list?format=binary', ['campaign_list']],
      ['list?format=round_robin', ['campaign_list']],
      ['list?is_live=true', ['campaign_list']],
      ['list?created_after=2026-01-01T12:00:00Z', ['campaign_list']],
      ['list?created_before=2026-01-01T12:00:00Z', ['campaign_list']],
      ['list?created_after=2027-01-01T00:00:00Z', ['campaign_list']],
      ['list?category=topic%203', ['campaign_list_by_category']],
      ['list?category=food', ['campaign_list_by_category']],
      ['list?category=rare', ['campaign_list_by_category']],
      ['list?category=nothing', ['campaign_list_by_category']],
      [
        'list?type=survey&format=questionnaire&is_live=false&category=topic%203' +
          '&created_after=2026-01-01T01:00:00Z&created_before=2026-01-01T15:00:00Z',
        ['campaign_list_by_category'],
      ],
      ['{post_id}', ['campaign_post_id_unique', 'question_set_version_unique']],
      ['{post_id}/questions', ['campaign_post_id_unique', 'question_set_version_unique']],
      ['{post_id}/questions/history', ['campaign_post_id_unique', 'question_set_version_unique']],
    ];

    async function expectGoodPlan(campaigns: number, path: string, scans: string[]): Promise<void> {
      for (const plan of ['custom', 'generic'] as const) {
        await expectGood(plan, campaigns, path, scans);
      }
    }

    async function expectGood(
      plan: 'custom' | 'generic',
      campaigns: number,
      path: string,
      scans: string[],
    ): Promise<void> {
      const plans = await plansOf(`/svc/campaign/${path.replace('{post_id}', postId)}`, plan);
      const buffers = plans.reduce((sum, plan) => sum + plan.buffers, 0);
      if (process.env.SHOW_PLANS === '1') {
        process.stdout.write(
          `\n## ${path}: ${campaigns} campaigns, ${plan} plan, ${buffers} buffers\n` +
            `${plans.map(({ text }) => text).join('\n\n')}\n`,
        );
      }
      expect(plans.flatMap((plan) => plan.scans)).toEqual(scans);
      expect(buffers).toBeGreaterThan(0);
      expect(buffers).toBeLessThan(BUFFERS_MAXIMUM);
    }

    describe(`with ${FEW} campaigns`, () => {
      it.each(requests)('%s is read from its index', (path, scans) =>
        expectGoodPlan(FEW, path, scans),
      );
    });

    describe(`with ${MANY} campaigns`, () => {
      beforeAll(() => grow(FEW + 1, MANY), 60_000);

      it.each(requests)('%s is read from its index, for as little', (path, scans) =>
        expectGoodPlan(MANY, path, scans),
      );

      it('a page in the middle of the list costs what the first one does', async () => {
        const middle = await company.api.get(`/svc/campaign/post_${company.companyId}100000`);
        const { id, created_at } = middle.body.data;
        const { body } = await company.api.get('/svc/campaign/list?limit=1');
        const { list } = takeApart(body.data.next_cursor);
        const after = [String(Date.parse(created_at)), String(id)];
        const path = `list?cursor=${madeUp({ after, list })}`;
        await expectGoodPlan(MANY, path, ['campaign_list']);
      });
    });
  },
);
