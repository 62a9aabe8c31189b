import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client, registerCompany } from '../support/client';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { onEmbedded, onPostgres } from '../support/engines';
import { askFeed, feedPage } from '../support/feed';
import { expectReconciled } from '../support/fielding';
import { build, RunningService, runService, runToEnd } from '../support/process';
import { WriteLoad } from '../support/write-load';

const COMMAND = 'src/operations/backup/command.js';

/** Where a symbolic link leads, unless it has gone. */
function linkTo(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

beforeAll(build);

onEmbedded('a backup of the embedded database (not with TEST_DATABASE_URL)', () => {
  let database: TestDatabase;
  let folder: string;
  const services: RunningService[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    folder = temporaryDirectory();
  });

  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await database.drop();
    rmSync(folder, { recursive: true });
  });

  const start = async (variables: NodeJS.ProcessEnv) => {
    const service = await runService(variables);
    services.push(service);
    return service;
  };

  const backup = (file: string) => runToEnd(COMMAND, database.variables, '--to', file);

  it('has every write that was acknowledged before, while writes go on', async () => {
    const service = await start(database.variables);
    const { api } = await registerCompany(service.client);
    const load = new WriteLoad(api, {});
    load.start();
    await load.acknowledge(100);
    const before = (await feedPage(api)).last_seq;
    const file = join(folder, 'backup.tar.gz');
    expect(await backup(file)).toEqual({
      code: 0,
      stdout: expect.stringContaining(`Backed up to ${file}`),
      stderr: '',
    });
    await load.acknowledge(20);
    await load.stop();
    await load.expectAllStored();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const directory = join(folder, 'restored');
    mkdirSync(join(directory, 'postgres'), { recursive: true, mode: 0o700 });
    execFileSync('tar', [...['-xzf', file, '-C', join(directory, 'postgres')]]);
    const restored = new Client((await start({ DATA_DIR: directory })).url, api.headers);
    const { last_seq } = await feedPage(restored);
    expect(last_seq).toBeGreaterThanOrEqual(before);
    // What both have is the same; what came later is unknown to the copy.
    const query = { limit: 1_000 };
    const [own, copied] = [await feedPage(api, query), await feedPage(restored, query)];
    expect(copied.items).toEqual(own.items.slice(0, copied.items.length));
    const { last_seq: latest } = await feedPage(api, { after: own.covers.to });
    expect(latest).toBeGreaterThan(copied.last_seq);
    expect((await askFeed(restored, { after: latest + 1_000 })).body.error?.code).toBe(
      'feed_position_unknown',
    );
    await expectReconciled(restored);
  });

  it('works while the service is stopped, and never overwrites a file', async () => {
    const file = join(folder, 'backup.tar.gz');
    expect((await backup(file)).code).toBe(0);
    const { size } = statSync(file);
    expect(await backup(file)).toMatchObject({ code: 1, stdout: '' });
    expect(statSync(file).size).toBe(size);
  });

  it('leaves no file behind, open or closed, if the disk is full', async () => {
    const service = await start(database.variables);
    const file = join(folder, 'backup.tar.gz');
    symlinkSync('/dev/full', `${file}.unfinished`);
    const { code, stderr } = await backup(file);
    expect(code).toBe(1);
    expect(stderr).toContain('ENOSPC');
    expect(readdirSync(folder)).toEqual([]);
    const descriptors = `/proc/${service.process.pid}/fd`;
    const open = readdirSync(descriptors).map((each) => linkTo(join(descriptors, each)));
    expect(open).toEqual(expect.not.arrayContaining(['/dev/full']));
    expect((await backup(file)).code).toBe(0);
  });

  it('refuses a directory without a database, and creates none', async () => {
    const nowhere = join(folder, 'nowhere');
    const file = join(folder, 'backup.tar.gz');
    expect(await runToEnd(COMMAND, { DATA_DIR: nowhere }, '--to', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${nowhere}. Set DATA_DIR to the data directory of the service.\n`,
    });
    expect([nowhere, file].filter(existsSync)).toEqual([]);
  });
});

onPostgres('the backup command (PostgreSQL only)', () => {
  it('refuses, and names the tools to use', async () => {
    const database = await createTestDatabase();
    const result = await runToEnd(COMMAND, database.variables, '--to', '/nowhere/file');
    await database.drop();
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toContain('pg_dump');
  });
});
