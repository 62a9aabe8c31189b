import { Client as PostgresConnection } from 'pg';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { createTestDatabase, postgresUrl, TestDatabase } from '../support/databases';
import { itOnPostgres, onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { feedPage } from '../support/feed';
import { expectOrder, FeedReader } from '../support/feed-reader';
import { figures } from '../support/figures';
import { Instances } from '../support/instances';
import { build, RunningService, runService } from '../support/process';
import { shortest } from '../support/shortest';

const isPostgres = postgresUrl !== undefined;

/** Changes by all writers, and how many write and read at once. */
const CHANGES = Number(process.env.EVENT_CHANGES ?? 400);
const WRITERS = Number(process.env.EVENT_WRITERS ?? 8);
const READERS = Number(process.env.EVENT_READERS ?? 8);

/** Milliseconds for which a transaction stays open. */
const HELD = Number(process.env.EVENT_HELD_MS ?? 2_000);

/** Milliseconds from a write until its event is in the feed. */
const PROMPT = 1_000;

/** The filters of the readers, and which events they leave. */
const FILTERS = [
  { query: { limit: 50 }, types: undefined },
  { query: { limit: 7, types: 'campaign.started' }, types: ['campaign.started'] },
  { query: { limit: 1_000 }, types: undefined },
  {
    query: { types: 'campaign.updated,campaign.stopped' },
    types: ['campaign.updated', 'campaign.stopped'],
  },
];

describe('the event feed', () => {
  const running = new Instances();
  const clients: Client[] = [];
  let variables: NodeJS.ProcessEnv;
  let companies: TestCompany[];

  beforeAll(async () => {
    variables = await running.database();
    // The embedded database has one process.
    while (clients.length < (isPostgres ? 2 : 1)) {
      clients.push((await running.start(variables)).client);
    }
  });

  afterAll(() => running.drop());

  beforeEach(async () => {
    const [client] = clients as [Client];
    companies = [await registerCompany(client), await registerCompany(client)];
  });

  /** The company's clients, one for each instance. */
  const instancesFor = ({ api }: TestCompany) => clients.map((client) => client.with(api.headers));

  /** Makes changes, each of one event. Writers in turn use each instance. */
  async function write(api: Client, changes: number): Promise<void> {
    const { post_id } = await createSurvey(api);
    for (let change = 1; change < changes; change += 1) {
      const { status } = await (change % 3 === 0
        ? api.patch('/svc/campaign/toggle-live', { post_id, is_live: change % 2 === 1 })
        : api.patch('/svc/campaign/update', { post_id, title: `Title ${change}` }));
      expect(status).toBe(200);
    }
  }

  it(
    `shows each of ${CHANGES} changes once and in order to ${READERS} readers`,
    async () => {
      const started = performance.now();
      const instances = companies.map(instancesFor);
      const each = Math.floor(CHANGES / WRITERS);
      let written = false;
      const totals = companies.map(
        (_, index) =>
          1 +
          each *
            Array.from({ length: WRITERS }).filter((__, writer) => writer % 2 === index).length,
      );
      const readers = Array.from({ length: READERS }, (_, reader) => {
        const company = reader % 2;
        const filter = FILTERS[(reader >> 1) % FILTERS.length]!;
        return { company, filter, reader: new FeedReader(instances[company]!, filter.query) };
      });
      const reading = readers.map(({ company, reader }) =>
        reader.readUntil(() => (written ? totals[company] : undefined)),
      );
      const writing = Array.from({ length: WRITERS }, (_, writer) => {
        const own = instances[writer % 2]!;
        return write(own[(writer >> 1) % own.length]!, each);
      });
      await Promise.all(writing);
      written = true;
      const wrote = performance.now();
      await Promise.all(reading);
      const read = performance.now();
      for (const [company, own] of instances.entries()) {
        const { seen } = await new FeedReader(own, { limit: 1_000 }).readUntil(
          () => totals[company],
        );
        expectOrder(seen);
        expect(seen).toHaveLength(totals[company]!);
        for (const { filter, reader, ...rest } of readers) {
          if (rest.company === company) {
            const { types } = filter;
            expect(reader.to).toBe(totals[company]);
            expect(reader.seen).toEqual(
              seen.filter(({ type }) => types === undefined || types.includes(type)),
            );
          }
        }
      }
      figures(`event feed, ${CHANGES} changes`, {
        writers: WRITERS,
        readers: READERS,
        'written in ms': wrote - started,
        'all read after ms': read - wrote,
        pages: readers.reduce((sum, { reader }) => sum + reader.pages, 0),
      });
    },
    60_000 + CHANGES * 20,
  );

  onPostgres('while a transaction stays open', () => {
    /** Runs statements in a transaction on another connection, and returns what ends it. */
    async function hold(url: string, ...statements: string[]): Promise<() => Promise<void>> {
      const connection = new PostgresConnection({ connectionString: url });
      await connection.connect();
      await connection.query('BEGIN');
      for (const statement of statements) {
        await connection.query(statement);
      }
      return async () => {
        await connection.query('COMMIT');
        await connection.end();
      };
    }

    /** Makes changes for a while and expects each in the feed within a second. */
    async function expectPromptEvents(api: Client, after: number): Promise<number> {
      const end = performance.now() + HELD;
      let known = after;
      while (performance.now() < end) {
        const waited = await shortest(PROMPT, async () => {
          const { post_id } = await createSurvey(api);
          const created = performance.now();
          const page = await feedPage(api, { after: known, wait_seconds: 5 });
          known += 1;
          expect(page.items).toMatchObject([{ seq: known, subject: post_id }]);
          return performance.now() - created;
        });
        expect(waited).toBeLessThan(PROMPT);
      }
      return known;
    }

    it('shows the events of other transactions, and those of this one after its commit', async () => {
      const [{ api }] = companies as [TestCompany];
      const { post_id } = await createSurvey(api);
      await new FeedReader([api]).readUntil(() => 2);
      const commit = await hold(
        variables.DATABASE_URL!,
        `UPDATE campaign SET title = 'held' WHERE post_id = '${post_id}'`,
      );
      const known = await expectPromptEvents(api, 2);
      await commit();
      const page = await feedPage(api, { after: known, wait_seconds: 5 });
      expect(page.items).toMatchObject([
        { seq: known + 1, subject: post_id, version: 2, changes: { title: { new: 'held' } } },
      ]);
      expectOrder((await new FeedReader([api]).readUntil(() => known + 1)).seen);
    });

    it('of another database, stalls nothing', async () => {
      const [{ api }] = companies as [TestCompany];
      await new FeedReader([api]).readUntil(() => 1);
      const commit = await hold(postgresUrl!, 'SELECT pg_current_xact_id()');
      await expectPromptEvents(api, 1);
      await commit();
    });
  });
});

describe('the event feed after kill -9', () => {
  let database: TestDatabase;
  const running: RunningService[] = [];

  beforeAll(build);

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await Promise.all(running.map((service) => service.kill()));
    await database.drop();
  });

  const start = async () => {
    const service = await runService(database.variables);
    running.push(service);
    return service;
  };

  it('has every acknowledged change of the killed process, without a gap', async () => {
    const killed = await start();
    const { api } = await registerCompany(killed.client);
    const acknowledged = new Set<string>();
    let stopped = false;
    const writer = async () => {
      while (!stopped) {
        try {
          const { post_id } = await createSurvey(api);
          acknowledged.add(post_id);
        } catch {
          return;
        }
      }
    };
    const writing = Array.from({ length: 8 }, writer);
    await eventually(() => {
      expect(acknowledged.size).toBeGreaterThanOrEqual(200);
    });
    killed.process.kill('SIGKILL');
    stopped = true;
    await Promise.all(writing);
    await killed.exitCode;
    const { client } = await start();
    const other = new Client(client.url, api.headers);
    const { post_id } = await createSurvey(other);
    acknowledged.add(post_id);
    const reader = new FeedReader([other], { limit: 1_000 });
    while (acknowledged.size > 0) {
      const target = reader.to + 1;
      await reader.readUntil(() => target);
      for (const { subject } of reader.seen) {
        acknowledged.delete(subject);
      }
    }
    expectOrder(reader.seen);
  });

  itOnPostgres('goes on for the readers of another process', async () => {
    const [killed, other] = [await start(), await start()];
    const { api } = await registerCompany(killed.client);
    const second = new Client(other.client.url, api.headers);
    let acknowledged = 1;
    const writer = async () => {
      for (let change = 0; change < 100; change += 1) {
        await createSurvey(second);
        acknowledged += 1;
      }
    };
    let done = false;
    const reader = new FeedReader([second]);
    const reading = reader.readUntil(() => (done ? acknowledged : undefined));
    const writing = Promise.all(Array.from({ length: 4 }, writer));
    await eventually(() => {
      expect(acknowledged).toBeGreaterThanOrEqual(150);
    });
    killed.process.kill('SIGKILL');
    await writing;
    done = true;
    await reading;
    expect(reader.seen).toHaveLength(acknowledged);
    expectOrder(reader.seen);
  });
});
