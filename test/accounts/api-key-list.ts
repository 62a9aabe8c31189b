import { KeyUsageService } from '../../src/access/credential-keys/key-usage.service';
import { SCOPES } from '../../src/access/api-key/scopes';
import { Client } from '../support/client';
import { companyForAll, companyForEach } from '../support/fixtures';
import { generateKey, TestKey } from '../support/keys';
import { service } from '../support/service';

describe('GET /svc/api-key/list', () => {
  const company = companyForEach();
  const stranger = companyForAll();

  const generate = (fields = {}) => generateKey(company.account, service.client, fields);

  const list = async (query = '', account: Client = company.account) => {
    return (await account.get(`/svc/api-key/list${query}`)).data as {
      items: Record<string, unknown>[];
      next_cursor: string | null;
    };
  };

  it('returns every key of the company, newest first, with all its times', async () => {
    const key = await generate({ name: 'importer', expires_at: '2099-01-01T00:00:00Z' });
    await key.api.get('/svc/campaign/list');
    await service.app.get(KeyUsageService).flush();
    await company.account.post('/svc/api-key/revoke', { key_id: key.key_id });
    const { items, next_cursor } = await list();
    expect(next_cursor).toBeNull();
    expect(items).toHaveLength(2);
    expect(items[0]).toEqual({
      key_id: key.key_id,
      name: 'importer',
      prefix: key.prefix,
      mode: 'live',
      scopes: SCOPES,
      created_at: expect.any(String),
      expires_at: '2099-01-01T00:00:00.000Z',
      revoked_at: expect.any(String),
      spending_limit: null,
      approval_above: null,
      last_used_at: expect.any(String),
    });
    expect(items[1]).toMatchObject({ name: null, expires_at: null, revoked_at: null });
  });

  it('returns no secret and no hash', async () => {
    const { key_id, api_key } = await generate();
    const [{ hex, base64 }] = await service.dataSource.query(
      `SELECT encode(key_hash, 'hex') AS hex, encode(key_hash, 'base64') AS base64
       FROM api_key WHERE key_id = $1`,
      [key_id],
    );
    const text = JSON.stringify(await list());
    for (const secret of [api_key, api_key.slice(11), hex, base64, 'hash']) {
      expect(text).not.toContain(secret);
    }
  });

  it('returns no key of another company', async () => {
    const foreign = await generateKey(stranger.account, service.client);
    const { items } = await list();
    expect(items.map(({ key_id }) => key_id)).not.toContain(foreign.key_id);
    expect(items).toHaveLength(1);
  });

  it('returns pages without losing or repeating a key while others are generated', async () => {
    const made: TestKey[] = [];
    for (let i = 0; i < 4; i += 1) {
      made.push(await generate());
    }
    const seen: unknown[] = [];
    let cursor: string | null = '';
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...page.items.map(({ key_id }) => key_id));
      cursor = page.next_cursor;
      await generate();
    } while (cursor !== null);
    expect(seen).toHaveLength(5);
    expect(seen.slice(0, 4)).toEqual(made.map(({ key_id }) => key_id).toReversed());
  });

  it('returns no cursor after a last page that is full', async () => {
    await generate();
    const { items, next_cursor } = await list('?limit=2');
    expect([items.length, next_cursor]).toEqual([2, null]);
  });

  it("refuses another company's cursor and a string that is not a cursor", async () => {
    await generate();
    const { next_cursor } = await list('?limit=1');
    const foreign = await stranger.account.get(`/svc/api-key/list?cursor=${next_cursor}`);
    expect(foreign.status).toBe(400);
    expect(foreign.body.error!.details).toMatchObject([
      { field: 'cursor', code: 'cursor_mismatch' },
    ]);
    const damaged = await company.account.get('/svc/api-key/list?cursor=nonsense');
    expect(damaged.body.error!.details).toMatchObject([
      { field: 'cursor', code: 'invalid_cursor' },
    ]);
  });
});
