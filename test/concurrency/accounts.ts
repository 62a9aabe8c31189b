import { Answer, PASSWORD, registerCompany } from '../support/client';
import { generateKey } from '../support/keys';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

describe('concurrent changes of accounts and keys', () => {
  it('register exactly one of twenty companies with the same email', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const email = index % 2 === 0 ? 'racer@example.com' : 'RACER@example.com';
        const company = { name: 'Racer', email, password: PASSWORD };
        return service.client.post('/api/company/create', company);
      }),
    );
    const losers = answers.filter(({ status }) => status !== 200);
    expect(losers).toHaveLength(19);
    losers.forEach((answer) => expectError(answer, 409, 'email_taken'));
    const rows = await service.dataSource.query(
      `SELECT FROM company WHERE lower(email) = 'racer@example.com'`,
    );
    expect(rows).toHaveLength(1);
  });

  it('make one new key when a key is rotated many times', async () => {
    const { account } = await registerCompany(service.client);
    const old = await generateKey(account, service.client, { name: 'raced' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => account.post('/svc/api-key/rotate', { key_id: old.key_id })),
    );
    const [made, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const answer of answers.filter((each) => each !== made)) {
      expectError(answer, 404, 'api_key_not_found');
    }
    const [{ count }] = await service.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::int FROM api_key WHERE name = 'raced'`,
    );
    expect(count).toBe(2);
    const use = (api: { get(path: string): Promise<Answer> }) => api.get('/svc/campaign/list');
    expect((await use(service.client.withKey(made!.body.data.api_key))).status).toBe(200);
    expectError(await use(old.api), 401, 'api_key_revoked');
  });
});
