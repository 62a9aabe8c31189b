import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { rowsOf } from '../support/archives';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import {
  createTestDatabase,
  postgresUrl,
  temporaryDirectory,
  TestDatabase,
} from '../support/databases';
import { eventually } from '../support/eventually';
import { allEvents, askFeed, FeedEvent } from '../support/feed';
import { begun, expectReconciled, start } from '../support/fielding';
import { build, outputOf, run, RunningService, runService, runToEnd } from '../support/process';

const COMMAND = 'src/operations/archive/command.js';
const PLATFORM_KEY = 'src/access/platform-key/command.js';
const RECONCILE = 'src/insight/ledger/command.js';

/** Companies, each with a key and a campaign, which is changed, started and stopped. */
const COMPANIES = 6;
const EVENTS = 5;

/** Of a respondent who has abandoned each campaign. */
const TRANSFERS = 2;

const BEFORE = new Date(Date.now() + 3_600_000).toISOString();

beforeAll(build);

describe('the archive command', () => {
  let database: TestDatabase;
  let service: RunningService;
  let folder: string;
  let companies: { company: TestCompany; postId: string; events: FeedEvent[]; transfers: any[] }[];

  const startService = () => runService({ ...database.variables, LOG_LEVEL: 'info' });

  beforeEach(async () => {
    database = await createTestDatabase();
    service = await startService();
    folder = temporaryDirectory();
    companies = [];
    const key = await outputOf(PLATFORM_KEY, database.variables, 'generate', '--name', 'app');
    const platform = service.client.withKey(/cpk_\w+/.exec(key)![0]);
    for (let number = 0; number < COMPANIES; number += 1) {
      const company = await registerCompany(service.client);
      const { post_id: postId } = await createSurvey(company.api);
      await company.api.patch('/svc/campaign/update', { post_id: postId, title: 'New' });
      await start(company.api, postId);
      const { post_id, participation_id } = await begun(platform, postId, 'ann');
      await platform.post('/svc/fielding/abandon', { post_id, participation_id });
      await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
      const events = await allEvents(company.api, EVENTS);
      await company.api.get(`/svc/campaign/${postId}/results`);
      const { body } = await company.api.get('/svc/ledger/list');
      companies.push({ company, postId, events, transfers: body.data.items });
    }
  });

  afterEach(async () => {
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const succeed = (...args: string[]) => outputOf(COMMAND, database.variables, ...args);

  const archived = () => readdirSync(folder).filter((name) => name.startsWith('co_')).length;

  /** Expects an archive of everything, which the service no longer has. */
  async function expectComplete(): Promise<void> {
    expect(await outputOf(COMMAND, {}, 'verify', folder)).toMatch(
      new RegExp(
        `^Verified ${(EVENTS + TRANSFERS) * COMPANIES} rows in ${2 * COMPANIES} files ` +
          `of ${COMPANIES} companies.`,
      ),
    );
    for (const { company, events, transfers } of companies) {
      const { api, companyId } = company;
      expect(rowsOf(folder, companyId, 'events')).toEqual(events);
      expect(transfers).toHaveLength(TRANSFERS);
      expect(rowsOf(folder, companyId, 'transfers')).toEqual(transfers.toReversed());
      const client = new Client(service.url, api.headers);
      expect((await askFeed(client)).body.error).toMatchObject({ first_seq: EVENTS + 1 });
      expect((await askFeed(client, { after: EVENTS })).body.data).toMatchObject({
        last_seq: EVENTS,
      });
      const { body } = await client.get('/svc/ledger/list');
      expect(body.data).toEqual({ items: [], next_cursor: null, archived: true });
      await expectReconciled(client);
    }
  }

  it('archives beside the running service, on the embedded database through it', async () => {
    expect(await succeed('--before', BEFORE, '--to', folder)).toBe(
      `Archived ${EVENTS * COMPANIES} events, 0 deliveries and ${TRANSFERS * COMPANIES} transfers ` +
        `of ${COMPANIES} companies.\n`,
    );
    await expectComplete();
    expect(await succeed('--before', BEFORE, '--to', folder)).toContain('Archived 0 events');
    const { companyId } = companies[0]!.company;
    expect(await runToEnd(RECONCILE, database.variables, companyId)).toEqual({
      code: 0,
      stdout: `Compared 1 participations of ${companyId}: the books balance.\n`,
      stderr: '',
    });
    const unknown = await runToEnd(RECONCILE, database.variables, `co_0${'1'.repeat(25)}`);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no company co_01+\.\n$/),
    ]);
  });

  it('continues after kills at any moment', async () => {
    for (let reached = 1; reached < COMPANIES; reached += 2) {
      const client = run(COMMAND, database.variables, '--before', BEFORE, '--to', folder);
      await untilArchived(reached, client.exitCode);
      if (postgresUrl === undefined) {
        // The service does the work: it is killed.
        await Promise.all([service.kill(), client.exitCode]);
        service = await startService();
      } else {
        await client.kill();
      }
    }
    await succeed('--before', BEFORE, '--to', folder);
    await expectComplete();
  });

  /** Looks without a pause, so that the kill that follows comes in the middle of the work. */
  async function untilArchived(count: number, end: Promise<unknown>): Promise<void> {
    const state = { ended: false };
    void end.then(() => {
      state.ended = true;
    });
    while (!state.ended && archived() < count) {
      await nextTurn();
    }
  }

  it('resolves a relative folder from where it is called', async () => {
    expect(existsSync(join(__dirname, '../support/relative'))).toBe(false);
    await succeed('--before', BEFORE, '--to', './relative');
    // `runToEnd` starts programs in test/support.
    const made = join(__dirname, '../support/relative');
    const names = readdirSync(made);
    rmSync(made, { recursive: true });
    // A folder for each company, that of the deleted one among them, and the list of companies.
    expect(names).toHaveLength(COMPANIES + 2);
    expect(names).toContain('companies.txt');
  });

  it('archives nothing that is newer', async () => {
    const output = await succeed('--before', '2020-01-01T00:00:00Z', '--to', folder);
    expect(output).toBe('Archived 0 events, 0 deliveries and 0 transfers of 0 companies.\n');
    expect(archived()).toBe(0);
    await eventually(async () => {
      expect((await askFeed(companies[0]!.company.api)).status).toBe(200);
    });
  });
});

describe('the arguments of the archive command', () => {
  const command = (...args: string[]) => runToEnd(COMMAND, { DATA_DIR: '/nowhere' }, ...args);

  it('are refused in a line, before a database is opened', async () => {
    const { code, stdout, stderr } = await command('--all');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/Unknown option '--all'/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('are explained', async () => {
    expect(await command('--help')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('Usage: npm run archive'),
    });
  });
});
