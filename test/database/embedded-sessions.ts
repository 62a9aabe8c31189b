import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';
import { EmbeddedSocket } from '../../src/platform/database/embedded-socket';
import { PostgresClient } from '../../src/platform/database/postgres-client';
import { onEmbedded } from '../support/engines';

onEmbedded('a session of the embedded database', () => {
  let database: PGlite;

  beforeAll(async () => {
    database = new PGlite();
    await database.exec('CREATE TABLE kept (id integer PRIMARY KEY)');
  });

  afterAll(() => database.close());

  const settings = {
    user: 'postgres',
    ssl: false,
    stream: () => new EmbeddedSocket(database),
  };

  async function connect(to = database): Promise<PostgresClient> {
    const client = new PostgresClient({ ...settings, stream: () => new EmbeddedSocket(to) });
    await client.connect();
    return client;
  }

  it('leaves nothing to the next one: no transaction, no prepared statement, no setting', async () => {
    const first = await connect();
    await first.query(`SET work_mem = '5MB'`);
    await first.query('BEGIN');
    await first.query('INSERT INTO kept VALUES ($1)', [1]);
    await first.end();
    const next = await connect();
    const [{ work_mem: setting }] = (await next.query('SHOW work_mem')).rows;
    expect(setting).not.toBe('5MB');
    expect((await next.query('INSERT INTO kept VALUES ($1)', [1])).rowCount).toBe(1);
    await next.end();
  });

  it('never runs what a broken connection has left undone', async () => {
    const first = await connect();
    const undone = expect(first.query('BEGIN')).rejects.toThrow('Connection terminated');
    void first.end();
    const next = await connect();
    await undone;
    expect(database.Module._IsTransactionBlock()).toBe(0);
    await next.end();
  });

  it.each([
    ['are gone', 'DEALLOCATE ALL', '26000'],
    ['have other columns', 'ALTER TABLE counted ALTER number TYPE bigint', '0A000'],
  ])('begins anew if its prepared statements %s', async (_, change, code) => {
    await database.exec('CREATE TABLE IF NOT EXISTS counted (number integer)');
    const pool = new Pool({ ...settings, Client: PostgresClient, max: 1 });
    const inPool = async (...statement: [string, unknown[]?]) => {
      const client = await pool.connect();
      return client.query(...statement).finally(() => {
        client.release();
      });
    };
    const numbers = async () =>
      (await inPool('SELECT number FROM counted WHERE number > $1', [0])).rows;
    expect(await numbers()).toEqual([]);
    await inPool(change);
    await expect(numbers()).rejects.toMatchObject({ code });
    expect(await numbers()).toEqual([]);
    await pool.end();
  });

  it('goes on after errors', async () => {
    const client = await connect();
    const quotient = 'SELECT 6 / $1::integer AS quotient';
    const outcomes: unknown[] = [];
    for (const [statement, ...values] of [
      [quotient, 0],
      [quotient, 2],
      ['SELECT $1::integer FROM nowhere', 1],
      ['SELECT 1; SELECT 2 FROM nowhere; SELECT 3'],
      [quotient, 3],
    ] as const) {
      const outcome = client.query(statement, [...values]);
      outcomes.push(
        await outcome.then(
          ({ rows }) => rows,
          (error: unknown) => (error as { code: string }).code,
        ),
      );
    }
    expect(outcomes).toEqual(['22012', [{ quotient: 3 }], '42P01', '42P01', [{ quotient: 2 }]]);
    await client.end();
  });

  it('returns what is larger than any buffer, byte for byte', async () => {
    const client = await connect();
    const text = 'ä€😀'.repeat(500_000);
    const { rows } = await client.query('SELECT $1::text AS text FROM generate_series(1, 2)', [
      text,
    ]);
    expect(rows.every((row) => row.text === text)).toBe(true);
    await client.end();
  });

  it('lets other work run between two statements that wait', async () => {
    const pool = new Pool({ ...settings, Client: PostgresClient, max: 1 });
    await pool.query('SELECT 1');
    let turns = 0;
    const count = () => {
      turns += 1;
      turn = setImmediate(count);
    };
    let turn = setImmediate(count);
    await Promise.all(Array.from({ length: 10 }, () => pool.query('SELECT $1::integer', [1])));
    clearImmediate(turn);
    expect(turns).toBeGreaterThanOrEqual(10);
    await pool.end();
  });

  it('refuses statements after the database was closed', async () => {
    const closed = new PGlite();
    const client = await connect(closed);
    await closed.close();
    await expect(client.query('SELECT 1')).rejects.toThrow('PGlite is closed');
  });
});
