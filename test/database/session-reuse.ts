import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { testEnv } from '../support/env';

const onPostgres = postgresUrl === undefined ? describe.skip : describe;

onPostgres('a session whose transaction could not be rolled back (PostgreSQL only)', () => {
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

  it('is never used again', async () => {
    const session = 'SELECT pg_backend_pid() AS pid';
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
});
