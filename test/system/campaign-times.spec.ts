import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../src/platform/database/open-database';
import { entities } from '../../src/app.module';
import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { onPostgres } from '../support/engines';
import { testEnv } from '../support/env';
import { eventually } from '../support/eventually';
import { allEvents, FeedEvent } from '../support/feed';
import { age, inHours, CampaignStatus, campaignStatus } from '../support/life';
import { build, RunningService, runService } from '../support/process';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/*
 * Starts and ends by the clock, in whole processes.
 */

/** Milliseconds within which a start or an end is stored. */
const LIMIT = 1_500;

const MINUTES = 60_000;

/** Campaigns that start at one moment. */
const CROWD = 1_000;

const inSeconds = (seconds: number) => inHours(seconds / 3_600);

beforeAll(build);

describe('starts and ends', () => {
  let database: TestDatabase;
  let running: RunningService[];

  beforeEach(async () => {
    database = await createTestDatabase();
    running = [];
  });

  afterEach(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await database.drop();
  });

  /** Starts an instance whose clock is off by some milliseconds. */
  async function start(offset = 0): Promise<RunningService> {
    const service = await runService({
      ...database.variables,
      NODE_OPTIONS: `--import ${join(__dirname, '../support/shifted-clock.mjs')}`,
      CLOCK_OFFSET: String(offset),
      CLOCK_STEP: String(offset),
    });
    running.push(service);
    return service;
  }

  /** Runs statements; on the embedded database no instance may run. */
  async function withSql<T>(work: (sql: DataSource) => Promise<T>): Promise<T> {
    const sql = await openDatabase(testEnv(database.variables), entities);
    try {
      return await work(sql);
    } finally {
      await sql.destroy();
    }
  }

  const ofCampaign = (events: readonly FeedEvent[], postId: string) =>
    events.filter(({ subject }) => subject === postId);

  function expectOnce(events: readonly FeedEvent[], types: string[]): void {
    expect(events.map(({ type }) => type)).toEqual(['campaign.created', ...types]);
    for (const { actor } of events.slice(1)) {
      expect(actor).toEqual({ type: 'service', id: 'service' });
    }
  }

  const moment = (at: string) => Date.parse(at);

  onPostgres('with several instances (PostgreSQL only)', () => {
    it('happen once, at their time, with clocks five minutes ahead and behind', async () => {
      const offsets = [0, 0, 5 * MINUTES, -5 * MINUTES];
      const instances = await Promise.all(offsets.map((offset) => start(offset)));
      const company = await registerCompany(instances[0]!.client);
      const times = { starts_at: inSeconds(2), ends_at: inSeconds(4) };
      const { post_id } = await createSurvey(company.api, times);
      const clients = instances.map(({ client }) => client.with(company.api.headers));
      const seen = new Map<string, number>();
      while (Date.now() < moment(times.ends_at) + LIMIT) {
        for (const client of clients) {
          const before = Date.now();
          const found: CampaignStatus = await campaignStatus(client, post_id);
          const after = Date.now();
          expect(found.is_live).toBe(found.status === 'live');
          const allowed = [
            ...(before <= moment(times.starts_at) ? ['scheduled'] : []),
            ...(after >= moment(times.starts_at) && before <= moment(times.ends_at)
              ? ['live']
              : []),
            ...(after >= moment(times.ends_at) ? ['completed'] : []),
          ];
          expect(allowed).toContain(found.status);
          seen.set(found.status, (seen.get(found.status) ?? 0) + 1);
        }
        await delay(5);
      }
      expect([...seen.keys()]).toEqual(['scheduled', 'live', 'completed']);
      const events = ofCampaign(await allEvents(company.api, 4), post_id);
      expectOnce(events, ['campaign.started', 'campaign.completed']);
      for (const [index, time] of [times.starts_at, times.ends_at].entries()) {
        const late = moment(events[index + 1]!.created_at) - moment(time);
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThan(LIMIT);
      }
    });
  });

  it('that came while the service was stopped happen once when it starts again', async () => {
    let service = await start();
    const company = await registerCompany(service.client);
    const { api } = company;
    const started = await createSurvey(api, { starts_at: inHours(0.5) });
    const ended = await createSurvey(api, { ends_at: inHours(0.5) });
    await api.patch('/svc/campaign/toggle-live', { post_id: ended.post_id, is_live: true });
    const both = await createSurvey(api, { starts_at: inHours(0.2), ends_at: inHours(0.7) });
    const later = await createSurvey(api, { starts_at: inHours(2) });
    await service.stop();
    const all = [started, ended, both, later];
    await withSql(async (sql) => {
      for (const { post_id } of all) {
        await age(sql, post_id, 1);
      }
    });
    for (let restart = 0; restart < 2; restart += 1) {
      service = await start();
      const client = service.client.with(api.headers);
      // Reads are right from the first one on.
      const found = await Promise.all(all.map(({ post_id }) => campaignStatus(client, post_id)));
      expect(found.map(({ status }) => status)).toEqual([
        'live',
        'completed',
        'completed',
        'scheduled',
      ]);
      // What starts later is the barrier: a second event about the others would come before it.
      const { post_id: barrier } = await createSurvey(client, { starts_at: inSeconds(2) });
      await eventually(async () => {
        expect(ofCampaign(await allEvents(client, 10), barrier)).toHaveLength(2);
      });
      const events = await allEvents(client, 10);
      expect(
        events.filter(({ subject }) => all.some(({ post_id }) => post_id === subject)),
      ).toHaveLength(9);
      expectOnce(ofCampaign(events, started.post_id), ['campaign.started']);
      expect(ofCampaign(events, ended.post_id).map(({ type }) => type)).toEqual([
        'campaign.created',
        'campaign.started',
        'campaign.completed',
      ]);
      expectOnce(ofCampaign(events, both.post_id), ['campaign.started', 'campaign.completed']);
      expectOnce(ofCampaign(events, later.post_id), []);
      await service.stop();
    }
  });

  it(`of ${CROWD} campaigns happen once each, across a kill in the middle`, async () => {
    let service = await start();
    const companies: TestCompany[] = [];
    for (let index = 0; index < 4; index += 1) {
      companies.push(await registerCompany(service.client));
    }
    await service.stop();
    await withSql(async (sql) => {
      for (const { companyId } of companies) {
        await sql.query(
          `INSERT INTO campaign (company_id, post_id, type, format, title, description, category,
             tagline, reward_amount, cohort_rewards, updated_by, starts_at, due_at)
           SELECT $1, 'post_0' || right($2, 19) || lpad(n::text, 6, '0'), 'survey',
             'questionnaire', 't', 'd', 'c', 't', 100, '{3,40,60,80,100}', 'key_x', now(), now()
           FROM generate_series(1, ${CROWD / 4}) AS n`,
          [storedEnvironment(companyId), companyId],
        );
      }
    });
    service = await start();
    // The first company's campaigns are stored in one statement, and those of the others are not
    // yet.
    const { companyId, api: first } = companies[0]!;
    const history = `/svc/campaign/post_0${companyId.slice(-19)}000001/history`;
    const client = service.client.with(first.headers);
    await eventually(
      async () => {
        expect((await client.get(history)).body.data.items.length).toBeGreaterThan(1);
      },
      { pause: 1 },
    );
    await service.kill();
    running = [];
    service = await start();
    if (postgresUrl !== undefined) {
      await start();
    }
    for (const { api } of companies) {
      const count = CROWD / 4;
      const events = await allEvents(service.client.with(api.headers), 1 + 2 * count);
      expect(events).toHaveLength(1 + 2 * count);
      const started = events.filter(({ type }) => type === 'campaign.started');
      expect(new Set(started.map(({ subject }) => subject)).size).toBe(count);
      expect(started).toHaveLength(count);
    }
  });
});
