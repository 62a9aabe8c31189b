import { createSurvey, ladder, question, survey } from '../support/builders';
import { Client, PASSWORD, registerCompany } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { service } from '../support/service';

describe('the Idempotency-Key header', () => {
  const company = companyForAll();

  const withKey = (key: string, client: Client = company.api) =>
    client.with({ 'idempotency-key': key });

  async function count(table: string): Promise<number> {
    const [{ n }] = await service.dataSource.query(`SELECT count(*)::int AS n FROM ${table}`);
    return n;
  }

  it('replays the first outcome and marks it', async () => {
    const api = withKey('create-1');
    const first = await api.post('/svc/survey/create', survey());
    const again = await api.post('/svc/survey/create', survey());
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('compares bodies by their meaning, not their formatting', async () => {
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

  it('is scoped to its company', async () => {
    const other = await registerCompany(service.client);
    const first = await withKey('shared').post('/svc/survey/create', survey());
    const second = await withKey('shared', other.api).post('/svc/survey/create', survey());
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(second.body.data.post_id).not.toBe(first.body.data.post_id);
  });

  it('replays a refusal that came from stored data, even after that data has changed', async () => {
    const { post_id } = await createSurvey(company.api);
    const rewards = {
      post_id,
      ...ladder(3, 1, 1, 1, 7),
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

  it('stores nothing of an invalid request, so that it can be corrected', async () => {
    const api = withKey('mended');
    expect((await api.post('/svc/survey/create', survey({ title: 5 }))).status).toBe(400);
    expect((await api.post('/svc/survey/create', survey())).status).toBe(200);
  });

  it('stores nothing of a request without a valid credential', async () => {
    const nobody = withKey('nobody', service.client);
    const before = await count('idempotency_record');
    expect((await nobody.post('/svc/survey/create', survey())).status).toBe(401);
    expect(await count('idempotency_record')).toBe(before);
  });

  it.each(['', 'a b', 'x'.repeat(256)])(
    'refuses %j, which is not 1 to 255 visible characters',
    async (key) => {
      const { status, body } = await withKey(key).post('/svc/survey/create', survey());
      expect([status, body.error?.details[0]?.field]).toEqual([400, 'Idempotency-Key']);
    },
  );

  it('is refused, without repeating the work, if its outcome can no longer be read', async () => {
    const api = withKey('unreadable');
    await api.post('/svc/survey/create', survey());
    const before = await count('campaign');
    await service.dataSource.query(
      `UPDATE idempotency_record SET outcome = set_byte(outcome, 0, 255 - get_byte(outcome, 0))
       WHERE created_at = (SELECT max(created_at) FROM idempotency_record)`,
    );
    const again = await api.post('/svc/survey/create', survey());
    expect([again.status, again.body.error?.code]).toEqual([422, 'idempotency_key_reused']);
    expect(again.body.message).toMatch(/can no longer be read/);
    expect(await count('campaign')).toBe(before);
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

  it('replays a generated API key, which is stored nowhere in the clear', async () => {
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

  it('replays a registration to its sender only', async () => {
    const client = withKey('register', service.client);
    const mine = { name: 'A', email: 'idempotent@example.com', password: PASSWORD };
    const first = await client.post('/api/company/create', mine);
    const { data } = (await client.post('/api/company/create', mine)).body;
    expect(data).toEqual({ ...first.body.data, access_token: expect.any(String) });
    const other = await client.post('/api/company/create', { ...mine, email: 'other@example.com' });
    expect(other.body.data.company_id).not.toBe(first.body.data.company_id);
    const guessed = await client.post('/api/company/create', { ...mine, password: 'x'.repeat(12) });
    expect(guessed.body.error?.code).toBe('idempotency_key_reused');
  });
});
