import { QueryRunner } from 'typeorm';
import { FieldingKeys } from '../../src/fielding/participations/fielding-keys.service';
import { LiveCampaigns } from '../../src/fielding/participations/live-campaigns.service';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { figures } from '../support/figures';
import { eventually } from '../support/eventually';
import { explain, Plan, recordStatements, Statement } from '../support/plans';
import { platformClient } from '../support/platforms';
import { serviceForAll, startService, TestService, unhurried } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { pagesOf } from '../support/pages';

/** A platform's list in front of many campaigns. */
interface Situation {
  /** Live campaigns of all companies. There are as many others. */
  live: number;
  /** How many of the newest each respondent has done. */
  done: Record<string, number>;
  /**
   * Of ten campaigns: how many have limits, and how many of these have no place or no money left.
   */
  limited: number;
  closed: number;
}

const USUAL: Situation = { live: 10_000, done: { ann: 500 }, limited: 6, closed: 2 };

const NOTHING_LEFT: Situation = {
  live: 20_000,
  done: { ann: 0, bob: 20_000 },
  limited: 10,
  closed: 10,
};

/** How many others have done each campaign, each of whom has done no more. */
const OTHERS = 5;

/** How often a plan is measured. The least time is reported; only buffers are asserted. */
const RUNS = 3;

/** Maximum buffers of a page that looks at what the respondent has done, which are the newest. */
const USUAL_MAXIMUM = 5_000;

/** Maximum buffers of a page that looks at 2,000 campaigns of each type and finds nothing. */
const NOTHING_LEFT_MAXIMUM = 20_000;

const campaigns = (live: number) => `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_rewards, is_live, video_url, has_feedback, updated_by, created_at)
  SELECT 'post_' || lpad(n::text, 26, '0'), ('01990000-0000-7000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid, CASE WHEN n % 10 = 0 THEN 'advertisement' ELSE 'survey' END,
    CASE WHEN n % 10 > 0 THEN 'questionnaire' END, 'Campaign ' || n,
    repeat('A description. ', 10), 'food', 'A tagline', 100, '{3,40,60,80,100}', n <= ${live},
    CASE WHEN n % 10 = 0 THEN 'https://example.com/spot.mp4' END,
    CASE WHEN n % 10 = 0 THEN false END, 'co_1',
    '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
  FROM generate_series(1, ${2 * live}) AS n`;

/** A question set of each campaign. */
const QUESTION_SETS = `
  INSERT INTO question_set (company_id, campaign_id, version, question_id, questions, total_questions)
  SELECT company_id, id, 1, 'qset_' || lpad(id::text, 26, '0'), '[{"type": "text"}]', 1
  FROM campaign`;

/**
 * Counters of all campaigns, with limits for some. Of the closed ones, half are full, half are
 * spent.
 */
const counters = ({ limited, closed }: Situation) => `
  INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget, taken, answered, spent)
  SELECT company_id, id, CASE WHEN place < ${limited} THEN 1000 END,
    CASE WHEN place < ${limited} THEN 50000 END,
    CASE WHEN place < ${closed} AND place % 2 = 0 THEN 1000 ELSE id % 1000 END, 0,
    CASE WHEN place < ${closed} AND place % 2 = 1 THEN 49950 ELSE 30000 END
  FROM (SELECT *, abs(hashint8(id)) % 10 AS place FROM campaign) AS c`;

