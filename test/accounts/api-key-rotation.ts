import { setTimeout as delay } from 'node:timers/promises';
import { Answer } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { generateKey, use } from '../support/keys';
import { service } from '../support/service';

/** Milliseconds between two requests with a key that expires soon. */
const PAUSE = 10;

describe('POST /svc/api-key/rotate', () => {
  const company = companyForAll();
  const stranger = companyForAll();

  const generate = (fields = {}) => generateKey(company.account, service.client, fields);

  const rotate = (key_id: string, overlap_seconds?: number): Promise<Answer> =>
    company.account.post('/svc/api-key/rotate', { key_id, overlap_seconds });

  const expectNotFound = ({ status, body }: Answer) =>
    expect([status, body.error?.code]).toEqual([404, 'api_key_not_found']);

  it('returns a new key with the name, scopes, expiry and limit of the old one', async () => {
    const described = {
      name: 'importer',
      mode: 'live',
      scopes: ['campaigns:read'],
      expires_at: '2099-01-01T00:00:00.000Z',
      spending_limit: { amount: 50, per: 'month' },
      approval_above: 200,
    };
    const old = await generate(described);
    const { data } = await rotate(old.key_id);
    expect(data).toEqual({
      ...described,
      key_id: expect.not.stringContaining(old.key_id),
      api_key: expect.stringMatching(/^csk_[0-9A-Za-z]{36}$/),
      prefix: data.api_key.slice(0, 10),
      created_at: expect.any(String),
      replaced: {
        ...described,
        key_id: old.key_id,
        prefix: old.prefix,
        created_at: expect.any(String),
        revoked_at: expect.any(String),
        last_used_at: null,
      },
    });
  });

  it('refuses the old key immediately without an overlap, cached or not', async () => {
    const old = await generate();
    await use(old.api);
    const { body } = await rotate(old.key_id);
    expect(await use(old.api)).toBe('api_key_revoked');
    expect(await use(service.client.withKey(body.data.api_key))).toBe(200);
  });

  it('accepts both keys during the overlap and then the new one only', async () => {
    const old = await generate();
    await use(old.api);
    const overlap = 2_000;
    const before = performance.now();
    const { body } = await rotate(old.key_id, overlap / 1000);
    const after = performance.now();
    const fresh = service.client.withKey(body.data.api_key);
    const { created_at, replaced } = body.data;
    expect(Date.parse(replaced.revoked_at) - Date.parse(created_at)).toBeGreaterThan(overlap - 2);
    expect(Date.parse(replaced.revoked_at) - Date.parse(created_at)).toBeLessThan(overlap + 1_000);
    for (;;) {
      const asked = performance.now();
      const answers = [await use(old.api), await use(fresh)];
      const answered = performance.now();
      if (answered < before + overlap) {
        expect(answers).toEqual([200, 200]);
      } else if (asked > after + overlap) {
        expect(answers).toEqual(['api_key_revoked', 200]);
        break;
      }
      await delay(PAUSE);
    }
  });

  it('accepts overlaps from 0 to 86,400 seconds', async () => {
    expect((await rotate((await generate()).key_id, 86_400)).status).toBe(200);
    const { key_id } = await generate();
    for (const [overlap, code] of [
      [-1, 'too_small'],
      [86_401, 'too_large'],
      [1.5, 'not_an_integer'],
    ] as const) {
      const { status, body } = await rotate(key_id, overlap);
      expect([status, body.error!.details[0]!.code]).toEqual([400, code]);
    }
    expect((await rotate(key_id, 0)).status).toBe(200);
  });

  it('does not find a revoked key', async () => {
    const { key_id } = await generate();
    await company.account.post('/svc/api-key/revoke', { key_id });
    expectNotFound(await rotate(key_id));
    expectNotFound(await rotate(key_id, 60));
  });

  it('does not find an expired key', async () => {
    const { key_id } = await generate({ expires_at: '2090-01-01T00:00:00Z' });
    await service.dataSource.query(
      `UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1`,
      [key_id],
    );
    expectNotFound(await rotate(key_id));
  });

  it("finds neither another company's key nor an unknown one", async () => {
    const foreign = await generateKey(stranger.account, service.client);
    expectNotFound(await rotate(foreign.key_id));
    expect(await use(foreign.api)).toBe(200);
    expectNotFound(await rotate('key_unknown'));
  });

  it('does not extend the life of a key', async () => {
    const { key_id } = await generate();
    const first = await rotate(key_id, 60);
    const second = await rotate(key_id, 86_400);
    expect(second.body.data.replaced.revoked_at).toBe(first.body.data.replaced.revoked_at);
    const third = await rotate(key_id, 0);
    expect(Date.parse(third.body.data.replaced.revoked_at)).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('is an event of the key each time, also during an overlap', async () => {
    const { key_id } = await generate();
    for (const overlap of [60, 86_400, 0]) {
      expect((await rotate(key_id, overlap)).status).toBe(200);
    }
    const { body } = await company.account.get(`/svc/api-key/${key_id}/history`);
    expect(body.data.items.map(({ action }: { action: string }) => action)).toEqual([
      'updated',
      'updated',
      'updated',
      'created',
    ]);
  });

  it('ends an overlap when the old key is revoked', async () => {
    const old = await generate();
    await rotate(old.key_id, 3600);
    expect(await use(old.api)).toBe(200);
    await company.account.post('/svc/api-key/revoke', { key_id: old.key_id });
    expect(await use(old.api)).toBe('api_key_revoked');
  });

  it('leaves a key as it is when it is revoked after its overlap', async () => {
    const old = await generate();
    await rotate(old.key_id, 3600);
    await service.dataSource.query(
      `UPDATE api_key SET overlap_ends_at = now() - interval '1 minute' WHERE key_id = $1`,
      [old.key_id],
    );
    const stored = async () => {
      const { body } = await company.account.get('/svc/api-key/list?limit=100');
      const history = await company.account.get(`/svc/api-key/${old.key_id}/history`);
      const key = body.data.items.find(({ key_id }: { key_id: string }) => key_id === old.key_id);
      return { key, history: history.body.data.items };
    };
    const before = await stored();
    const { status, body } = await company.account.post('/svc/api-key/revoke', {
      key_id: old.key_id,
    });
    expect([status, body.data.revoked_at]).toEqual([200, before.key.revoked_at]);
    expect(await stored()).toEqual(before);
  });
});
