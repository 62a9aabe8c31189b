import { FieldingKeys } from '../../src/fielding/participations/fielding-keys.service';
import { LiveCampaigns } from '../../src/fielding/participations/live-campaigns.service';
import { Client } from '../support/client';
import { recordStatements } from '../support/plans';
import { platformClient } from '../support/platforms';
import { serviceForAll } from '../support/service';
import { pagesOf } from '../support/pages';

/** Live campaigns. Of these, 4,000 are surveys: two pages for somebody who has begun everything. */
const LIVE = 4_500;

/** Numbers of campaigns that ann cannot begin, but for a few advertisements; 1 is the oldest. */
const CLOSED = { from: 1_000, to: 3_800 };

/** Campaigns of which three have the same time; one in nine is an advertisement. */
const CAMPAIGNS = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_rewards, is_live, video_url, has_feedback, updated_by, created_at)
  SELECT 'post_' || lpad(n::text, 26, '0'), ('01990000-0000-7000-8000-' || lpad((n % 50)::text, 12, '0'))::uuid, CASE WHEN n % 9 = 0 THEN 'advertisement' ELSE 'survey' END,
    CASE WHEN n % 9 > 0 THEN 'questionnaire' END, 'Campaign', 'A description', 'food', 'A tagline',
    100, '{3,40,60,80,100}', true, CASE WHEN n % 9 = 0 THEN 'https://example.com/spot.mp4' END,
    CASE WHEN n % 9 = 0 THEN false END, 'co_1',
    '2026-01-01T00:00:00Z'::timestamptz + n / 3 * interval '1 millisecond'
  FROM generate_series(1, ${LIVE}) AS n`;

/** The number of a campaign, and one of 0 to 9 that looks random. */
const NUMBER = 'substr(c.post_id, 6)::integer';
const MIXED = `abs(hashint4(${NUMBER})) % 10`;

const IS_CLOSED = `(${NUMBER} BETWEEN ${CLOSED.from} AND ${CLOSED.to} AND ${NUMBER} % 36 > 0)`;

/** The participations of a respondent in the campaigns of a condition. */
const participations = (condition: string) => `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, rewards,
    held, begun_at, expires_at)
  SELECT c.company_id, c.id, md5($2::text || c.id)::uuid, 'app', $1, '{3,40,60,80,100}', 100, now(),
    now() + interval '1 hour'
  FROM campaign AS c WHERE ${condition}`;

const BEGUN_BY_ANN = `${MIXED} < 2 OR (${IS_CLOSED} AND ${MIXED} < 5)`;

/**
 * Whether a campaign has limits: places that are taken or left, and money that is spent or left.
 */
const IS_LIMITED = `(${MIXED} BETWEEN 2 AND 3 OR (${IS_CLOSED} AND ${MIXED} >= 5) OR ${MIXED} = 9)`;

const COUNTERS = `
  INSERT INTO campaign_progress (company_id, campaign_id, max_responses, budget, taken, answered, spent)
  SELECT c.company_id, c.id, CASE WHEN ${IS_LIMITED} THEN 5 END, CASE WHEN ${IS_LIMITED} THEN 500 END,
    CASE WHEN ${MIXED} = 2 OR ${IS_CLOSED} THEN 5 ELSE 4 END, 3,
    CASE WHEN ${MIXED} = 3 THEN 450 ELSE 300 END
  FROM campaign AS c`;

/** What ann can begin. */
const EXPECTED = `
  SELECT post_id FROM campaign AS c
  WHERE ($1::text IS NULL OR type = $1) AND NOT EXISTS (
    SELECT 1 FROM participation AS p
    WHERE p.company_id = c.company_id AND p.campaign_id = c.id AND p.participation_id = md5('ann' || c.id)::uuid
  ) AND NOT EXISTS (
    SELECT 1 FROM campaign_progress AS g
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id AND g.max_responses = 5
      AND (g.taken = 5 OR g.spent = 450)
  )
  ORDER BY created_at DESC, id DESC`;

interface Listed {
  items: { post_id: string }[];
  next_cursor: string | null;
}

describe('a list for a respondent with many campaigns that cannot be begun', () => {
  const service = serviceForAll();
  let platform: Client;

  beforeAll(async () => {
    const { dataSource } = service;
    await dataSource.query(CAMPAIGNS);
    await dataSource.query(COUNTERS);
    for (const [name, condition] of [
      ['ann', BEGUN_BY_ANN],
      ['bob', 'true'],
    ] as const) {
      const respondent = service.app.get(FieldingKeys).hashRespondent('app', name);
      await dataSource.query(participations(condition), [respondent, name]);
    }
    await dataSource.query('ANALYZE campaign, participation, campaign_progress');
    platform = await platformClient(service);
  }, 120_000);

  /** Every page of the list. */
  const pages = (query: string, respondent = 'ann'): Promise<Listed[]> =>
    pagesOf(platform, `/svc/fielding/list?respondent_id=${respondent}${query}`);

  async function expected(type: string | null): Promise<string[]> {
    const rows = await service.dataSource.query<{ post_id: string }[]>(EXPECTED, [type]);
    return rows.map(({ post_id }) => post_id);
  }

  it.each([
    [null, 100],
    [null, 7],
    ['survey', 100],
    ['survey', 33],
    ['advertisement', 100],
    ['advertisement', 10],
  ])('has each campaign once, newest first, of type %s by %d', async (type, limit) => {
    const found = await pages(`&limit=${limit}${type === null ? '' : `&type=${type}`}`);
    const all = await expected(type);
    expect(all.length).toBeGreaterThan(100);
    expect(found.flatMap(({ items }) => items.map(({ post_id }) => post_id))).toEqual(all);
    expect(Math.max(...found.map(({ items }) => items.length))).toBe(limit);
  });

  it.each([
    ['', 2],
    ['&type=survey', 2],
    ['&type=advertisement', 1],
  ])('looks at 2,000 campaigns of each type for a page%s', async (query, count) => {
    const found = await pages(query, 'bob');
    expect(found.map(({ items }) => items.length)).toEqual(Array(count).fill(0));
  });

  it('reads the campaigns of each type once for requests at the same time', async () => {
    const statements = recordStatements(service.dataSource);
    (Reflect.get(service.app.get(LiveCampaigns), 'kept') as Map<string, unknown>).clear();
    const found = await Promise.all(
      ['carl', 'dora', 'emil'].map((name) =>
        platform.get(`/svc/fielding/list?respondent_id=${name}`),
      ),
    );
    expect(found.map(({ body }) => body.data.items.length)).toEqual([20, 20, 20]);
    const asked = (table: string) => statements.filter(({ sql }) => sql.includes(`FROM ${table}`));
    expect(asked('campaign AS c')).toHaveLength(2);
    expect(asked('participation\n  WHERE respondent')).toHaveLength(3);
  });
});
