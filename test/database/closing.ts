import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { onEmbedded } from '../support/engines';
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
