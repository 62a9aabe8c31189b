import { FieldingKeys } from '../src/fielding/fielding-keys.service';
import { unlessOnCitus } from './support/citus-exceptions';
import { Client } from './support/client';
import { postgresUrl } from './support/databases';
import { figures } from './support/figures';
import { explain, Plan, Statement } from './support/plans';
import { platformClient } from './support/platforms';
import { startService, TestService } from './support/service';

const onPostgres = postgresUrl === undefined ? describe.skip : unlessOnCitus('listPlans').describe;

/** Live campaigns of all companies, and how many of the newest the respondent has done. */
const LIVE = 10_000;
const DONE = 500;

/** Other respondents, each of whom has done every campaign. */
const OTHERS = 5;

/**
 * Maximum number of buffers of a page. The statement looks at each campaign that the respondent has
 * done, which are the newest.
 */
const BUFFERS_MAXIMUM = 3_000;

const CAMPAIGNS = `
  INSERT INTO campaign (post_id, company_id, type, format, title, description, category, tagline,
    reward_amount, cohort_1_reward, cohort_2_reward, cohort_3_reward, cohort_4_reward,
    cohort_5_reward, is_live, video_url, has_feedback, updated_by, created_at)
  SELECT 'post_' || n, 'co_' || n % 50, CASE WHEN n % 10 = 0 THEN 'advertisement' ELSE 'survey' END,
    CASE WHEN n % 10 > 0 THEN 'questionnaire' END, 'Campaign ' || n,
    repeat('A description. ', 10), 'food', 'A tagline', 100, 3, 40, 60, 80, 100, n <= ${LIVE},
    CASE WHEN n % 10 = 0 THEN 'https://example.com/spot.mp4' END,
    CASE WHEN n % 10 = 0 THEN false END, 'co_1',
    '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'
  FROM generate_series(1, ${2 * LIVE}) AS n`;

/** A respondent's participations in the campaigns from one number on. */
const PARTICIPATIONS = `
  INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent, rewards,
    held, begun_at, expires_at)
  SELECT company_id, id, 'part_' || $3::text || id, 'app', $1, '{3,40,60,80,100}', 100, now(),
    now() + interval '1 hour'
  FROM campaign WHERE is_live AND created_at > '2026-01-01T00:00:00Z'::timestamptz
    + $2::integer * interval '1 minute'`;

onPostgres(
  'the list for respondents (PostgreSQL only: filling the embedded one takes long)',
  () => {
    let service: TestService;
    let platform: Client;
    const statements: Statement[] = [];

    beforeAll(async () => {
      service = await startService();
      const { dataSource } = service;
      await dataSource.query('ALTER TABLE campaign DISABLE TRIGGER campaign_created');
      await dataSource.query(CAMPAIGNS);
      const respondent = service.app.get(FieldingKeys).hashRespondent('app', 'ann');
      await dataSource.query(PARTICIPATIONS, [respondent, LIVE - DONE, 'ann']);
      for (let other = 1; other <= OTHERS; other += 1) {
        await dataSource.query(PARTICIPATIONS, [Buffer.from([other]), 0, String(other)]);
      }
      await dataSource.query('ANALYZE campaign, participation, campaign_progress');
      platform = await platformClient(service);
      Object.assign(dataSource.logger, {
        logQuery: (sql: string, parameters: unknown[] = []) => statements.push({ sql, parameters }),
      });
    }, 120_000);

    afterAll(() => service.close());

    async function plan(query: string, kind: 'custom' | 'generic'): Promise<Plan> {
      statements.length = 0;
      const path = `/svc/fielding/list?respondent_id=ann&limit=20${query}`;
      const { status, body } = await platform.get(path);
      expect([status, body.data.items.length]).toEqual([200, 20]);
      const asked = statements.find(({ sql }) => sql.includes('FROM campaign AS c'));
      return explain(service.dataSource, asked!, kind);
    }

    it.each([
      ['', 'custom'],
      ['', 'generic'],
      ['&type=survey', 'custom'],
      ['&type=advertisement', 'custom'],
    ] as const)(`reads %j from the index of live campaigns with a %s plan`, async (query, kind) => {
      const { scans, buffers, text } = await plan(query, kind);
      expect(text).toContain('campaign_fielding');
      expect(scans).not.toContain('Seq Scan on campaign');
      expect(scans.filter((scan) => scan.startsWith('participation_'))).not.toEqual([]);
      expect(buffers).toBeLessThan(BUFFERS_MAXIMUM);
      figures(`list for a respondent${query} (${kind})`, { live: LIVE, done: DONE, buffers });
    });
  },
);
