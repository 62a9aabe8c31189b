import { createSurvey, question } from '../support/builders';
import { runOn } from '../support/citus';
import { Client, registerCompany } from '../support/client';
import { createSeparateDatabases } from '../support/databases';
import { isUnavailable } from '../support/write-load';
import { build, outputOf, RunningService, runService, runToEnd } from '../support/process';

const MIGRATE = 'src/platform/database/migrate.js';

/** The tables of the cluster, each with how it is kept and how many shards it has. */
const TABLES = `
  SELECT table_name::text AS "table", citus_table_type AS type, shard_count > 1 AS "isSpread"
  FROM citus_tables ORDER BY 1`;

const SPREAD = [
  { table: 'answer_times', type: 'distributed', isSpread: true },
  { table: 'api_key', type: 'local', isSpread: false },
  { table: 'archived_submission', type: 'distributed', isSpread: true },
  { table: 'campaign', type: 'distributed', isSpread: true },
  { table: 'campaign_progress', type: 'distributed', isSpread: true },
  { table: 'carried_balance', type: 'distributed', isSpread: true },
  { table: 'company', type: 'reference', isSpread: false },
  { table: 'deletion', type: 'distributed', isSpread: true },
  { table: 'event', type: 'distributed', isSpread: true },
  { table: 'event_sequence', type: 'distributed', isSpread: true },
  { table: 'guardrail', type: 'distributed', isSpread: true },
  { table: 'guardrail_position', type: 'distributed', isSpread: true },
  { table: 'guardrail_watch', type: 'distributed', isSpread: true },
  { table: 'idempotency_record', type: 'distributed', isSpread: true },
  { table: 'participation', type: 'distributed', isSpread: true },
  { table: 'question_set', type: 'distributed', isSpread: true },
  { table: 'tally', type: 'distributed', isSpread: true },
  { table: 'tally_position', type: 'distributed', isSpread: true },
  { table: 'transfer', type: 'distributed', isSpread: true },
  { table: 'unnumbered_event', type: 'distributed', isSpread: true },
  { table: 'webhook_delivery', type: 'distributed', isSpread: true },
  { table: 'webhook_endpoint', type: 'distributed', isSpread: true },
];

/** Whether the coordinator still has rows of a distributed table in files of its own. */
const LEFT_BEHIND = `
  SELECT table_name::text AS "table" FROM citus_tables
  WHERE citus_table_type = 'distributed' AND pg_relation_size(table_name) > 0`;

const SHARD_COUNTS = `
  SELECT DISTINCT shard_count::integer AS shards FROM citus_tables
  WHERE citus_table_type = 'distributed'`;

/** The tables that the commands spread, by name. */
const SPREAD_NAMES = SPREAD.filter(({ type }) => type !== 'local').map(({ table }) => table);

describe('The commands on the database of a coordinator', () => {
  let database: Awaited<ReturnType<typeof createSeparateDatabases>>;
  let DATABASE_URL: string;
  let service: RunningService | undefined;

  beforeAll(build);

  beforeEach(async () => {
    database = await createSeparateDatabases();
    ({ DATABASE_URL } = database.variables as { DATABASE_URL: string });
  });

  afterEach(async () => {
    await service?.stop();
    await database.drop();
  });

  const command = (...args: string[]) => runToEnd(MIGRATE, { DATABASE_URL }, ...args);

  async function succeed(...args: string[]): Promise<Record<string, unknown>> {
    const printed = await outputOf(MIGRATE, { DATABASE_URL }, ...args);
    return JSON.parse(printed) as Record<string, unknown>;
  }

  const start = async () => {
    service = await runService({ DATABASE_URL });
    return service.client;
  };

  it('refuse a number of shards that is none', async () => {
    const { code, stderr } = await command('distribute', '--shards', '0');
    expect([code, stderr]).toEqual([
      1,
      '--shards must be a whole number from 1 to 99999, not "0".\n',
    ]);
  });

  it('refuse to distribute over no cluster', async () => {
    expect(await command('distribute')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This database has no Citus extension, so there is nothing to distribute over.\n',
    });
  });

  it('refuse to distribute without a worker, where the service is not ready either', async () => {
    await succeed();
    await database.join(1);
    expect(await command('distribute')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'This Citus coordinator has no worker: add one with citus_add_node() first.\n',
    });
    const client = await start();
    const answer = await client.get('/health/ready');
    expect(isUnavailable(answer)).toBe(true);
    expect(answer.body.message).toBe('The Citus coordinator has no worker.');
  });

  it('spread the tables as they migrate, and take all of them back', async () => {
    await database.join();
    const { applied } = await succeed();
    expect(await runOn(DATABASE_URL, TABLES)).toEqual(SPREAD);
    expect(await succeed('distribute')).toMatchObject({
      tables: [],
      msg: 'tables are distributed already',
    });
    await succeed('revert');
    expect(await runOn(DATABASE_URL, TABLES)).toEqual([]);
    expect(await succeed('run', '--shards', '4')).toMatchObject({ applied });
    expect(await runOn(DATABASE_URL, TABLES)).toEqual(SPREAD);
    expect(await runOn(DATABASE_URL, SHARD_COUNTS)).toEqual([{ shards: 4 }]);
  });

  it('spread the tables of a database that is in use, with all that is in them', async () => {
    await succeed();
    let client = await start();
    const { account, api } = await registerCompany(client);
    const { post_id } = await createSurvey(api);
    await api.post('/svc/survey/questions', { post_id, questions: [question()] });
    const paths = [
      `/svc/campaign/${post_id}`,
      `/svc/campaign/${post_id}/history`,
      `/svc/campaign/${post_id}/questions/history`,
      '/svc/campaign/list',
    ];
    const read = (reader: Client) =>
      Promise.all(paths.map(async (path) => (await reader.get(path)).body.data));
    const before = await read(api);
    await service!.stop();

    await database.join();
    expect(await succeed('distribute')).toMatchObject({
      tables: SPREAD_NAMES,
      msg: 'tables distributed',
    });
    expect(await runOn(DATABASE_URL, TABLES)).toEqual(SPREAD);
    expect(await runOn(DATABASE_URL, LEFT_BEHIND)).toEqual([]);

    client = await start();
    const moved = new Client(client.url, api.headers);
    expect(await read(moved)).toEqual(before);
    await moved.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    const history = await moved.get(`/svc/campaign/${post_id}/history`);
    expect(history.body.data.items).toHaveLength(3);
    const generated = await new Client(client.url, account.headers).post('/svc/api-key/generate');
    expect(generated.status).toBe(200);
    const created = await createSurvey(moved);
    expect(created.id).toBeGreaterThan(before[0].id);
  });
});
