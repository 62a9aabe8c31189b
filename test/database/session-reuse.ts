import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/platform/database/data-source';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onPostgres } from '../support/engines';
import { testEnv } from '../support/env';
import { service } from '../support/service';

onPostgres('a session (PostgreSQL only)', () => {
  it('compiles no statement, however expensive the planner thinks it is', async () => {
    const [{ jit }] = await service.dataSource.query<[{ jit: string }]>('SHOW jit');
    expect(jit).toBe('off');
  });
});

onPostgres('a session that is of no use any more (PostgreSQL only)', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await createDataSource(testEnv(database.variables)).initialize();
  });

  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const session = 'SELECT pg_backend_pid() AS pid';

  it('is never used again after its transaction could not be rolled back', async () => {
    const [before] = await dataSource.query<[{ pid: number }]>(session);
    const failed = dataSource.transaction((outer) =>
      outer.transaction(async (inner) => {
        // Makes the rollback of the savepoint fail, as the loss of a cluster's node does.
        await inner.query('RELEASE SAVEPOINT typeorm_1');
        throw new Error('the work failed');
      }),
    );
    await expect(failed).rejects.toThrow('the work failed');
    const [after] = await dataSource.query<[{ pid: number }]>(session);
    expect(after.pid).not.toBe(before.pid);
  });

  it.each([
    ['a statement', () => dataSource.query('DELETE FROM lease')],
    [
      'a transaction',
      () => dataSource.transaction((manager) => manager.query('DELETE FROM lease')),
    ],
  ])('is never used again after its server has refused %s as read-only', async (_, write) => {
    const [before] = await dataSource.query<[{ pid: number }]>(session);
    // As after a failover, when the server is a standby.
    await dataSource.query('SET default_transaction_read_only = on');
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    const [after] = await dataSource.query<[{ pid: number }]>(session);
    expect(after.pid).not.toBe(before.pid);
    await write();
  });
});
