import { createSurvey, question, survey } from '../support/builders';
import { Client, PASSWORD, registerCompany, TestCompany } from '../support/client';
import { sharedService, SharedService } from '../support/service';
import { TransactionContext } from '../../src/database/transaction-context';
import { IdempotencyService } from '../../src/idempotency/idempotency.service';
import { RecordCleaner } from '../../src/idempotency/record-cleaner';

describe('Idempotency-Key', () => {
  let service: SharedService;
  let company: TestCompany;

  beforeAll(async () => {
    service = await sharedService();
    company = await registerCompany(service.client);
  });

  const withKey = (key: string, client: Client = company.api) =>
    client.with({ 'idempotency-key': key });

  async function count(table: string): Promise<number> {
    const [{ n }] = await service.dataSource.query(`SELECT count(*)::int AS n FROM ${table}`);
    return n;
  }

  it('answers the first outcome again, and says so', async () => {
    const api = withKey('create-1');
    const first = await api.post('/svc/survey/create', survey());
    const again = await api.post('/svc/survey/create', survey());
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('makes one campaign of fifty parallel requests', async () => {
    const before = await count('campaign');
    const api = withKey('parallel');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/svc/survey/create', survey())),
    );
    expect(await count('campaign')).toBe(before + 1);
    for (const { status, body, headers } of answers) {
      if (status === 409) {
        expect(body.error?.code).toBe('idempotency_in_progress');
        expect(headers.get('retry-after')).toBe('1');
      } else {
        expect(status).toBe(200);
        expect(body.data.post_id).toBe(
          answers.find((each) => each.status === 200)!.body.data.post_id,
        );
      }
    }
  });

  it('takes the body for what it says, not for how it is written', async () => {
    const api = withKey('canonical');
    const { title, ...rest } = survey();
    const first = await api.post('/svc/survey/create', { title, ...rest });
    const again = await api.post('/svc/survey/create', { ...rest, title });
    expect(again.body).toEqual(first.body);
  });

  it('is refused with another body', async () => {
    const api = withKey('another-body');
    await api.post('/svc/survey/create', survey());
    const answer = await api.post('/svc/survey/create', survey({ title: 'Another' }));
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is refused with another route', async () => {
    const api = withKey('another-route');
    const { post_id } = await createSurvey(company.api);
    const body = { post_id, questions: [question()] };
    await api.post('/svc/survey/questions', body);
    const answer = await api.post('/svc/advertisement/questions', body);
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('belongs to its company', async () => {
    const other = await registerCompany(service.client);
    const first = await withKey('shared').post('/svc/survey/create', survey());
    const second = await withKey('shared', other.api).post('/svc/survey/create', survey());
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.data.post_id).not.toBe(first.body.data.post_id);
  });

  it('keeps a refusal that came from the work, although things have changed since', async () => {
    const { post_id } = await createSurvey(company.api);
    const rewards = {
      post_id,
      cohort_1_reward: 3,
      cohort_2_reward: 1,
      cohort_3_reward: 1,
      cohort_4_reward: 1,
      cohort_5_reward: 7,
    };
    const api = withKey('refusal');
    const first = await api.patch('/svc/campaign/cohort-rewards', rewards);
    expect(first.body.error?.code).toBe('cohort_reward_mismatch');
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 7 });
    const again = await api.patch('/svc/campaign/cohort-rewards', rewards);
    expect(again.status).toBe(422);
    expect(again.body.error).toMatchObject({
      code: 'cohort_reward_mismatch',
      details: first.body.error!.details,
    });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('keeps nothing of a request that was wrong in itself, so that it can be mended', async () => {
    const api = withKey('mended');
    expect((await api.post('/svc/survey/create', survey({ title: 5 }))).status).toBe(400);
    expect((await api.post('/svc/survey/create', survey())).status).toBe(200);
  });

  it('keeps nothing of a request without a valid credential', async () => {
    const nobody = withKey('nobody', service.client);
    const before = await count('idempotency_record');
    expect((await nobody.post('/svc/survey/create', survey())).status).toBe(401);
    expect(await count('idempotency_record')).toBe(before);
  });

  it.each(['', 'a b', 'x'.repeat(256)])(
    'must be 1 to 255 visible characters: not %j',
    async (key) => {
      const { status, body } = await withKey(key).post('/svc/survey/create', survey());
      expect([status, body.error?.details[0]?.field]).toEqual([400, 'Idempotency-Key']);
    },
  );

  it('is refused, and nothing is done again, where its outcome can no longer be read', async () => {
    const api = withKey('unreadable');
    await api.post('/svc/survey/create', survey());
    const before = await count('campaign');
    // As after a change of JWT_SECRET.
    await service.dataSource.query(
      `UPDATE idempotency_record SET outcome = set_byte(outcome, 0, 255 - get_byte(outcome, 0))
       WHERE key_hash = sha256('unreadable')`,
    );
    const again = await api.post('/svc/survey/create', survey());
    expect([again.status, again.body.error?.code]).toEqual([422, 'idempotency_key_reused']);
    expect(again.body.message).toMatch(/can no longer be read/);
    expect(await count('campaign')).toBe(before);
  });

  it('undoes its work and tries again if another request stored an outcome meanwhile', async () => {
    const transaction = service.app.get(TransactionContext);
    const request = {
      scope: 'test',
      key: 'lost-race',
      route: 'POST /',
      fingerprint: Buffer.from('same'),
    };
    let attempts = 0;
    const answer = await service.app.get(IdempotencyService).once(request, async () => {
      attempts += 1;
      if (attempts === 1) {
        await transaction.manager.query(
          `INSERT INTO idempotency_record (scope, key_hash, route, fingerprint, outcome)
           VALUES ('test', sha256('lost-race'), 'POST /', 'same', 'of the other')`,
        );
      }
      return { body: attempts };
    });
    expect(answer).toEqual({ outcome: { body: 2 }, replayed: false });
    expect(
      await service.dataSource.query(
        `SELECT 1 FROM idempotency_record WHERE scope = 'test' AND outcome <> 'of the other'`,
      ),
    ).toHaveLength(1);
  });

  it('works for questions: one set is stored', async () => {
    const { post_id } = await createSurvey(company.api);
    const api = withKey('questions');
    const body = { post_id, questions: [question()] };
    const first = await api.post('/svc/survey/questions', body);
    const again = await api.post('/svc/survey/questions', body);
    expect(again.body).toEqual(first.body);
    const history = await company.api.get(`/svc/campaign/${post_id}/questions/history`);
    expect(history.body.data.items).toHaveLength(1);
  });

  it('replays a generated API key, which is nowhere stored in the clear', async () => {
    const account = withKey('generate', company.account);
    const first = await account.post('/svc/api-key/generate', {});
    const again = await account.post('/svc/api-key/generate', {});
    expect(again.body).toEqual(first.body);
    const { api_key } = first.body.data;
    const rows = await service.dataSource.query(
      `SELECT encode(outcome, 'escape') AS outcome, encode(key_hash, 'escape') AS key FROM idempotency_record`,
    );
    expect(JSON.stringify(rows)).not.toContain(api_key);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('generate').toString('hex'));
  });

  it('replays a registration to whoever sent it, and to no other', async () => {
    const client = withKey('register', service.client);
    const mine = { name: 'A', email: 'idempotent@example.com', password: PASSWORD };
    const first = await client.post('/api/company/create', mine);
    expect((await client.post('/api/company/create', mine)).body).toEqual(first.body);
    const other = await client.post('/api/company/create', { ...mine, email: 'other@example.com' });
    expect(other.body.data.company_id).not.toBe(first.body.data.company_id);
    const guessed = await client.post('/api/company/create', { ...mine, password: 'x'.repeat(12) });
    expect(guessed.body.error?.code).toBe('idempotency_key_reused');
  });

  it('is forgotten after 24 hours, and removed in the background', async () => {
    const api = withKey('expired');
    const first = await api.post('/svc/survey/create', survey());
    await service.dataSource.query(
      `UPDATE idempotency_record SET created_at = now() - interval '24 hours 1 second'`,
    );
    const second = await api.post('/svc/survey/create', survey());
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.data.post_id).not.toBe(first.body.data.post_id);
    expect(await service.app.get(RecordCleaner).clean()).toBeGreaterThan(5);
    expect(await count('idempotency_record')).toBe(1);
  });
});
