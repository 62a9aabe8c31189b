import { readFileSync } from 'node:fs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { citusUrl } from '../support/citus';
import { Client, registerCompany, TestCompany } from '../support/client';
import { violated } from '../support/constraints';
import { createTestDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { OTHER_TEST_SECRET, TEST_ENCRYPTION_KEY, testEnv } from '../support/env';
import { dump } from '../support/dump';
import { eventually } from '../support/eventually';
import {
  begin,
  begun,
  expectReconciled,
  liveQuestionnaire,
  liveSurvey,
  submit,
} from '../support/fielding';
import { createGuardrail } from '../support/guardrails';
import { platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { serviceForAll, SharedService, startService } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { FieldingKeys } from '../../src/fielding/participations/fielding-keys.service';
import { SealedKey } from '../../src/fielding/participations/sealed-key.entity';

/** What nobody but the platform may know, unlike anything else that is stored. */
const IDENTITY = 'ann.zimmermann@example.com';
const SECRET_ANSWER = 'Xylophone-quartz-9177';

describe('what is stored about respondents', () => {
  const service = serviceForAll({ variables: { LOG_LEVEL: 'trace' } });
  let company: TestCompany;
  let platform: Client;

  beforeEach(async () => {
    company = await registerCompany(service.client);
    platform = await platformClient(service);
  });

  const hashes = async (): Promise<string[]> =>
    (
      await service.dataSource.query(
        `SELECT encode(respondent, 'hex') AS hash FROM participation
         WHERE respondent IS NOT NULL AND company_id = $1`,
        [storedEnvironment(company.companyId)],
      )
    ).map(({ hash }: { hash: string }) => hash);

  it('never has the identity, and nothing of a respondent after the erasure', async () => {
    const questions = [{ type: 'text', question: 'Why?' }];
    const post_id = await liveQuestionnaire(company, questions);
    const answers = [{ question: 1, value: SECRET_ANSWER }];
    const retried = platform.with({ 'idempotency-key': 'begin' });
    const ann = await begun(retried, post_id, IDENTITY);
    const submitAgain = () =>
      submit(platform.with({ 'idempotency-key': 'submit' }), ann, 9, answers);
    const submitted = (await submitAgain()).body.data;
    expect((await submitAgain()).body.data).toEqual(submitted);
    await platform.get(`/svc/fielding/list?respondent_id=${encodeURIComponent(IDENTITY)}`);
    const open = await liveSurvey(company, { max_responses: 1 });
    await begun(platform, open, IDENTITY);
    const bob = await begun(platform, post_id, 'bob');
    await submit(platform, bob, 9, [{ question: 1, value: 'Another' }]);

    const before = await dump(service.dataSource);
    expect(before).toContain(SECRET_ANSWER);
    expect(before).not.toContain(IDENTITY);
    const known = await hashes();
    expect(new Set(known).size).toBe(2);

    const erase = () =>
      platform.post('/svc/fielding/erase-respondent', { respondent_id: IDENTITY });
    expect((await erase()).body.data).toEqual({ participations: 2 });
    expect((await erase()).body.data).toEqual({ participations: 0 });

    const after = await dump(service.dataSource);
    expect(after).not.toContain(SECRET_ANSWER);
    expect(after).toContain('Another');
    const [left] = await hashes();
    expect(await hashes()).toHaveLength(1);
    const [gone] = known.filter((hash) => hash !== left);
    expect(after).not.toContain(gone);
    const log = service.log.text;
    expect(log).not.toContain(IDENTITY);
    expect(log).not.toContain(encodeURIComponent(IDENTITY));
    expect(log).not.toContain(SECRET_ANSWER);

    const { items } = (await company.api.get(`/svc/campaign/${post_id}/responses`)).body.data;
    expect(items[1]).toMatchObject({ respondent: null, answers: [], reward: 100, cohort: 5 });
    expect((await expectReconciled(company.api)).checked).toBe(3);
    // The place that was held is free again.
    await begun(platform, open, 'cleo');
    // What was submitted is not known any more, unless the outcome of the request still is.
    expectError(await submit(platform, ann, 9, answers), 422, 'participation_closed');
    const replayed = await submitAgain();
    expect([replayed.status, replayed.body.data]).toEqual([200, { ...submitted, quality: null }]);
  });

  it('is erased in parts, each with a transaction of its own', async () => {
    const campaigns = await Promise.all(Array.from({ length: 16 }, () => liveSurvey(company)));
    await Promise.all(campaigns.map((post_id) => begun(platform, post_id, 'dora')));
    const query = jest.spyOn(service.dataSource.logger, 'logQuery');
    const { body } = await platform.post('/svc/fielding/erase-respondent', {
      respondent_id: 'dora',
    });
    expect(body.data).toEqual({ participations: 16 });
    const parts = query.mock.calls.flatMap(([text, parameters]) =>
      text.includes('forget_signals') ? [(parameters as string[][])[2]!.length] : [],
    );
    query.mockRestore();
    expect(parts).toEqual([15, 1]);
    const [{ count }] = await service.dataSource.query(
      `SELECT count(*)::integer FROM participation
       WHERE state = 'abandoned' AND respondent IS NULL AND campaign_id IN (
         SELECT id FROM campaign WHERE post_id = ANY ($1))`,
      [campaigns],
    );
    expect(count).toBe(16);
  });

  it('is not erased by a request whose Idempotency-Key another one has used', async () => {
    const postId = await liveSurvey(company);
    await begun(platform, postId, 'dan');
    const erase = (respondent_id: string) =>
      platform
        .with({ 'idempotency-key': 'erase' })
        .post('/svc/fielding/erase-respondent', { respondent_id });
    expect((await erase('nobody')).body.data).toEqual({ participations: 0 });
    expectError(await erase('dan'), 422, 'idempotency_key_reused');
    const { items } = (await platform.get('/svc/fielding/respondent?respondent_id=dan')).body.data;
    expect(items).toHaveLength(1);
  });

  describe('is kept consistent by the database, whatever code writes to it:', () => {
    let ids: unknown[];

    beforeAll(async () => {
      const owner = await registerCompany(service.client);
      platform = await platformClient(service);
      const post_id = await liveSurvey(owner, { budget: 1000, max_responses: 10 });
      const ann = await begun(platform, post_id, 'ann');
      await submit(platform, ann, 7);
      const [row] = await service.dataSource.query(
        'SELECT company_id, campaign_id FROM participation WHERE participation_id = stored_id($1)',
        [ann.participation_id],
      );
      ids = [row.company_id, row.campaign_id, ann.participation_id];
    });

    const transfer = (kind: string, amount: number) =>
      service.dataSource.query(
        `INSERT INTO transfer
           (company_id, campaign_id, participation_id, kind, amount)
         VALUES ($1, $2, stored_id($3), $4, $5)`,
        [...ids, kind, amount],
      );

    it.each([
      ['reverse', 0, 'transfer_amount_positive'],
      ['reverse', -5, 'transfer_amount_positive'],
      ['gift', 80, 'transfer_kind'],
      ['settle', 80, 'transfer_pkey'],
      ['hold', 100, 'transfer_pkey'],
    ])('refuses a transfer %s of %d', async (kind, amount, name) => {
      expect(await violated(transfer(kind, amount))).toBe(name);
    });

    it.each(['hold', 'release'])('refuses a %s that gives something back', async (kind) => {
      const copy = service.dataSource.query(
        `INSERT INTO transfer
           (company_id, campaign_id, participation_id, kind, amount, released)
         VALUES ($1, $2, stored_id($3), $4, 100, 20)`,
        [...ids, kind],
      );
      expect(await violated(copy)).toBe('transfer_released');
    });

    it.each([
      ['UPDATE transfer SET amount = amount + 1', 'transfer_permanent'],
      ['DELETE FROM transfer', 'transfer_permanent'],
      ["UPDATE participation SET reward = 81 WHERE state = 'submitted'", 'participation_reward'],
      ["UPDATE participation SET cohort = 5 WHERE state = 'submitted'", 'participation_reward'],
      ['UPDATE participation SET attention_score = 11', 'participation_attention_score'],
      ["UPDATE participation SET state = 'open'", 'participation_reward'],
      ["UPDATE participation SET state = 'gone'", 'participation_state_known'],
      [
        `UPDATE participation SET state = 'expired', attention_score = NULL, cohort = NULL,
           reward = NULL WHERE state = 'submitted'`,
        'participation_reward',
      ],
      [
        `UPDATE participation SET state = 'expired', attention_score = NULL, cohort = NULL,
           reward = NULL, submission = NULL WHERE state = 'submitted'`,
        'participation_reward',
      ],
      ['UPDATE participation SET held = 1', 'participation_promise'],
      ['UPDATE participation SET held = 101', 'participation_promise'],
      ["UPDATE participation SET rewards = '{3,100}'", 'participation_rewards_complete'],
      ['UPDATE participation SET rewards[2] = NULL', 'participation_rewards_complete'],
      ['UPDATE participation SET bonus = 0', 'participation_bonus_positive'],
      ['UPDATE participation SET quality_flags = 16', 'participation_quality'],
      ["UPDATE participation SET answers = '{}'", 'participation_answers'],
      [
        "UPDATE participation SET reversed_at = now() WHERE state = 'submitted'",
        'participation_state',
      ],
      [
        'UPDATE campaign_progress SET bonus_spent = spent + 1',
        'campaign_progress_screen_out_spent',
      ],
      ['UPDATE campaign_progress SET disputed = -1', 'campaign_progress_not_negative'],
      ['UPDATE campaign_progress SET taken = 11', 'campaign_progress_within_max_responses'],
      ['UPDATE campaign_progress SET held = 950', 'campaign_progress_within_budget'],
      ['UPDATE campaign_progress SET answered = taken + 1', 'campaign_progress_answered_taken'],
      ['UPDATE campaign_progress SET reversed = 2', 'campaign_progress_reversed_answered'],
      ['UPDATE campaign_progress SET expired = -1', 'campaign_progress_not_negative'],
      ['UPDATE campaign_progress SET spent = -1', 'campaign_progress_not_negative'],
    ])('refuses %s', async (statement, constraint) => {
      const where = statement.includes('WHERE') ? 'AND' : 'WHERE';
      const own = `${statement} ${where} company_id = $1 AND campaign_id = $2`;
      expect(await violated(service.dataSource.query(own, ids.slice(0, 2)))).toBe(constraint);
    });

    it('keeps the counters of a campaign with participations', async () => {
      const deletion = service.dataSource.query(
        'DELETE FROM campaign_progress WHERE company_id = $1 AND campaign_id = $2',
        ids.slice(0, 2),
      );
      expect(await violated(deletion)).toBe('participation_campaign_progress_fkey');
    });

    it('refuses a second participation of a respondent in a campaign', async () => {
      const copy = service.dataSource.query(
        `INSERT INTO participation (company_id, campaign_id, participation_id, platform, respondent,
           rewards, held, begun_at, expires_at)
         SELECT company_id, campaign_id, gen_random_uuid(), platform, respondent, rewards, held, begun_at,
           expires_at FROM participation WHERE participation_id = stored_id($1)`,
        [ids[2]],
      );
      expect(await violated(copy)).toBe('participation_respondent');
    });
  });
});

describe('the key that respondents are hashed with', () => {
  let database: TestDatabase;
  let running: NestFastifyApplication | undefined;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await running?.close();
    running = undefined;
    await database.drop();
  });

  /** Starts the service anew with other keys. */
  async function restart(
    variables: NodeJS.ProcessEnv,
  ): Promise<Pick<SharedService, 'app' | 'dataSource' | 'client'>> {
    await running?.close();
    const env = testEnv({ ...database.variables, ...variables });
    running = await createApp(env, pino({ level: 'silent' }));
    await running.listen(0, '127.0.0.1');
    const client = new Client(await running.getUrl());
    return { app: running, dataSource: running.get(DataSource), client };
  }

  it('stays the same while ENCRYPTION_KEY is changed', async () => {
    let service = await restart({});
    const company = await registerCompany(service.client);
    const { headers } = await platformClient(service);
    const post_id = await liveSurvey(company);
    const begunWith = async () =>
      (await begun(new Client(service.client.url, headers), post_id, 'ann')).participation_id;
    const first = await begunWith();
    const signed = async () => (await service.client.get('/svc/fielding/receipt-keys')).body.data;
    const keys = await signed();
    const sealed = () => service.dataSource.query('SELECT sealed FROM sealed_key ORDER BY name');
    const before = await sealed();
    const original = service.app.get(FieldingKeys);
    for (const variables of [
      { ENCRYPTION_KEY: TEST_ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS: OTHER_TEST_SECRET },
      { ENCRYPTION_KEY: OTHER_TEST_SECRET, ENCRYPTION_KEY_PREVIOUS: TEST_ENCRYPTION_KEY },
    ]) {
      const stored = service.dataSource.getRepository(SealedKey);
      const opened = new FieldingKeys(stored, testEnv(variables));
      await opened.onModuleInit();
      expect(opened.hashSubmission('')).toEqual(original.hashSubmission(''));
      expect(opened.signingKey.equals(original.signingKey)).toBe(true);
    }
    service = await restart({ ENCRYPTION_KEY: OTHER_TEST_SECRET });
    expect(await begunWith()).toBe(first);
    expect(await signed()).toEqual(keys);
    expect(await sealed()).not.toEqual(before);
  });

  it('is not replaced when it cannot be decrypted', async () => {
    await restart({});
    const service = await restart({ ENCRYPTION_KEY: 'a third secret for tests, 0123456789' });
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const post_id = await liveSurvey(company);
    expect((await begin(platform, post_id, 'ann')).status).toBe(500);
    expect((await company.api.get('/svc/campaign/list')).status).toBe(200);
  });
});

