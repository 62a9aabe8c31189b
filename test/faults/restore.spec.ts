import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { askFeed, feedPage, FeedPage } from '../support/feed';
import { prepayIn } from '../support/balance';
import { begun, expectReconciled, liveSurvey, submit } from '../support/fielding';
import { generateKey } from '../support/keys';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';

const GUIDE = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const [, SECTION = ''] = /^## Backups\n(.*?)^## /ms.exec(GUIDE) ?? [];
const BLOCKS = [...SECTION.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) => block);

describe('a backup of PostgreSQL, restored with the commands of the guide', () => {
  let cluster: PostgresCluster;
  let service: RunningService;
  let api: Client;
  let credentials: Record<string, string> = {};
  let post_id: string;

  /** Starts the service on a database, with the credentials of the company. */
  async function start(database = 'campaign'): Promise<void> {
    service = await runService({ DATABASE_URL: cluster.url(database) });
    api = new Client(service.url, credentials);
  }

  /** The block of the guide that begins with a command, on this server's folder. */
  function block(beginning: string, moment = ''): string {
    const found = BLOCKS.filter((each) => each.startsWith(beginning));
    expect(found).toHaveLength(1);
    return found[0]!
      .replaceAll('/srv/backups', cluster.directory)
      .replace('"$DATABASE_URL"', `'${cluster.url()}'`)
      .replace('base-2026-01-15', 'base-*')
      .replace('2026-01-15 09:30:00+00', moment);
  }

  /** Lets somebody take part, and returns the feed once it has all of it. */
  async function takePart(respondent: string): Promise<FeedPage> {
    const participation = await begun(api, post_id, respondent);
    await submit(api, participation, 8);
    let page!: FeedPage;
    await eventually(async () => {
      page = await feedPage(api, { limit: 1_000 });
      expect(page.items.at(-1)?.subject).toBe(participation.participation_id);
    });
    return page;
  }

  /**
   * Expects exactly what was there at the backup, books that balance, and what clients are told:
   * the feed refuses a position after its end, and gives known numbers to other events.
   */
  async function expectRestored(before: FeedPage, after: FeedPage): Promise<void> {
    expect(after.last_seq).toBe(before.last_seq + 1);
    expect((await feedPage(api, { limit: 1_000 })).items).toEqual(before.items);
    expect((await askFeed(api, { after: after.last_seq })).body.error?.code).toBe(
      'feed_position_unknown',
    );
    await expectReconciled(api);
    const again = await takePart('eve');
    const [known, other] = [after, again].map(({ items }) => items.at(-1)!);
    expect(other!.seq).toBe(known!.seq);
    expect(other!.event_id).not.toBe(known!.event_id);
    expect(other!.changes.answered!.new).toBe(known!.changes.answered!.new);
    await expectReconciled(api);
  }

  beforeAll(async () => {
    build();
    cluster = await PostgresCluster.create();
    await cluster.shell(`mkdir wal && cat >> data/postgresql.conf <<'END'
${block('archive_mode')}END`);
    await cluster.stop('fast');
    await cluster.start();
    await cluster.query('CREATE ROLE campaign_owner');
  });

  beforeEach(async () => {
    await start();
    const { account, companyId } = await registerCompany(service.client);
    await prepayIn(cluster.url(), companyId.replace('co_', 'test_'), 1_000);
    ({ api } = await generateKey(account, service.client, { mode: 'test' }));
    credentials = api.headers;
    post_id = await liveSurvey({ api }, { max_responses: 100, budget: 1_000 });
  });

  afterEach(async () => {
    await service.stop();
  });

  afterAll(async () => {
    await cluster.shell('pg_ctl stop --wait --mode=immediate --pgdata=restored || true');
    await cluster.remove();
  });

  it('is a dump, restored into a new database', async () => {
    const before = await takePart('ann');
    await cluster.shell(block('pg_dump'));
    const after = await takePart('bob');
    await service.stop();
    await cluster.shell(block('createdb'));
    await start('campaign_restored');
    await expectRestored(before, after);
  });

  it('is a base backup and the log, recovered up to a moment', async () => {
    await cluster.shell(block('pg_basebackup'));
    const before = await takePart('ann');
    const [{ moment }] = (await cluster.query('SELECT clock_timestamp()::text AS moment')) as [
      { moment: string },
    ];
    const after = await takePart('bob');
    await service.stop();
    await cluster.shell(block('pg_ctl stop'));
    await cluster.shell(block('cp -a', moment));
    await eventually(async () => {
      expect(await cluster.query('SELECT pg_is_in_recovery()')).toEqual([
        { pg_is_in_recovery: false },
      ]);
    });
    await start();
    await expectRestored(before, after);
  });
});
