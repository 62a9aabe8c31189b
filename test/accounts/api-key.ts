import { createHash } from 'node:crypto';
import { survey } from '../support/builders';
import { Answer } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';

const ALL_SCOPES = [
  'campaigns:read',
  'campaigns:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'responses:read',
  'ledger:read',
];

describe('POST /svc/api-key/generate (sections 4.7 and 5)', () => {
  const company = companyForAll();

  const generate = (body?: unknown): Promise<Answer> =>
    company.account.post('/svc/api-key/generate', body);

  const stored = async (keyId: string): Promise<Record<string, any>> => {
    const [row] = await service.dataSource.query('SELECT * FROM api_key WHERE key_id = $1', [
      keyId,
    ]);
    return row;
  };

  it.each([
    ['without a body', undefined],
    ['with an empty object', {}],
  ])('returns exactly the key for %s: no name, every scope, no expiry', async (_, request) => {
    const { status, body } = await generate(request);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: 'API key generated. Store it now; it is not shown again.',
      data: {
        key_id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
        name: null,
        mode: 'live',
        api_key: expect.stringMatching(/^csk_[0-9A-Za-z]{36}$/),
        prefix: body.data.api_key.slice(0, 10),
        scopes: ALL_SCOPES,
        created_at: expect.stringMatching(/Z$/),
        expires_at: null,
        spending_limit: null,
        approval_above: null,
      },
    });
  });

  it('accepts an empty body with a JSON content type', async () => {
    expect((await generate('')).status).toBe(200);
  });

  it('accepts a name, scopes and an expiry', async () => {
    const { data } = await generate({
      name: ' importer ',
      scopes: ['campaigns:read'],
      expires_at: '2099-01-31T12:00:00.5+02:00',
    });
    expect(data).toEqual({
      key_id: expect.any(String),
      name: 'importer',
      mode: 'live',
      api_key: expect.any(String),
      prefix: expect.any(String),
      scopes: ['campaigns:read'],
      created_at: expect.any(String),
      expires_at: '2099-01-31T10:00:00.500Z',
      spending_limit: null,
      approval_above: null,
    });
    const row = await stored(data.key_id);
    expect(row.expires_at).toEqual(new Date('2099-01-31T10:00:00.500Z'));
    expect([row.name, row.scopes]).toEqual(['importer', ['campaigns:read']]);
  });

  it('makes a new key each time, all of them valid', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => generate()));
    const keys = answers.map(({ body }) => body.data.api_key as string);
    expect(new Set(keys).size).toBe(5);
    for (const key of keys) {
      const { status } = await service.client.withKey(key).post('/svc/survey/create', survey());
      expect(status).toBe(200);
    }
  });

  it('stores the secret as its SHA-256 only', async () => {
    const { body } = await generate({ name: 'hashed' });
    const { api_key: secret, key_id: keyId, prefix } = body.data;
    const row = await stored(keyId);
    expect(Buffer.from(row.key_hash)).toEqual(createHash('sha256').update(secret).digest());
    expect(row.prefix).toBe(prefix);
    const everything = await service.dataSource.query('SELECT k::text AS text FROM api_key k');
    for (const { text } of everything) {
      expect(text).not.toContain(secret.slice(10));
    }
  });

  it.each<[string, string, unknown]>([
    ['name', 'empty', ' '],
    ['name', 'null_not_allowed', null],
    ['scopes', 'too_few', []],
    ['scopes', 'too_many', [...ALL_SCOPES, 'campaigns:read']],
    ['scopes[0]', 'not_allowed', ['campaigns:delete']],
    ['scopes[1]', 'duplicate', ['campaigns:read', 'campaigns:read']],
    ['expires_at', 'in_the_past', '2020-01-31T12:00:00Z'],
    ['expires_at', 'invalid_timestamp', 'tomorrow'],
    ['expires_at', 'invalid_timestamp', '2099-02-29T12:00:00Z'],
    ['expires_at', 'null_not_allowed', null],
    ['lifetime', 'unknown_field', 3600],
  ])('refuses %s as %s', async (field, code, value) => {
    expectInvalid(await generate({ [field.replace(/\[.*/, '')]: value }), { [field]: code });
  });

  it('accepts the 29th of February of a leap year', async () => {
    const { body } = await generate({ expires_at: '2096-02-29T23:30:00-01:00' });
    expect(body.data.expires_at).toBe('2096-03-01T00:30:00.000Z');
  });

  it('reports every wrong field at once', async () => {
    const answer = await generate({ name: 5, scopes: ['read'], expires_at: 'never', more: 1 });
    expectInvalid(answer, {
      name: 'invalid_type',
      'scopes[0]': 'not_allowed',
      expires_at: 'invalid_timestamp',
      more: 'unknown_field',
    });
  });
});
