import { CredentialKeysService } from '../../src/access/credential-keys/credential-keys.service';
import { isWellFormedKey } from '../../src/access/credential-keys/key-format.rules';
import { createSurvey } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('the X-API-Key header (sections 4 and 5)', () => {
  const company = companyForAll();
  let key: string;

  beforeAll(() => {
    key = company.api.headers['x-api-key']!;
  });

  const generate = async (body: Record<string, unknown>) => {
    const answer = await company.account.post('/svc/api-key/generate', body);
    expect(answer.status).toBe(200);
    return answer.body.data as { key_id: string; api_key: string };
  };

  /** Expects a refusal before the request is validated. */
  async function expectRefused(client: Client, code: string): Promise<void> {
    expectError(await client.post('/svc/survey/create', { nonsense: true }), 401, code);
  }

  it('is required, and not empty (section 7)', async () => {
    await expectRefused(service.client, 'api_key_missing');
    await expectRefused(service.client.withKey(''), 'api_key_missing');
  });

  it.each(['x', 'csk_', 'csk_123', 'sk_live_0123456789', '../../etc/passwd', "' OR 1=1 --"])(
    'is refused when malformed: %s',
    async (malformed) => {
      await expectRefused(service.client.withKey(malformed), 'api_key_invalid');
    },
  );

  it('is refused when any one of its characters is mistyped', async () => {
    for (let index = 4; index < key.length; index += 1) {
      const other = BASE62[(BASE62.indexOf(key[index]!) + 1) % BASE62.length]!;
      const mistyped = key.slice(0, index) + other + key.slice(index + 1);
      expect(isWellFormedKey(mistyped)).toBe(false);
      await expectRefused(service.client.withKey(mistyped), 'api_key_invalid');
    }
  });

  it('is refused in another case, with extra characters, and when sent twice', async () => {
    for (const wrong of [key.toUpperCase(), `${key}0`, `${key}, ${key}`]) {
      await expectRefused(service.client.withKey(wrong), 'api_key_invalid');
    }
  });

  it('is refused when well formed but unknown', async () => {
    const { key_id, api_key } = await generate({});
    await service.dataSource.query('DELETE FROM api_key WHERE key_id = $1', [key_id]);
    await expectRefused(service.client.withKey(api_key), 'api_key_invalid');
  });

  it('is refused once its company is deleted', async () => {
    const gone = await registerCompany(service.client);
    await service.dataSource.query('DELETE FROM company WHERE company_id = $1', [
      storedEnvironment(gone.companyId),
    ]);
    await expectRefused(gone.api, 'api_key_invalid');
  });

  it('is refused once expired and not before', async () => {
    const { key_id, api_key } = await generate({ expires_at: '2099-12-31T23:59:59Z' });
    const client = service.client.withKey(api_key);
    await createSurvey(client);
    await service.app
      .get(CredentialKeysService)
      .whileChanging(() =>
        service.dataSource.query(
          `UPDATE api_key SET expires_at = now() - interval '1 second' WHERE key_id = $1`,
          [key_id],
        ),
      );
    await expectRefused(client, 'api_key_expired');
  });

  it('is ignored in the query string and the body', async () => {
    for (const name of ['api_key', 'X-API-Key', 'x-api-key']) {
      const answer = await service.client.post(`/svc/survey/create?${name}=${key}`, {
        [name]: key,
      });
      expectError(answer, 401, 'api_key_missing');
    }
  });
});