/** A cluster would need the role on every node. */
const describeRoles =
  postgresUrl === undefined || citusUrl !== undefined ? describe.skip : describe;

describeRoles("the service's role of docs/postgresql.md", () => {
  it('does everything that platforms ask for, and can change no transfer', async () => {
    const role = `campaign_service_${process.pid}`;
    const service = await startService();
    const { dataSource } = service;
    try {
      await dataSource.query(`CREATE ROLE ${role} LOGIN`);
      const page = readFileSync('docs/postgresql.md', 'utf8');
      const grants = [...page.matchAll(/^(?:GRANT|REVOKE) [^;]+ campaign_service;/gm)].map(
        ([text]) => text.replaceAll('campaign_service', role),
      );
      expect(grants).toHaveLength(4);
      await dataSource.query(
        `GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO ${role}`,
      );
      for (const grant of grants) {
        await dataSource.query(grant);
      }
      const options = dataSource.options as { url?: string; database?: string };
      const url = new URL(options.url ?? '');
      url.username = role;
      const limited = await startService({ variables: { DATABASE_URL: url.href } });
      try {
        const company = await registerCompany(limited.client);
        const platform = await platformClient(service);
        const api = new Client(limited.client.url, platform.headers);
        const post_id = await liveSurvey(company, { max_responses: 2, budget: 500 });
        const ann = await begun(api, post_id, 'ann');
        const bob = await begun(api, post_id, 'bob');
        expect((await begin(api, post_id, 'cleo')).body.error?.code).toBe('fully_held');
        await submit(api, ann, 9);
        await api.post('/svc/fielding/abandon', bob);
        await api.post('/svc/fielding/reverse', {
          post_id,
          participation_id: ann.participation_id,
          reason: 'Bot',
        });
        const erased = await api.post('/svc/fielding/erase-respondent', { respondent_id: 'ann' });
        expect(erased.body.data).toEqual({ participations: 1 });
        await expectReconciled(company.api);
        const { guardrail_id } = await createGuardrail(company.api);
        const { webhook_id } = (
          await company.api.post('/svc/webhook/create', { url: 'https://example.com/hook' })
        ).body.data;
        for (const [kind, id] of Object.entries({ guardrail_id, webhook_id })) {
          const path = `/svc/${kind.replace('_id', '')}/delete`;
          expect((await company.api.post(path, { [kind]: id })).status).toBe(200);
        }
        await eventually(async () => {
          expect(await dataSource.query('SELECT FROM deletion')).toEqual([]);
        });
        const asRole = await new DataSource({ type: 'postgres', url: url.href }).initialize();
        for (const statement of [
          'UPDATE transfer SET amount = 1',
          'DELETE FROM transfer',
          'TRUNCATE transfer',
          'UPDATE carried_balance SET amount = 1',
          'UPDATE event SET changes = changes',
          'UPDATE event SET seq = seq',
          'DELETE FROM event',
          'UPDATE unnumbered_event SET changes = changes',
        ]) {
          await expect(asRole.query(statement)).rejects.toThrow('permission denied');
        }
        await asRole.destroy();
      } finally {
        await limited.close();
      }
    } finally {
      await dataSource.query(`DROP OWNED BY ${role}`);
      await dataSource.query(`DROP ROLE ${role}`);
      await service.close();
    }
  });
});
