import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { TEST_ENCRYPTION_KEY, TEST_JWT_SECRET } from '../support/env';
import { eventually } from '../support/eventually';
import { freePort } from '../support/ports';
import { build } from '../support/process';

const DIST = resolve(__dirname, '../../dist/src');

/** The log lines of these requests are longer than the buffer of a pipe, 64 KiB. */
const REQUESTS = 600;

describe('a service that cannot write its log', () => {
  let database: TestDatabase;
  let directory: string;
  let service: ChildProcess;
  let output: number;

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    directory = temporaryDirectory();
  }, 120_000);

  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true });
  });

  afterEach(() => {
    service.kill('SIGKILL');
    closeSync(output);
  });

  /** Opens a pipe whose reader never reads. */
  function unreadPipe(): number {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    return openSync(pipe, constants.O_RDWR);
  }

  it.each([
    ['the disk is full', () => openSync('/dev/full', 'w')],
    ['the reader stops reading', unreadPipe],
  ])('serves, and ends after SIGTERM: %s', async (_, open) => {
    output = open();
    const port = await freePort();
    service = spawn(process.execPath, [join(DIST, 'main.js')], {
      cwd: directory,
      env: {
        ...database.variables,
        JWT_SECRET: TEST_JWT_SECRET,
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        RATE_LIMIT_ENABLED: 'false',
        DRAIN_SECONDS: '0',
        PORT: String(port),
      },
      stdio: ['ignore', output, 'ignore'],
    });
    const exit = once(service, 'exit');
    const health = async () =>
      expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    await eventually(health);
    for (let sent = 0; sent < REQUESTS; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, health));
    }
    service.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('goes on to write once there is room again, also if lines were lost', async () => {
    const file = join(directory, 'log');
    output = openSync(file, 'a');
    const write = `
      const { createLogger } = require(${JSON.stringify(join(DIST, 'platform/logging/logger.js'))});
      const logger = createLogger({ LOG_LEVEL: 'info' });
      process.on('message', (lines) => {
        lines.forEach((line) => logger.info(line));
        process.send('logged');
      });`;
    // Where a file reaches this size, 256 KiB, a write fails as on a full disk.
    const command = ['-c', 'ulimit -f 256 && exec "$@"', 'bash', process.execPath, '-e', write];
    service = spawn('bash', command, { stdio: ['ignore', output, 'inherit', 'ipc'] });
    const log = async (...texts: string[]) => {
      service.send(texts.map((text) => `${text} ${'x'.repeat(2 ** 16)}`));
      await once(service, 'message');
    };
    await log('first', ...Array.from({ length: 100 }, () => 'next'));
    await eventually(() => {
      expect(statSync(file).size).toBe(2 ** 18);
    });
    // As much as was written fits again, and no more.
    await log(...Array.from({ length: 10 }, () => 'next'), 'lost');
    let written = '';
    await eventually(async () => {
      await log('there is room again');
      written += readFileSync(file, 'utf8');
      truncateSync(file);
      expect(written.includes('there is room again')).toBe(true);
    });
    expect(['"first x', '"lost x'].map((text) => written.includes(text))).toEqual([true, false]);
  });
});
