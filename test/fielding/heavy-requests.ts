import { Client as PostgresConnection } from 'pg';
import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import { onPostgres } from '../support/engines';
import { generateKey } from '../support/keys';
import { service } from '../support/service';

/** More than the service has database connections. */
const REQUESTS = 30;

// The embedded database has one connection.
onPostgres('heavy requests of one company', () => {
  it.each([
    ['/svc/ledger/reconcile', 'participation'],
    ['/svc/campaign/:post_id/results', 'tally_position'],
  ])('leave connections for others, and are refused if too many wait: %s', async (path, table) => {
    const company = await registerCompany(service.client);
    const { api: tester } = await generateKey(company.account, service.client, { mode: 'test' });
    const requests = await Promise.all(
      [company.api, tester].map(async (api) => {
        const { post_id } = await createSurvey(api);
        return () => api.get(path.replace(':post_id', post_id));
      }),
    );
    const other = await registerCompany(service.client);
    const [{ name }] = await service.dataSource.query('SELECT current_database() AS name');
    const url = Object.assign(new URL(postgresUrl!), { pathname: `/${name}` });
    const connection = new PostgresConnection({ connectionString: url.href });
    await connection.connect();
    // The requests wait for this lock, each on a connection of its own.
    await connection.query(`BEGIN; LOCK TABLE ${table}`);
    let refused = 0;
    const heavy = Array.from({ length: REQUESTS }, async (_, index) => {
      const { status, body } = await requests[index % 2]!();
      refused += status === 429 ? 1 : 0;
      return `${status} ${body.error?.code ?? 'success'}`;
    });
    while (refused < REQUESTS - 22) {
      expect((await other.api.get('/svc/campaign/list')).status).toBe(200);
    }
    await createSurvey(other.api);
    expect((await company.api.get('/svc/campaign/list')).status).toBe(200);
    await connection.query('ROLLBACK');
    await connection.end();
    const outcomes = (await Promise.all(heavy)).toSorted();
    expect(outcomes).toEqual([
      ...Array<string>(22).fill('200 success'),
      ...Array<string>(REQUESTS - 22).fill('429 rate_limited'),
    ]);
  });
});
