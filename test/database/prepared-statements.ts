import { PostgresClient } from '../../src/platform/database/postgres-client';
import { postgresUrl } from '../support/databases';
import { onPostgres } from '../support/engines';

/** Connects a session, and counts how often the server describes the columns of a statement. */
async function connect() {
  const client = new PostgresClient({ connectionString: postgresUrl });
  const described = jest.fn();
  await client.connect();
  client.connection.on('rowDescription', described);
  const rows = async (statement: string, ...values: unknown[]) =>
    (await client.query(statement, values)).rows;
  return { client, described, rows };
}

onPostgres('a prepared statement (PostgreSQL only)', () => {
  let sessions: Awaited<ReturnType<typeof connect>>[];

  beforeEach(async () => {
    sessions = await Promise.all([connect(), connect()]);
  });

  afterEach(async () => {
    await Promise.all(sessions.map(({ client }) => client.end()));
  });

  it('has its columns described once in a session, and returns the same rows as before', async () => {
    const [{ rows, described }] = sessions as [(typeof sessions)[0]];
    const statement = `SELECT number, number::text AS text, NULL AS nothing, ARRAY[number] AS list
      FROM generate_series(1, $1::integer) AS number`;
    const row = (number: number) => ({
      number,
      text: String(number),
      nothing: null,
      list: [number],
    });
    expect(await rows(statement, 2)).toEqual([row(1), row(2)]);
    expect(await rows(statement, 0)).toEqual([]);
    expect(await rows(statement, 3)).toEqual([row(1), row(2), row(3)]);
    expect(described).toHaveBeenCalledTimes(1);
  });

  it('has the columns of its own session, whatever the same text returns in another one', async () => {
    const statement = 'SELECT value FROM own WHERE $1::boolean';
    const values: unknown[] = [];
    for (const [{ client }, type] of [
      [sessions[0]!, 'integer'],
      [sessions[1]!, 'text'],
    ] as const) {
      await client.query(`CREATE TEMPORARY TABLE own AS SELECT 1::${type} AS value`);
    }
    for (const { rows } of [...sessions, ...sessions, ...sessions]) {
      values.push(...(await rows(statement, true)).map(({ value }) => value));
    }
    expect(values).toEqual([1, '1', 1, '1', 1, '1']);
  });

  it('works again after it has failed', async () => {
    const [{ rows }] = sessions as [(typeof sessions)[0]];
    const statement = 'SELECT 6 / $1::integer AS quotient';
    for (const expected of [3, 2]) {
      await expect(rows(statement, 0)).rejects.toMatchObject({ code: '22012' });
      expect(await rows(statement, 6 / expected)).toEqual([{ quotient: expected }]);
    }
  });

  it('can return no columns', async () => {
    const [{ client, rows }] = sessions as [(typeof sessions)[0]];
    await client.query('CREATE TEMPORARY TABLE numbers (number integer)');
    for (const number of [1, 2]) {
      const inserted = await client.query('INSERT INTO numbers VALUES ($1)', [number]);
      expect(inserted).toMatchObject({ rowCount: 1, rows: [] });
    }
    expect(await rows('SELECT sum(number)::integer FROM numbers WHERE $1', true)).toEqual([
      { sum: 3 },
    ]);
  });
});
