import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/platform/database/data-source';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onEmbedded, onPostgres } from '../support/engines';
import { testEnv } from '../support/env';
import { eventually } from '../support/eventually';

onEmbedded('closing the embedded database', () => {
  let database: TestDatabase;
  let open: DataSource;

  const connect = async () =>
    (open = await createDataSource(testEnv(database.variables)).initialize());

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await open.destroy();
    await database.drop();
  });

  it('ends after the transaction under way, and stores nothing of one that waits', async () => {
    const dataSource = await connect();
    const { master: pool } = dataSource.driver as unknown as { master: Pool };
    await dataSource.query('CREATE TABLE part (name text)');
    let goOn!: () => void;
    const told = new Promise<void>((resolve) => (goOn = resolve));
    const store = (transaction: string, begin?: () => void) =>
      dataSource.transaction(async (manager) => {
        await manager.query('INSERT INTO part VALUES ($1)', [`${transaction}, begun`]);
        begin?.();
        await told;
        await manager.query('INSERT INTO part VALUES ($1)', [`${transaction}, ended`]);
      });
    let running!: Promise<void>;
    await new Promise<void>((begin) => {
      running = store('first', begin);
    });
    void store('second');
    await eventually(() => {
      expect(pool.waitingCount).toBe(1);
    });
    const closing = dataSource.destroy();
    goOn();
    await Promise.allSettled([running, closing]);

    const parts = await (await connect()).query<{ name: string }[]>('SELECT name FROM part');
    expect(parts.map(({ name }) => name)).toEqual(['first, begun', 'first, ended']);
  });
});

onPostgres('closing the connections (PostgreSQL only)', () => {
  let database: TestDatabase;
  let open: DataSource[];

  beforeEach(async () => {
    database = await createTestDatabase();
    const connect = () => createDataSource(testEnv(database.variables)).initialize();
    open = [await connect(), await connect()];
  });

  afterEach(async () => {
    for (const each of open.filter(({ isInitialized }) => isInitialized)) {
      await each.destroy();
    }
    await database.drop();
  });

  it('waits for no statement, with or without a transaction', async () => {
    const [other, closed] = open as [DataSource, DataSource];
    await other.createQueryRunner().query('SELECT pg_advisory_lock(1)');
    const wait = 'SELECT pg_advisory_lock($1)';
    const waiting = [
      closed.query(wait, [1]),
      closed.transaction((manager) => manager.query(wait, [1])),
    ].map((statement) => statement.catch(String));
    await eventually(async () => {
      const locks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      expect(await other.query(locks)).toHaveLength(2);
    });
    await closed.destroy();
    for (const error of await Promise.all(waiting)) {
      expect(error).toMatch(/Connection terminated/);
    }
  });
});
