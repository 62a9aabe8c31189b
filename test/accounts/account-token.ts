import { createHmac } from 'node:crypto';
import { JwtService, JwtSignOptions } from '@nestjs/jwt';
import { Client, registerCompany } from '../support/client';
import { testEnv } from '../support/env';
import { companyForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const SECRET = testEnv({}).JWT_SECRET!;

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signs any header and payload, invalid ones included. */
function handmade(header: unknown, payload: unknown): string {
  const content = `${encode(header)}.${encode(payload)}`;
  const signature = createHmac('sha256', SECRET).update(content).digest('base64url');
  return `${content}.${signature}`;
}

describe('an account token (section 5)', () => {
  const company = companyForAll();
  let genuine: JwtSignOptions;

  beforeAll(() => {
    genuine = {
      secret: SECRET,
      algorithm: 'HS256',
      issuer: 'campaign-service',
      audience: 'campaign-service/account',
      subject: company.companyId,
      expiresIn: 600,
    };
  });

  const token = (changes: JwtSignOptions = {}) =>
    new JwtService().sign({}, { ...genuine, ...changes });

  /** Both routes that accept an account token. */
  const both = (client: Client) =>
    Promise.all([client.get('/api/company/me'), client.post('/svc/api-key/generate', {})]);

  async function expectRefused(client: Client, code: string): Promise<void> {
    for (const answer of await both(client)) {
      expectError(answer, 401, code);
    }
  }

  it('is accepted when made as the service makes it', async () => {
    for (const { status } of await both(service.client.withToken(token()))) {
      expect(status).toBe(200);
    }
  });

  it('is accepted with the scheme in upper or lower case', async () => {
    const client = service.client.with({ authorization: `bearer ${token()}` });
    expect((await client.get('/api/company/me')).status).toBe(200);
  });

  it('is required', async () => {
    await expectRefused(service.client, 'token_missing');
    const { headers } = await service.client.get('/api/company/me');
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('is ignored in the query string', async () => {
    const answer = await service.client.get(`/api/company/me?access_token=${token()}`);
    expectError(answer, 401, 'token_missing');
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Token abc', 'Bearer äöü'])(
    'is refused in a malformed header: %j',
    async (authorization) => {
      await expectRefused(service.client.with({ authorization }), 'token_invalid');
    },
  );

  it.each(['nonsense', 'a.b.c', '..', `${encode({})}.${encode({})}.`])(
    'is refused when it is not a JWT: %j',
    async (text) => {
      await expectRefused(service.client.withToken(text), 'token_invalid');
    },
  );

  it.each<[string, JwtSignOptions]>([
    ['signed with another secret', { secret: 'another secret of sufficient length' }],
    ['signed with another algorithm', { algorithm: 'HS512' }],
    ['from another issuer', { issuer: 'someone-else' }],
    ['for another audience', { audience: 'campaign-service' }],
    ['expired', { expiresIn: -1 }],
    ['not valid yet', { notBefore: 300 }],
    ['of a company that never was', { subject: 'co_01k9x2v8zdf3xbz0q4v5rk6t7m' }],
  ])('is refused when %s', async (_, changes) => {
    await expectRefused(service.client.withToken(token(changes)), 'token_invalid');
  });

  it.each(['none', 'None', 'NONE'])('is refused with the algorithm %s', async (alg) => {
    const [, payload] = token().split('.');
    const unsigned = `${encode({ alg, typ: 'JWT' })}.${payload!}.`;
    await expectRefused(service.client.withToken(unsigned), 'token_invalid');
    const signed = handmade(
      { alg, typ: 'JWT' },
      JSON.parse(String(Buffer.from(payload!, 'base64url'))),
    );
    await expectRefused(service.client.withToken(signed), 'token_invalid');
  });

  it.each([undefined, 5, '', { $ne: null }])('is refused with the subject %j', async (sub) => {
    const payload = {
      sub,
      iss: 'campaign-service',
      aud: 'campaign-service/account',
      exp: Math.floor(Date.now() / 1000) + 600,
    };
    const text = handmade({ alg: 'HS256', typ: 'JWT' }, payload);
    await expectRefused(service.client.withToken(text), 'token_invalid');
  });

  it('is refused when its content was changed after signing', async () => {
    const other = await registerCompany(service.client);
    const [header, payload, signature] = token().split('.');
    const claims = JSON.parse(String(Buffer.from(payload!, 'base64url')));
    const changed = encode({ ...claims, sub: other.companyId });
    const forged = `${header!}.${changed}.${signature!}`;
    await expectRefused(service.client.withToken(forged), 'token_invalid');
  });

  it('is refused once its company is deleted', async () => {
    const gone = await registerCompany(service.client);
    await service.dataSource.query('DELETE FROM company WHERE company_id = $1', [
      storedEnvironment(gone.companyId),
    ]);
    await expectRefused(gone.account, 'token_invalid');
  });
});