const INSERT_PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, rewards,
    held, begun_at, expires_at)`;

const OTHER_PARTICIPATIONS = `${INSERT_PARTICIPATIONS}
  SELECT company_id, id, md5(id || '_' || n)::uuid, 'app', sha256((id || '_' || n)::bytea),
    '{3,40,60,80,100}', 100, now(), now() + interval '1 hour'
  FROM campaign, generate_series(1, ${OTHERS}) AS n WHERE is_live`;

/** A respondent's participations in a number of the newest campaigns. */
const PARTICIPATIONS = `${INSERT_PARTICIPATIONS}
  SELECT company_id, id, md5($2::text || id)::uuid, 'app', $1, '{3,40,60,80,100}', 100, now(),
    now() + interval '1 hour'
  FROM campaign WHERE is_live ORDER BY created_at DESC LIMIT $3`;

/** Maximum buffers of a page of what a respondent has begun, and of the sums over 5,000 of it. */
const RESPONDENT_MAXIMUM = 500;
const EARNINGS_MAXIMUM = 22_000;

interface PlannedPage extends Listed {
  /** The plan of each statement that reads campaigns, or what the respondent has begun of them. */
  plans: Plan[];
  /** How many of them read campaigns. */
  reads: number;
  buffers: number;
  milliseconds: number;
}

interface Listed {
  items: { post_id: string }[];
  next_cursor: string | null;
}

describe('the list for respondents', () => {
  let service: TestService;
  let platform: Client;
  let statements: Statement[];

  async function fill(situation: Situation): Promise<void> {
    service = await startService();
    const { dataSource } = service;
    await unhurried(service, async (session) => {
      await session.query('ALTER TABLE campaign DISABLE TRIGGER campaign_created');
      await session.query(campaigns(situation.live));
      await session.query(QUESTION_SETS);
      await session.query(counters(situation));
      await session.query(OTHER_PARTICIPATIONS);
      await session.query('ANALYZE campaign, question_set, participation, campaign_progress');
      // The statistics do not know them, as in a table of millions: most respondents have done
      // little.
      for (const [name, done] of Object.entries(situation.done)) {
        const respondent = service.app.get(FieldingKeys).hashRespondent('app', name);
        await session.query(PARTICIPATIONS, [respondent, name, done]);
      }
    });
    platform = await platformClient(service);
    statements = recordStatements(dataSource);
  }

  /**
   * Asks for a page and measures its statements, each at its best of several runs. Unless told
   * otherwise, the service has read no campaigns for an earlier page.
   */
  async function page(
    query: string,
    kind: 'custom' | 'generic',
    respondent = 'ann',
    { anew = true } = {},
  ): Promise<PlannedPage> {
    if (anew) {
      (Reflect.get(service.app.get(LiveCampaigns), 'kept') as Map<string, unknown>).clear();
    }
    statements.length = 0;
    const path = `/svc/fielding/list?respondent_id=${respondent}&limit=20${query}`;
    const { data } = await platform.get(path);
    const read = asked('FROM campaign AS c');
    const plans: Plan[] = [];
    for (const statement of [...read, ...asked('AND campaign_id = ANY')]) {
      const runs: Plan[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        runs.push(await explain(service.dataSource, statement, kind));
      }
      plans.push(runs.toSorted((a, b) => a.milliseconds - b.milliseconds)[0]!);
    }
    for (const [index, { scans }] of plans.entries()) {
      const indexes =
        index < read.length
          ? ['campaign_fielding', 'campaign_progress_pkey']
          : ['participation_respondent'];
      // Only campaigns with rules have counts of cells, a pace, or screen-outs to read.
      const ofRules = ['cell_counts_pkey', 'begin_pace_pkey'];
      const others = scans.filter((scan) => !ofRules.includes(scan));
      expect([...new Set(others)].toSorted()).toEqual(indexes);
    }
    const sum = (of: 'buffers' | 'milliseconds') =>
      plans.reduce((total, plan) => total + plan[of], 0);
    return {
      ...data,
      plans,
      reads: read.length,
      buffers: sum('buffers'),
      milliseconds: sum('milliseconds'),
    };
  }

  const asked = (text: string) => statements.filter(({ sql }) => sql.includes(text));

  /** Asks for a page of what bob has begun, and explains its statements. */
  async function respondentPage(
    query: string,
    kind: 'custom' | 'generic',
  ): Promise<{ cursor: string; plans: Plan[] }> {
    statements.length = 0;
    const path = `/svc/fielding/respondent?respondent_id=bob${query}`;
    const { status, body } = await platform.get(path);
    expect([status, body.data.items.length]).toEqual([200, 20]);
    const plans: Plan[] = [];
    for (const statement of asked('participation.respondent = $1')) {
      plans.push(await explain(service.dataSource, statement, kind));
    }
    return { cursor: body.data.next_cursor, plans };
  }

  const QUERIES = [
    ['', 'custom'],
    ['', 'generic'],
    ['&type=survey', 'custom'],
    ['&type=survey', 'generic'],
    ['&type=advertisement', 'custom'],
  ] as const;

  function report(subject: string, { buffers, milliseconds, plans }: PlannedPage): void {
    const microseconds = milliseconds * 1_000;
    figures(`list for a respondent, ${subject}`, {
      statements: plans.length,
      buffers,
      microseconds,
    });
  }

  describe('who has done 500 of 10,000 campaigns, of which a fifth has nothing left', () => {
    beforeAll(() => fill(USUAL), 120_000);

    afterAll(() => service.close());

    it.each(QUERIES)('reads a page%s from the index with a %s plan', async (query, kind) => {
      const found = await page(query, kind);
      report(`usual${query} (${kind})`, found);
      expect(found.items).toHaveLength(20);
      expect(found.buffers).toBeLessThan(USUAL_MAXIMUM);
    });

    it('reads only what the respondent has begun for a page further on', async () => {
      // What the first page has read holds for 900 ms, and a busy machine may take longer.
      await eventually(async () => {
        const { next_cursor, reads } = await page('', 'custom');
        expect(reads).toBeGreaterThan(0);
        const found = await page(`&cursor=${next_cursor}`, 'custom', 'ann', { anew: false });
        report('the second page', found);
        expect(found.items).toHaveLength(20);
        expect([found.reads, found.plans.length]).toEqual([0, 1]);
        expect(found.buffers).toBeLessThan(100);
      });
    });
  });

  describe('for whom 20,000 campaigns have nothing left', () => {
    beforeAll(() => fill(NOTHING_LEFT), 120_000);

    afterAll(() => service.close());

    it.each(QUERIES)('reads a bounded part of the index%s with a %s plan', async (query, kind) => {
      for (const [respondent, situation] of [
        ['ann', 'nothing left'],
        ['bob', 'everything done'],
      ] as const) {
        const found = await page(query, kind, respondent);
        report(`${situation}${query} (${kind})`, found);
        expect(found.items).toEqual([]);
        expect(found.buffers).toBeLessThan(NOTHING_LEFT_MAXIMUM);
      }
    });

    it.each(['custom', 'generic'] as const)(
      'reads a bounded part of what a respondent has begun with a %s plan',
      async (kind) => {
        const first = await respondentPage('', kind);
        const second = await respondentPage(`&cursor=${first.cursor}`, kind);
        expect([first.plans.length, second.plans.length]).toEqual([2, 1]);
        const [page, earnings] = first.plans;
        for (const { scans, buffers } of [page!, second.plans[0]!]) {
          expect(scans).toContain('participation_respondent');
          expect(scans).not.toContain('Seq Scan');
          expect(buffers).toBeLessThan(RESPONDENT_MAXIMUM);
        }
        expect(earnings!.scans.toSorted()).toEqual(['campaign_pkey', 'participation_respondent']);
        expect(earnings!.buffers).toBeLessThan(EARNINGS_MAXIMUM);
        figures(`participations of a respondent (${kind})`, {
          page: page!.buffers,
          earnings: earnings!.buffers,
          microseconds: earnings!.milliseconds * 1_000,
        });
      },
    );

    it('finds a participation by its index', async () => {
      const [{ participation_id }] = await service.dataSource.query(
        "SELECT printed_id('part', participation_id) AS participation_id FROM participation LIMIT 1",
      );
      statements.length = 0;
      await platform.get(`/svc/fielding/participation/${participation_id}`);
      const [statement] = asked('participation.participation_id = $1');
      for (const kind of ['custom', 'generic'] as const) {
        const { scans, buffers } = await explain(service.dataSource, statement!, kind);
        expect(scans).toContain('participation_by_id');
        expect(buffers).toBeLessThan(20);
      }
    });
  });
});

const RESPONSES = 12_000;

/** The most buffers of a page that looks at 5,000 responses, which lie side by side. */
const FILTERED_MAXIMUM = 1_000;

/**
 * Responses of a campaign to the company ($1) and the campaign ($2), the oldest of them in cohort
 * 1 and with a rare answer.
 */
const FILTERED_PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, rewards,
    held, state, begun_at, expires_at, closed_at, attention_score, cohort, reward, answers)
  SELECT $1, $2::bigint, lpad(n::text, 32, '0')::uuid, 'app', sha256(n::text::bytea),
    '{3,40,60,80,100}', 100, 'submitted', now() - interval '1 hour', now(),
    now() - n * interval '1 second',
    CASE WHEN n = ${RESPONSES} THEN 0 ELSE 9 END, CASE WHEN n = ${RESPONSES} THEN 1 ELSE 5 END,
    CASE WHEN n = ${RESPONSES} THEN 3 ELSE 100 END,
    jsonb_build_array(jsonb_build_object('question', 1, 'value',
      CASE WHEN n = ${RESPONSES} THEN 'rare' ELSE 'common' END))
  FROM generate_series(1, ${RESPONSES}) AS n`;

