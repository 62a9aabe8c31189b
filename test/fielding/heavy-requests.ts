import { Client as PostgresConnection } from 'pg';
import { createSurvey } from '../support/builders';
import { Answer, Client, registerCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import { onPostgres } from '../support/engines';
import { begun, liveSurvey, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { service } from '../support/service';

/** More than the service has database connections. */
const REQUESTS = 30;

type Ask = () => Promise<Answer>;

const reading =
  (path: string) =>
  (keys: Client[]): Promise<Ask[]> =>
    Promise.all(
      keys.map(async (api) => {
        const { post_id } = await createSurvey(api);
        return () => api.get(path.replace(':post_id', post_id));
      }),
    );

/** A test key acts as a platform too. */
async function reversing([, tester]: [Client, Client]): Promise<Ask[]> {
  const post_id = await liveSurvey({ api: tester });
  return Promise.all(
    ['ann', 'bob'].map(async (respondent) => {
      const { participation_id } = await begun(tester, post_id, respondent);
      await submit(tester, { post_id, participation_id }, 9);
      return () =>
        tester.post('/svc/fielding/reverse', { post_id, participation_id, reason: 'Too fast' });
    }),
  );
}

// The embedded database has one connection.
onPostgres('heavy requests of one company', () => {
  it.each<[path: string, table: string, prepare: (keys: [Client, Client]) => Promise<Ask[]>]>([
    ['/svc/ledger/reconcile', 'participation', reading('/svc/ledger/reconcile')],
    ['results', 'tally_position', reading('/svc/campaign/:post_id/results')],
    ['/svc/fielding/reverse', 'tally_position', reversing],
  ])('leave connections for others, and are refused if too many wait: %s', async (_, table, of) => {
    const company = await registerCompany(service.client);
    const { api: tester } = await generateKey(company.account, service.client, { mode: 'test' });
    const requests = await of([company.api, tester]);
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
