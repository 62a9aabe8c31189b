import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { createApp } from '../../src/app.setup';
import { InvalidEnvError } from '../../src/platform/config/env';
import { DirectoryLockedError, lockDirectory } from '../../src/platform/database/directory-lock';
import { DatabaseConnectionError } from '../../src/platform/database/open-database';
import { SchemaMismatchError } from '../../src/platform/database/schema';
import { TransactionContext } from '../../src/platform/database/transaction-context';
import { question, survey } from '../support/builders';
import { Answer, Client, registerCompany } from '../support/client';
import { createTestDatabase, temporaryDirectory, withDatabase } from '../support/databases';
import { onEmbedded } from '../support/engines';
import { testEnv } from '../support/env';
import { begun, submit } from '../support/fielding';
import { platformClient } from '../support/platforms';

/** Takes the directory's lock as the service does, reports it and waits. */
const HOLDER = `
  const { openSync } = require('node:fs');
  const { tryLock } = require('fs-native-extensions');
  process.send(tryLock(openSync(process.argv[2] + '/lock', 'a+')));
  setInterval(() => {}, 1000);
`;

onEmbedded('the embedded database (not with TEST_DATABASE_URL)', () => {
  let directory: string;
  let apps: NestFastifyApplication[];

  async function start(variables: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
    const env = testEnv({ DATA_DIR: directory, ...variables });
    const app = await createApp(env, pino({ level: 'silent' }));
    apps.push(app);
    return app;
  }

  async function listen(app: NestFastifyApplication): Promise<Client> {
    await app.listen(0, '127.0.0.1');
    return new Client(await app.getUrl());
  }

  beforeEach(async () => {
    apps = [];
    const database = await createTestDatabase();
    directory = (database.variables as { DATA_DIR: string }).DATA_DIR;
  });

  afterEach(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await rm(directory, { recursive: true });
  });

  it.each([
    [
      '/proc/nowhere',
      /^The data directory \/proc\/nowhere \(DATA_DIR\) cannot be created: .*ENOENT/,
    ],
    ['/proc/nowhere/data', /^The data directory \/proc\/nowhere\/data \(DATA_DIR\) .*ENOENT/],
  ])('says which directory cannot be created: %s', async (nowhere, message) => {
    await expect(start({ DATA_DIR: nowhere })).rejects.toThrow(message);
  });

  it('refuses a second service on its directory and leaves the first unharmed', async () => {
    const client = await listen(await start());
    const { api } = await registerCompany(client);
    const second = start();
    await expect(second).rejects.toThrow(DirectoryLockedError);
    await expect(second).rejects.toThrow(
      `The data directory ${directory} is in use by another process.`,
    );
    expect((await api.post('/svc/survey/create', survey())).status).toBe(200);
    expect((await client.get('/health/ready')).status).toBe(200);
  });

  /** The files of the directory that contain a text. */
  const holding = (secret: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => readFileSync(file).includes(secret));

  it('has nothing of a respondent in any file whose erasure ends after another one', async () => {
    const secret = 'Celesta-gneiss-4410';
    const app = await start();
    const client = await listen(app);
    const { api } = await registerCompany(client);
    const platform = await platformClient({ dataSource: app.get(DataSource), client });
    const { post_id } = (await api.post('/svc/survey/create', survey())).body.data;
    await api.post('/svc/survey/questions', { post_id, questions: [question()] });
    await api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    for (const [name, value] of Object.entries({ ann: secret, bob: 'Arabica' })) {
      await submit(platform, await begun(platform, post_id, name), 5, [{ question: 1, value }]);
    }
    const erase = (respondent_id: string) =>
      platform.post('/svc/fielding/erase-respondent', { respondent_id });
    const transaction = app.get(TransactionContext);
    const run = transaction.run.bind(transaction);
    let bob: Answer | undefined;
    jest.spyOn(transaction, 'run').mockImplementationOnce(async (work) => {
      bob = await erase('bob');
      return run(work);
    });
    const ann = await erase('ann');
    expect([ann, bob].map((answer) => answer?.body.data)).toEqual([
      { participations: 1 },
      { participations: 1 },
    ]);
    expect(holding(secret)).toEqual([]);
  });

  it('has nothing of an erased respondent in any file, before and after a restart', async () => {
    const secrets = ['Xylophone-quartz-9177', 'Marimba-basalt-2031'];
    const clients = async (keys: Record<'api' | 'platform', Client>) => {
      const { url } = await listen(await start());
      return {
        api: new Client(url, keys.api.headers),
        platform: new Client(url, keys.platform.headers),
      };
    };
    const first = await start();
    const client = await listen(first);
    const { api } = await registerCompany(client);
    const platform = await platformClient({ dataSource: first.get(DataSource), client });
    const { post_id } = (await api.post('/svc/survey/create', survey())).body.data;
    await api.post('/svc/survey/questions', { post_id, questions: [question()] });
    await api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    // The answer of ann is among others; that of bob is the last of its page.
    const respondents = [...Array(20).keys(), 'ann', ...Array(20).keys(), 'bob'].entries();
    for (const [index, name] of respondents) {
      const place = await begun(platform, post_id, `${name} ${index}`);
      const value = { ann: secrets[0], bob: secrets[1] }[name] ?? 'Arabica';
      await submit(platform, place, 5, [{ question: 1, value }]);
    }
    expect(secrets.map((secret) => holding(secret).length > 0)).toEqual([true, true]);
    await first.close();
    apps = [];

    const again = await clients({ api, platform });
    expect(secrets.map((secret) => holding(secret).length > 0)).toEqual([true, true]);
    const erased = await Promise.all(
      ['ann 20', 'bob 41'].map((respondent_id) =>
        again.platform.post('/svc/fielding/erase-respondent', { respondent_id }),
      ),
    );
    expect(erased.map(({ body }) => body.data)).toEqual([
      { participations: 1 },
      { participations: 1 },
    ]);
    expect(secrets.flatMap(holding)).toEqual([]);
    await apps[0]!.close();
    apps = [];

    const last = await clients({ api, platform });
    expect(secrets.flatMap(holding)).toEqual([]);
    const { items } = (await last.api.get(`/svc/campaign/${post_id}/responses?limit=100`)).body
      .data;
    const answered = items.filter(({ answers }: { answers: unknown[] }) => answers.length > 0);
    expect([items.length, answered.length]).toEqual([42, 40]);
  });

  it('frees the directory at a stop and keeps what was stored', async () => {
    const first = await start();
    const { api } = await registerCompany(await listen(first));
    const created = await api.post('/svc/survey/create', survey());
    const { post_id } = created.body.data;
    await first.close();
    apps = [];

    const { url } = await listen(await start());
    const again = new Client(url, api.headers);
    const update = await again.patch('/svc/campaign/update', { post_id, tagline: 'Another' });
    expect(update.status).toBe(200);
    expect(update.body.data.title).toBe('Coffee habits');
  });

  it('locks the directory while another process holds it and frees it when that process is killed', async () => {
    const script = join(directory, 'holder.cjs');
    writeFileSync(script, HOLDER);
    const holder: ChildProcess = fork(script, [directory], {
      env: { ...process.env, NODE_PATH: join(__dirname, '../../node_modules') },
    });
    const [locked] = (await once(holder, 'message')) as [boolean];
    expect(locked).toBe(true);
    await expect(start()).rejects.toThrow(DirectoryLockedError);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await expect(start()).resolves.toBeDefined();
  });

  it('refuses a directory that a newer version has written and changes nothing in it', async () => {
    const newer = 'AddSomething4102444800000';
    const first = await start();
    const dataSource = first.get(DataSource);
    await dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      4_102_444_800_000,
      newer,
    ]);
    const listing = 'SELECT * FROM migrations ORDER BY id';
    const before = await dataSource.query<unknown[]>(listing);
    await first.close();
    apps = [];

    for (let attempt = 0; attempt < 2; attempt += 1) {
      const starting = start();
      await expect(starting).rejects.toThrow(SchemaMismatchError);
      await expect(starting).rejects.toThrow(
        `was written by a newer version of the service (${newer}). Nothing was changed.`,
      );
    }

    const after = await withDatabase({ DATA_DIR: directory }, (own) => own.query(listing));
    expect(after).toEqual(before);
  });

  it('names the directory that cannot be opened and leaves it unlocked', async () => {
    const damaged = temporaryDirectory();
    writeFileSync(join(damaged, 'postgres'), 'not a database');
    const starting = start({ DATA_DIR: damaged });
    await expect(starting).rejects.toThrow(DatabaseConnectionError);
    await expect(starting).rejects.toThrow(`The database in ${damaged} cannot be opened`);
    lockDirectory(damaged)();
    await rm(damaged, { recursive: true });
  });

  it('keeps the JWT secret that it generates, readable by the owner only', async () => {
    const first = await start({ JWT_SECRET: '' });
    const { account } = await registerCompany(await listen(first));
    expect(statSync(join(directory, 'jwt-secret')).mode & 0o777).toBe(0o600);
    await first.close();
    apps = [];

    const { url } = await listen(await start({ JWT_SECRET: '' }));
    const me = await new Client(url, account.headers).get('/api/company/me');
    expect(me.status).toBe(200);
  });

  it('refuses to generate an encryption key for a database that has data of another one', async () => {
    const key = join(directory, 'encryption-key');
    await (await start({ ENCRYPTION_KEY: '' })).close();
    const content = readFileSync(key, 'utf8');
    await rm(key);
    apps = [];
    const starting = start({ ENCRYPTION_KEY: '' });
    await expect(starting).rejects.toThrow(InvalidEnvError);
    await expect(starting).rejects.toThrow(`there is no ${key}`);
    expect(existsSync(key)).toBe(false);
    writeFileSync(key, content, { mode: 0o600 });
    await expect(start({ ENCRYPTION_KEY: '' })).resolves.toBeDefined();
  });

  it('refuses a damaged secret rather than signing with it', async () => {
    writeFileSync(join(directory, 'jwt-secret'), 'short', { mode: 0o600 });
    await expect(start({ JWT_SECRET: '' })).rejects.toThrow('jwt-secret is damaged');
    await expect(start()).resolves.toBeDefined();
  });
});
