import { randomBytes } from 'node:crypto';
import { PASSWORD, registerCompany } from '../support/client';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

function registration(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Example Research',
    email: `${randomBytes(8).toString('hex')}@example.com`,
    password: PASSWORD,
    ...fields,
  };
}

describe('the company endpoints (sections 4.7 and 5)', () => {
  const register = (fields: Record<string, unknown> = {}) =>
    service.client.post('/api/company/create', registration(fields));
  const logIn = (credentials: Record<string, unknown>) =>
    service.client.post('/api/company/login', credentials);

  describe('POST /api/company/create', () => {
    it('returns exactly the company and its account token', async () => {
      const before = Date.now();
      const { status, body } = await register({ name: ' Coffee Lab ', email: 'Lab@Example.com ' });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'Company registered.',
        data: {
          company_id: expect.stringMatching(/^co_[0-9a-z]{26}$/),
          name: 'Coffee Lab',
          email: 'Lab@Example.com',
          currency: 'USD',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          token_type: 'Bearer',
          expires_in: 3600,
        },
      });
      expect(Math.abs(Date.parse(body.data.created_at) - before)).toBeLessThan(60_000);
    });

    it('keeps the currency of the registration, which the account then has', async () => {
      const { status, body } = await register({ currency: 'EUR' });
      expect([status, body.data.currency]).toEqual([200, 'EUR']);
      const me = await service.client.withToken(body.data.access_token).get('/api/company/me');
      expect(me.body.data.currency).toBe('EUR');
    });

    // A code that is not active, of a fund, a metal and a test, and what is no code.
    it.each(['DEM', 'BGN', 'CLF', 'XAU', 'XTS', 'eur', 'EURO', '', ' EUR'])(
      'refuses the currency %j',
      async (currency) => {
        expectInvalid(await register({ currency }), { currency: 'not_allowed' });
      },
    );

    it('refuses a registered email in any case', async () => {
      await register({ email: 'Someone@example.com' });
      for (const email of ['Someone@example.com', 'someone@EXAMPLE.com', ' SOMEONE@example.com ']) {
        expectError(await register({ email }), 409, 'email_taken');
      }
    });

    it('reports every missing required field at once (section 7)', async () => {
      expectInvalid(await service.client.post('/api/company/create', {}), {
        name: 'required',
        email: 'required',
        password: 'required',
      });
      expectInvalid(await service.client.post('/api/company/create'), {
        name: 'required',
        email: 'required',
        password: 'required',
      });
    });

    it.each([
      ['name', 'empty', ' \t\n '],
      ['email', 'invalid_email', 'nobody'],
      ['email', 'invalid_email', 'nobody@localhost'],
      ['password', 'too_short', 'x'.repeat(11)],
      ['password', 'too_long', 'x'.repeat(129)],
      ['password', 'invalid_type', 123_456_789_012],
      ['is_admin', 'unknown_field', true],
    ])('refuses %s as %s', async (field, code, value) => {
      expectInvalid(await register({ [field]: value }), { [field]: code });
    });

    it.each([12, 128])('accepts a password of %i characters', async (length) => {
      const email = `password-${length}@example.com`;
      const password = 'é'.repeat(length);
      expect((await register({ email, password })).status).toBe(200);
      expect((await logIn({ email, password })).status).toBe(200);
    });

    it('accepts a password unchanged, spaces included', async () => {
      const email = 'spaces@example.com';
      await register({ email, password: '  twelve plus  ' });
      expect((await logIn({ email, password: '  twelve plus  ' })).status).toBe(200);
      expectError(await logIn({ email, password: 'twelve plus' }), 401, 'invalid_credentials');
    });

    it('stores the password as an Argon2id hash only', async () => {
      const { body } = await register();
      const [row] = await service.dataSource.query('SELECT * FROM company WHERE company_id = $1', [
        storedEnvironment(body.data.company_id),
      ]);
      expect(row.password_hash).toMatch(/^\$argon2id\$/);
      expect(JSON.stringify(row)).not.toContain(PASSWORD);
    });
  });

  describe('POST /api/company/login', () => {
    it('returns exactly a working account token, whatever the case of the email', async () => {
      const { companyId, email } = await registerCompany(service.client);
      const { status, body } = await logIn({ email: email.toUpperCase(), password: PASSWORD });
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'Logged in.',
        data: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 },
      });
      const me = await service.client.withToken(body.data.access_token).get('/api/company/me');
      expect(me.body.data.company_id).toBe(companyId);
    });

    it('responds the same to an unknown email and a wrong password', async () => {
      const { email } = await registerCompany(service.client);
      const client = service.client.with({ 'x-request-id': 'the-same' });
      const [wrongPassword, wrongEmail] = await Promise.all([
        client.post('/api/company/login', { email, password: 'not the password' }),
        client.post('/api/company/login', { email: 'no-one@example.com', password: PASSWORD }),
      ]);
      expectError(wrongPassword, 401, 'invalid_credentials');
      expect(wrongEmail.status).toBe(401);
      expect(wrongEmail.body).toEqual(wrongPassword.body);
      const names = ({ headers }: typeof wrongEmail) => [...headers.keys()];
      expect(names(wrongEmail)).toEqual(names(wrongPassword));
    });

    it('reveals nothing of the password rules of registration', async () => {
      const { email } = await registerCompany(service.client);
      expectError(await logIn({ email, password: 'x' }), 401, 'invalid_credentials');
    });

    it('reports every wrong field at once', async () => {
      expectInvalid(await logIn({ password: '', remember: true }), {
        email: 'required',
        password: 'empty',
        remember: 'unknown_field',
      });
    });
  });

  describe('GET /api/company/me', () => {
    it('returns exactly the company and nothing secret', async () => {
      const { companyId, email, account } = await registerCompany(service.client);
      const { status, body } = await account.get('/api/company/me');
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        message: 'Company found.',
        data: {
          company_id: companyId,
          name: 'A Company',
          email,
          currency: 'USD',
          created_at: expect.any(String),
        },
      });
    });
  });
});
