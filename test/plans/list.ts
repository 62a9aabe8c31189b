import { CampaignClockService } from '../../src/campaigns/life/campaign-clock.service';
import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { madeUp, takeApart } from '../support/cursors';
import { stopClock } from '../support/life';
import { explain, Plan, recordStatements, Statement } from '../support/plans';
import { serviceForAll, unhurried } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/*
 * Checks the plans of the statements behind lists and reads, among few and among many campaigns.
 * SHOW_PLANS=1 prints the plans that docs/list-plans.md shows.
 */

/**
 * Maximum number of buffers that a statement may touch for 20 items, however many campaigns there
 * are.
 */
const BUFFERS_MAXIMUM = 300;

const FEW = 1_000;
/** The figures of docs/list-plans.md are those of 200,000 campaigns. */
const MANY = process.env.SHOW_PLANS === '1' ? 200_000 : 60_000;

const PORTION = 5_000;

/** Number of campaigns of another company, all of the category `food`. */
const OTHERS = 20_000;

/** Number of versions of one campaign's questions. */
const VERSIONS = 1_000;

/** Campaigns of a company. Three of them, the oldest, are `rare`, `food` and image surveys. */
const INSERT = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_rewards, is_live, max_responses, video_url, has_feedback, image_survey, updated_by, created_at)
  SELECT 'post_0' || right($5, 17) || lpad(n::text, 8, '0'), $1,
    CASE WHEN n % 3 = 0 THEN 'advertisement' ELSE 'survey' END,
    CASE WHEN n % 3 = 0 THEN NULL WHEN n IN (1, 2, 4) THEN 'binary' ELSE 'questionnaire' END,
    'Campaign ' || n, repeat('A description. ', 10),
    CASE WHEN $4 OR n IN (3, 5, 7) THEN 'food' WHEN n IN (6, 8, 10) THEN 'rare'
      ELSE 'topic ' || n % 20 END,
    'A tagline', 100, '{3,40,60,80,100}', n % 2 = 0, CASE WHEN n % 4 = 0 THEN 10 END,
    CASE WHEN n % 3 = 0 THEN 'https://example.com/spot.mp4' END,
    CASE WHEN n % 3 = 0 THEN false END,
    CASE WHEN n IN (1, 2, 4) THEN '{"question": "Which?", "images": [{}, {}]}'::jsonb END, 'key_x',
    '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
  FROM generate_series($2::integer, $3::integer) AS n`;

/** The post_id of a company's campaign by its number. */
const postIdOf = ({ companyId }: TestCompany, n: number) =>
  `post_0${companyId.slice(-17)}${String(n).padStart(8, '0')}`;

const INSERT_COUNTERS = `
  INSERT INTO campaign_progress (company_id, campaign_id, max_responses, taken)
  SELECT company_id, id, max_responses, id % 10 FROM campaign WHERE max_responses IS NOT NULL
  ON CONFLICT DO NOTHING`;

/** Read for the campaigns of the page that are live and have limits. */
const COUNTERS = ['campaign_pkey', 'campaign_progress_pkey'];

const INSERT_QUESTIONS = `
  INSERT INTO question_set
    (company_id, question_id, campaign_id, version, questions, total_questions)
  SELECT company_id, 'qset_' || id || '_' || number, id, number, questions, 1
  FROM (VALUES ('[{"type":"text","question":"Why?"}]'::jsonb)) AS one (questions) CROSS JOIN campaign CROSS JOIN generate_series(1, CASE WHEN post_id = $1 THEN ${VERSIONS} ELSE 1 END)
    AS number
  WHERE id % 10 = 0 OR post_id = $1
  ON CONFLICT DO NOTHING`;

describe('the query planner', () => {
  const service = serviceForAll();
  let company: TestCompany;
  let other: TestCompany;
  let postId: string;
  let statements: Statement[];

  beforeAll(async () => {
    stopClock(service.app);
    // Recording the history of the inserted rows would take longer than everything else.
    await service.dataSource.query('ALTER TABLE campaign DISABLE TRIGGER campaign_created');
    company = await registerCompany(service.client);
    postId = postIdOf(company, 500);
    other = await registerCompany(service.client);
    await insert(other.companyId, 1, OTHERS, true);
    await grow(1, FEW);
    // Records the service's own statements, without the comparison of the books beside them.
    statements = recordStatements(service.dataSource, (sql) => !/\btransfer\b/.test(sql));
  }, 300_000);

  /** Inserts in portions, each well within the service's statement timeout. */
  async function insert(companyId: string, from: number, to: number, food: boolean) {
    for (let first = from; first <= to; first += PORTION) {
      const last = Math.min(to, first + PORTION - 1);
      await service.dataSource.query(INSERT, [
        storedEnvironment(companyId),
        first,
        last,
        food,
        companyId,
      ]);
    }
  }

  async function grow(from: number, to: number): Promise<void> {
    await insert(company.companyId, from, to, false);
    await service.dataSource.query(INSERT_COUNTERS);
    await service.dataSource.query(INSERT_QUESTIONS, [postId]);
    await service.dataSource.query(
      `UPDATE campaign SET question_set_version = ${VERSIONS} WHERE post_id = $1`,
      [postId],
    );
    await service.dataSource.query('ANALYZE campaign, question_set, campaign_progress');
  }

  /** The plans of the statements that a request runs on campaigns and questions. */
  async function plansOf(path: string, plan: 'custom' | 'generic'): Promise<Plan[]> {
    await company.api.get(path);
    statements.length = 0;
    const { status } = await company.api.get(path);
    expect(status).toBe(200);
    const asked = statements.filter(({ sql }) => /FROM "?(campaign|question_set)\b/.test(sql));
    const plans: Plan[] = [];
    for (const statement of asked) {
      plans.push(await explain(service.dataSource, statement, plan));
    }
    return plans;
  }

  const requests: [path: string, scans: string[]][] = [
    ['list', ['campaign_list']],
    ['list?type=advertisement', ['campaign_list']],
    ['list?format=binary', ['campaign_list']],
    ['list?format=round_robin', ['campaign_list']],
    ['list?archived=true', ['campaign_list']],
    ['list?archived=true&category=food', ['campaign_list_by_category']],
    // What the clock has changed since it was stored is in an index of its own, which is empty
    // but for a moment.
    ['list?is_live=true', ['campaign_list', 'campaign_due']],
    ['list?is_live=false', ['campaign_list', 'campaign_due']],
    ...['live', 'draft', 'scheduled', 'paused', 'completed'].map((status): [string, string[]] => [
      `list?status=${status}`,
      ['campaign_list', 'campaign_due'],
    ]),
    ['list?status=archived', ['campaign_list']],
    ['list?status=paused&category=topic%203', ['campaign_list_by_category', 'campaign_due']],
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
      ['campaign_list_by_category', 'campaign_due'],
    ],
    [
      '{post_id}/launch-check',
      ['campaign_post_id_unique', 'question_set_pkey', 'question_set_pkey'],
    ],
    ['{post_id}', ['campaign_post_id_unique', 'question_set_pkey']],
    ['{post_id}/questions', ['campaign_post_id_unique', 'question_set_pkey']],
    [
      '{post_id}/questions/history',
      ['campaign_post_id_unique', 'question_set_pkey', 'question_set_pkey'],
    ],
  ];

  async function expectGoodPlan(path: string, scans: string[]): Promise<void> {
    for (const plan of ['custom', 'generic'] as const) {
      await expectGood(plan, path, scans);
    }
  }

  async function expectGood(
    plan: 'custom' | 'generic',
    path: string,
    scans: string[],
  ): Promise<void> {
    const plans = await plansOf(`/svc/campaign/${path.replace('{post_id}', postId)}`, plan);
    const buffers = plans.reduce((sum, plan) => sum + plan.buffers, 0);
    const found = plans.flatMap((plan) => plan.scans).filter((scan) => !COUNTERS.includes(scan));
    expect(found).toEqual(scans);
    expect(buffers).toBeGreaterThan(0);
    expect(buffers).toBeLessThan(BUFFERS_MAXIMUM);
  }

  describe(`with ${FEW} campaigns`, () => {
    it.each(requests)('reads %s from its index', expectGoodPlan);
  });

  describe(`with ${MANY} campaigns`, () => {
    beforeAll(() => grow(FEW + 1, MANY), 300_000);

    it.each(requests)('reads %s from its index at the same cost', expectGoodPlan);

    it('looks for what is due in its index, however many campaigns wait for their time', async () => {
      await unhurried(service, async (dataSource) => {
        await dataSource.query(
          `UPDATE campaign SET starts_at = now() + interval '1 day', due_at = now() + interval '1 day'
             WHERE company_id = $1 AND id % 20 = 0`,
          [storedEnvironment(company.companyId)],
        );
        await dataSource.query('VACUUM ANALYZE campaign');
      });
      jest.restoreAllMocks();
      statements.length = 0;
      await service.app.get(CampaignClockService).look();
      const look = statements.find(({ sql }) => sql.includes('due_at'));
      for (const plan of ['custom', 'generic'] as const) {
        const found = await explain(service.dataSource, look!, plan);
        expect(found.scans).toEqual(['campaign_due']);
        expect(found.buffers).toBeLessThan(10);
      }
      stopClock(service.app);
    });

    it("finds another company's campaign by indexes, among 20,000 companies", async () => {
      await service.dataSource.query(
        `INSERT INTO company (company_id, name, email, password_hash)
           SELECT gen_random_uuid(), 'A', n || '@example.com', '-'
           FROM generate_series(1, 20000) AS n`,
      );
      await service.dataSource.query('ANALYZE company');
      const { post_id } = await createSurvey(other.api);
      statements.length = 0;
      expect((await company.api.get(`/svc/campaign/${post_id}`)).status).toBe(403);
      const candidates = statements.find(({ sql }) => /FROM company\b/.test(sql));
      const owned = statements.find(({ sql }) => sql.includes('AS "campaignId"'));
      for (const plan of ['custom', 'generic'] as const) {
        const found = [
          await explain(service.dataSource, candidates!, plan),
          await explain(service.dataSource, owned!, plan),
        ];
        expect(found.map(({ scans }) => scans)).toEqual([
          ['company_end'],
          ['campaign_post_id_unique'],
        ]);
        expect(Math.max(...found.map(({ buffers }) => buffers))).toBeLessThan(50);
      }
    });

    it('reads a page in the middle of the list at the cost of the first one', async () => {
      const middle = await company.api.get(`/svc/campaign/${postIdOf(company, MANY / 2)}`);
      const { id, created_at } = middle.body.data;
      const { body } = await company.api.get('/svc/campaign/list?limit=1');
      const { list } = takeApart(body.data.next_cursor);
      const after = [String(Date.parse(created_at)), String(id)];
      const path = `list?cursor=${madeUp({ after, list })}`;
      await expectGoodPlan(path, ['campaign_list']);
    });
  });
});
