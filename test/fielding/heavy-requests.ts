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
  it('leave connections for other companies, and are refused if too many wait', async () => {
    const company = await registerCompany(service.client);
    const { api: tester } = await generateKey(company.account, service.client, { mode: 'test' });
    const other = await registerCompany(service.client);
    const [{ name }] = await service.dataSource.query('SELECT current_database() AS name');
    const url = Object.assign(new URL(postgresUrl!), { pathname: `/${name}` });
    const connection = new PostgresConnection({ connectionString: url.href });
    await connection.connect();
    // Reconciliations wait for this lock, each on a connection of its own.
    await connection.query('BEGIN; LOCK TABLE participation');
    let refused = 0;
    const reconciliations = Array.from({ length: REQUESTS }, async (_, index) => {
      const { status, body } = await (index % 2 === 0 ? company.api : tester).get(
        '/svc/ledger/reconcile',
      );
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
    const outcomes = (await Promise.all(reconciliations)).toSorted();
    expect(outcomes).toEqual([
      ...Array<string>(22).fill('200 success'),
      ...Array<string>(REQUESTS - 22).fill('429 rate_limited'),
    ]);
  });
});
