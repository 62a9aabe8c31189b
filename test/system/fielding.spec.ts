import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { Client, registerCompany, TestCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import {
  begin,
  Begun,
  begun,
  expectNoDifferences,
  expectReconciled,
  expire,
  liveSurvey,
} from '../support/fielding';
import { figures } from '../support/figures';
import { Instances } from '../support/instances';
import { campaignStatus } from '../support/life';
import { platformClient } from '../support/platforms';
import { RespondentLoad } from '../support/respondents';

const isPostgres = postgresUrl !== undefined;

/** Places of the campaign with a cap, and how many respondents come at once. */
const CAP = Number(process.env.FIELDING_CAP ?? (isPostgres ? 500 : 100));
const LANES = Number(process.env.FIELDING_LANES ?? 64);
const BUDGET = Number(process.env.FIELDING_BUDGET ?? (isPostgres ? 10_000 : 3_000));

describe('respondents who all come at once', () => {
  const instances = new Instances();
  let company: TestCompany;
  let platforms: Client[];
  let dataSource: DataSource;

  beforeAll(async () => {
    const variables = await instances.database();
    const { client, sql } = await instances.start(variables);
    dataSource = sql;
    platforms = [await platformClient({ dataSource, client })];
    // The embedded database has one process.
    if (isPostgres) {
      platforms.push((await instances.start(variables)).client.with(platforms[0]!.headers));
    }
    company = await registerCompany(client);
  });

  afterAll(() => instances.drop());

  interface Totals {
    submitted: number;
    respondents: number;
    settled: string;
  }

  /** What the database has of a campaign. */
  async function totals(postId: string): Promise<Totals> {
    const [row] = await dataSource.query<[Totals]>(
      `SELECT count(*) FILTER (WHERE p.state = 'submitted')::integer AS submitted,
         count(DISTINCT p.respondent) FILTER (WHERE p.state = 'submitted')::integer AS respondents,
         (SELECT coalesce(sum(t.amount), 0) FROM transfer AS t
          WHERE t.company_id = c.company_id AND t.campaign_id = c.id AND t.kind = 'settle') AS settled
       FROM campaign AS c
       JOIN participation AS p ON p.company_id = c.company_id AND p.campaign_id = c.id
       WHERE c.post_id = $1 GROUP BY c.company_id, c.id`,
      [postId],
    );
    return row;
  }

  /**
   * Reconciles the ledger again and again while the load runs. Returns how often. The service may
   * have no connection for it (503), but never sees a difference.
   */
  async function reconcileDuring(load: Promise<void>): Promise<number> {
    const end = new AbortController();
    const watched = load.finally(() => {
      end.abort();
    });
    let count = 0;
    while (!end.signal.aborted) {
      const answer = await company.api.get('/svc/ledger/reconcile');
      if (answer.status !== 503) {
        expectNoDifferences(answer);
        count += 1;
      }
      await delay(50);
    }
    await watched;
    return count;
  }

  it(`get ${CAP} places, not one more, each request being sent five times`, async () => {
    const postId = await liveSurvey(company, { max_responses: CAP });
    const load = new RespondentLoad(platforms, { postId, lanes: LANES, copies: 5 });
    const started = performance.now();
    const reconciled = await reconcileDuring(load.run());
    expect(load.faults).toEqual([]);
    expect(load.paid).toHaveLength(CAP);
    expect(await totals(postId)).toEqual({
      submitted: CAP,
      respondents: CAP,
      settled: load.spent.toFixed(2),
    });
    expect(await campaignStatus(company.api, postId)).toMatchObject({
      is_live: false,
      status: 'completed',
      stop_reason: 'max_responses_reached',
    });
    await expectReconciled(company.api);
    figures('a cap', {
      places: CAP,
      'at once': LANES,
      reconciled,
      'responses/s': (CAP * 1_000) / (performance.now() - started),
    });
  });

  it(`are paid ${BUDGET} at most, and less than one reward is left`, async () => {
    const postId = await liveSurvey(company, { budget: BUDGET });
    const load = new RespondentLoad(platforms, { postId, lanes: LANES });
    const reconciled = await reconcileDuring(load.run());
    expect(load.faults).toEqual([]);
    const { spent } = load;
    expect(spent).toBeLessThanOrEqual(BUDGET);
    expect(spent).toBeGreaterThan(BUDGET - 100);
    expect((await totals(postId)).settled).toBe(spent.toFixed(2));
    expect(await campaignStatus(company.api, postId)).toMatchObject({
      stop_reason: 'budget_spent',
    });
    figures('a budget', { responses: load.paid.length, spent, reconciled });
  });

  it('take the places that others let expire', async () => {
    const places = 40;
    const postId = await liveSurvey(company, { max_responses: places });
    const sleepers: Begun[] = [];
    for (let respondent = 0; respondent < places; respondent += 1) {
      sleepers.push(await begun(platforms[0]!, postId, `sleeper ${respondent}`));
    }
    const load = new RespondentLoad(platforms, { postId, lanes: 16 });
    const running = load.run();
    const { body } = await begin(platforms[0]!, postId, 'one more');
    expect(body.error?.code).toBe('fully_held');
    expect(load.paid).toEqual([]);
    for (const { participation_id } of sleepers) {
      await expire(dataSource, participation_id);
    }
    await running;
    expect(load.faults).toEqual([]);
    expect(load.paid).toHaveLength(places);
    await expectReconciled(company.api);
  });
});