/** Participations ($3) in a campaign ($2) of a company ($1), all of one time. */
const OPEN_PARTICIPATIONS = `${INSERT_PARTICIPATIONS}
  SELECT $1, $2::bigint, lpad($2 || '0' || n, 32, '0')::uuid, 'app',
    sha256(($2::text || '_' || n)::bytea), '{3,40,60,80,100}', 100, now(), now() + interval '1 hour'
  FROM generate_series(1, $3::integer) AS n`;

/** What a company ($1) holds for them, one after the other. */
const HOLDS = `
  INSERT INTO transfer (company_id, campaign_id, participation_id, kind, amount, created_at)
  SELECT company_id, campaign_id, participation_id, 'hold', held,
    now() + campaign_id * interval '1 day' + row_number() OVER () * interval '1 millisecond'
  FROM participation WHERE company_id = $1`;

describe('the list of responses', () => {
  const service = serviceForAll();
  let session: QueryRunner;

  beforeEach(() => {
    session = service.dataSource.createQueryRunner();
  });

  afterEach(() => session.release());

  beforeAll(async () => {
    // Analysed, such small tables are read from their beginning to their end.
    await service.dataSource.query('ALTER TABLE participation SET (autovacuum_enabled = false)');
  });

  it('reads the transfers of a campaign or a company from their index, among many others', async () => {
    const { dataSource } = service;
    const lists: [TestCompany, string, string][] = [];
    for (const counts of [[20], [20, RESPONSES]]) {
      const company = await registerCompany(service.client);
      const companyId = storedEnvironment(company.companyId);
      for (const count of counts) {
        const { id, post_id } = await createSurvey(company.api);
        lists.push([company, `post_id=${post_id}&`, 'transfer_of_campaign']);
        await dataSource.query(
          'INSERT INTO campaign_progress (company_id, campaign_id) VALUES ($1, $2)',
          [companyId, id],
        );
        await dataSource.query(OPEN_PARTICIPATIONS, [companyId, id, count]);
      }
      await dataSource.query(HOLDS, [companyId]);
      lists.push([company, '', 'transfer_list']);
    }
    await dataSource.query('ANALYZE transfer');
    const statements = recordStatements(dataSource);
    for (const [{ api }, filter, index] of lists) {
      statements.length = 0;
      const { body } = await api.get(`/svc/ledger/list?${filter}limit=20`);
      expect(body.data.items).toHaveLength(20);
      const statement = statements.find(({ sql }) => sql.includes('FROM transfer'))!;
      for (const kind of ['custom', 'generic'] as const) {
        const { buffers, scans } = await explain(dataSource, statement, kind);
        figures(`transfers by ${index} (${kind})`, { buffers });
        expect(scans).toContain(index);
        expect(buffers).toBeLessThan(100);
      }
    }
  });

  it.each(['cohort=1', 'attention_score_max=0', 'question=1&answer=rare'])(
    'looks at a bounded number of responses per page, and finds what matches %s',
    async (filter) => {
      const { api, companyId } = await registerCompany(service.client);
      const { id, post_id } = await createSurvey(api);
      const { dataSource } = service;
      const statements = recordStatements(dataSource);
      const asked = () => statements.filter(({ sql }) => sql.includes('FROM participation AS p'));
      // A session that planned when the indexes were smaller counts on their old height.
      await pagesOf(api, `/svc/campaign/${post_id}/responses?${filter}&limit=2`);
      await explain(session.manager, asked()[0]!, 'generic');
      await dataSource.query(
        'INSERT INTO campaign_progress (company_id, campaign_id) VALUES ($1, $2)',
        [storedEnvironment(companyId), id],
      );
      await dataSource.query(FILTERED_PARTICIPATIONS, [storedEnvironment(companyId), id]);
      statements.length = 0;
      const pages = await pagesOf(api, `/svc/campaign/${post_id}/responses?${filter}&limit=2`);
      expect(pages.map(({ items }) => items.length)).toEqual([0, 0, 1]);
      expect(asked()).toHaveLength(3);
      for (const statement of asked()) {
        for (const kind of ['custom', 'generic'] as const) {
          const { buffers, scans, milliseconds } = await explain(session.manager, statement, kind);
          figures(`list of responses, ${filter} (${kind})`, { buffers, milliseconds });
          expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
          expect(scans).toContain('participation_responses');
          expect(buffers).toBeLessThan(FILTERED_MAXIMUM);
        }
      }
    },
  );
});
