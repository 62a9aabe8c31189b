import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { registerCompany } from '../support/client';
import { createTestDatabase, temporaryDirectory, withDatabase } from '../support/databases';
import { TEST_JWT_SECRET } from '../support/env';
import { figures } from '../support/figures';
import { build, RunningService, runService, runToEnd } from '../support/process';
import { WriteLoad } from '../support/write-load';

const MAIN = 'src/main.js';

/** Mounts a small file system, to be filled and made read-only. Needs root. */
function mountDisk(directory: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', directory]);
}

describe('the directory of the embedded database', () => {
  let disk: string;
  let variables: NodeJS.ProcessEnv;
  let postgres: string;
  let service: RunningService | undefined;
  let load: WriteLoad;

  beforeAll(build);

  beforeEach(async () => {
    disk = temporaryDirectory();
    mountDisk(disk);
    const database = await createTestDatabase();
    const directory = join(disk, 'data');
    execFileSync('cp', ['-R', (database.variables as { DATA_DIR: string }).DATA_DIR, directory]);
    await database.drop();
    postgres = join(directory, 'postgres');
    variables = { DATA_DIR: directory, JWT_SECRET: TEST_JWT_SECRET };
  });

  afterEach(async () => {
    await service?.kill();
    await load.stop();
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });

  async function start(): Promise<RunningService> {
    service = await runService(variables);
    return service;
  }

  async function startWithLoad(tolerance: ConstructorParameters<typeof WriteLoad>[1]) {
    const { client } = await start();
    const { api } = await registerCompany(client);
    load = new WriteLoad(api, tolerance);
    load.start();
    await load.acknowledge(50);
  }

  /** Expects a start to fail with these texts on standard error. */
  async function expectRefused(...texts: string[]): Promise<void> {
    const { code, stdout, stderr } = await runToEnd(MAIN, variables);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({ level: 'info', msg: 'preparing the database' }),
    ]);
    for (const text of ['The service cannot start.', ...texts]) {
      expect(stderr).toContain(text);
    }
    expect(stderr).not.toContain('    at ');
  }

  async function stop(): Promise<void> {
    await load.stop();
    expect(await service!.stop()).toBe(0);
  }

  /** Expects a start to succeed and every acknowledged write to be there. */
  async function expectServed(): Promise<void> {
    load.moveTo((await start()).url);
    await load.resolve();
    load.start();
    await load.acknowledge(20);
    await load.stop();
    await load.expectAllStored();
  }

  it('is refused to a second process while the first one keeps writing', async () => {
    await startWithLoad({});
    await expectRefused(`The data directory ${variables.DATA_DIR} is in use by another process.`);
    await load.acknowledge(50);
    await stop();
    await expectServed();
  });

  it('is reported as read-only, and served again once it is writable', async () => {
    await startWithLoad({});
    await stop();
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    await expectRefused('read-only file system');
    execFileSync('mount', ['-o', 'remount,rw', disk]);
    await expectServed();
  });

  it('is left unchanged if a newer version of the service has written it', async () => {
    await startWithLoad({});
    await stop();
    const change = (statement: string) =>
      withDatabase(variables, (dataSource) => dataSource.query(statement));
    await change(
      "INSERT INTO migrations (timestamp, name) VALUES (4102444800000, 'Newer4102444800000')",
    );
    await expectRefused(
      'written by a newer version of the service (Newer4102444800000)',
      'Nothing was changed.',
    );
    await change("DELETE FROM migrations WHERE name = 'Newer4102444800000'");
    await expectServed();
  });

  it('is left unchanged if a newer PostgreSQL has written it', async () => {
    await startWithLoad({});
    await stop();
    const file = join(postgres, 'PG_VERSION');
    const version = readFileSync(file, 'utf8');
    writeFileSync(file, `${Number(version) + 1}\n`);
    await expectRefused(
      `written by PostgreSQL ${Number(version) + 1}, and this version of the service embeds ${version.trim()}`,
    );
    writeFileSync(file, version);
    await expectServed();
  });

  it('loses nothing when its disk is full, which is reported, and is served again once there is room', async () => {
    await startWithLoad({ unavailable: true });
    const filler = join(disk, 'filler');
    const fill = () => {
      expect(() => {
        for (;;) {
          appendFileSync(filler, Buffer.alloc(2 ** 16));
        }
      }).toThrow('ENOSPC');
    };
    fill();
    while (load.unavailable < 50) {
      await delay(20);
    }
    expect((await service!.client.get('/health/live')).status).toBe(200);
    rmSync(filler);
    await load.acknowledge(50);
    await stop();
    fill();
    await expectRefused('Its disk is full');
    rmSync(filler);
    await expectServed();
    const { acknowledged, unavailable } = load;
    figures('full disk', { acknowledged, unavailable });
  });
});
