import { existsSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { lockDirectory } from '../../src/platform/database/directory-lock';
import {
  createEmptyDatabase,
  createTestDatabase,
  temporaryDirectory,
  TestDatabase,
  withDatabase,
} from '../support/databases';
import { onEmbedded, onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { lastAccepted } from '../support/keys';
import { build, outputOf, RunningService, runService, runToEnd } from '../support/process';

const COMMAND = 'src/access/platform-key/command.js';

/** Milliseconds within which every process must refuse a revoked key. */
const LIMIT = 1_000;

/** No database, because arguments are read first. */
const NOWHERE = { DATA_DIR: '/nowhere' };

const SECRET = /\bcpk_[0-9A-Za-z]{36}\b/g;
const KEY_ID = /\bpkey_[0-9a-z]{26}\b/;

beforeAll(build);

/**
 * What a service says to a key on a route for companies: a valid platform key has no scope there.
 */
async function use({ client }: RunningService, secret: string): Promise<string | undefined> {
  return (await client.withKey(secret).get('/svc/campaign/list')).body.error?.code;
}

const VALID = 'insufficient_scope';

describe('the platform-key command', () => {
  let database: TestDatabase;
  const services: RunningService[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    const codes = await Promise.all(services.splice(0).map((service) => service.stop()));
    await database.drop();
    expect(codes.filter((code) => code !== 0)).toEqual([]);
  });

  const command = (...args: string[]) => runToEnd(COMMAND, database.variables, ...args);
  const succeed = (...args: string[]) => outputOf(COMMAND, database.variables, ...args);

  async function generate(...args: string[]): Promise<{ secret: string; keyId: string }> {
    const printed = await succeed('generate', '--name', 'app', ...args);
    expect(printed.match(SECRET)).toHaveLength(1);
    return { secret: printed.match(SECRET)![0], keyId: KEY_ID.exec(printed)![0] };
  }

  const startService = async () => {
    const service = await runService(database.variables);
    services.push(service);
    return service;
  };

  const storedKeys = () =>
    withDatabase<any[]>(database.variables, (dataSource) =>
      dataSource.query('SELECT * FROM platform_key ORDER BY created_at'),
    );

  it('generates a key that the service accepts, lists its last use, and revokes it', async () => {
    expect(await succeed('list')).toBe('There are no platform keys.\n');
    const { secret, keyId } = await generate();

    let service = await startService();
    expect(await use(service, secret)).toBe(VALID);
    await service.stop();

    const [heading, line, ...rest] = (await succeed('list')).trimEnd().split('\n');
    expect(heading).toMatch(/^KEY_ID +NAME +PREFIX +SCOPES +CREATED +LAST USED +REVOKED$/);
    const SCOPES = 'fielding:read,fielding:write,settlements:read';
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    expect(line).toMatch(
      new RegExp(`^${keyId} +app +${secret.slice(0, 10)} +${SCOPES} +${time} +${time} +-$`),
    );
    expect(rest).toEqual([]);

    expect(await succeed('revoke', keyId)).toContain(keyId);
    expect(await succeed('list')).toMatch(new RegExp(`${time} +${time} +${time}\n$`));
    service = await startService();
    expect(await use(service, secret)).toBe('api_key_revoked');
  });

  onPostgres('on a server (PostgreSQL only)', () => {
    it('stores the hash of a key only, and never prints it', async () => {
      const { secret } = await generate('--scopes', 'fielding:read');
      const [row] = await storedKeys();
      expect(row).toMatchObject({ name: 'app', scopes: ['fielding:read'], revoked_at: null });
      expect(JSON.stringify(row)).not.toContain(secret.slice(10));
      const listed = await succeed('list');
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        expect(listed).not.toContain((row.key_hash as Buffer).toString(encoding));
      }
      expect(listed).not.toMatch(SECRET);
    });

    it('refuses invalid values and an unknown key, and changes nothing', async () => {
      const refused: [string[], string][] = [
        [['generate', '--name', 'x'.repeat(101)], 'The name must be at most 100 characters.'],
        [
          ['generate', '--name', 'app', '--scopes', 'fielding:read,campaigns:read'],
          'The scopes are fielding:read, fielding:write, settlements:read; a key has at least one.',
        ],
        [['revoke', 'pkey_1'], 'There is no platform key pkey_1.'],
      ];
      for (const [args, message] of refused) {
        expect(await command(...args)).toEqual({ code: 1, stdout: '', stderr: `${message}\n` });
      }
      expect(await storedKeys()).toEqual([]);
    });

    it('revokes a key that every process refuses within a second', async () => {
      await Promise.all([startService(), startService()]);
      const { secret, keyId } = await generate();
      const answers = () => Promise.all(services.map((service) => use(service, secret)));
      // Long enough for both to cache it.
      for (let i = 0; i < 20; i += 1) {
        expect(await answers()).toEqual([VALID, VALID]);
        await delay(25);
      }
      await succeed('revoke', keyId);
      const since = performance.now();
      const last = await lastAccepted(async () => (await answers()).includes(VALID));
      expect(await answers()).toEqual(['api_key_revoked', 'api_key_revoked']);
      expect(last - since).toBeLessThan(LIMIT);
    });

    it('refuses a database whose schema is behind', async () => {
      const empty = await createEmptyDatabase();
      const { code, stderr } = await runToEnd(COMMAND, empty.variables, 'list');
      await empty.drop();
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The database schema is behind .*Run "npm run migrate"/);
    });
  });

  onEmbedded('on the embedded database (not with TEST_DATABASE_URL)', () => {
    const dataDirectory = () => (database.variables as { DATA_DIR: string }).DATA_DIR;

    it('lets the running service do the work, and shows the key to nobody else', async () => {
      const service = await startService();
      const { secret, keyId } = await generate();
      expect(await use(service, secret)).toBe(VALID);
      expect(await succeed('list')).toContain(keyId);
      expect(await command('generate', '--name', 'x'.repeat(101))).toEqual({
        code: 1,
        stdout: '',
        stderr: 'The name must be at most 100 characters.\n',
      });
      expect(await succeed('revoke', keyId)).toContain(keyId);
      await eventually(async () => expect(await use(service, secret)).toBe('api_key_revoked'));

      const directory = dataDirectory();
      const socket = join(directory, 'operator.sock');
      expect([directory, socket].map((path) => statSync(path).mode & 0o777)).toEqual([
        0o700, 0o600,
      ]);
      await service.stop();
      expect(existsSync(socket)).toBe(false);
      const written = (await service.stdout) + (await service.stderr);
      expect(written).toContain('stopped');
      expect(written).not.toContain(secret.slice(10));
    });

    it('refuses what is no request, and serves the next one', async () => {
      const service = await startService();
      const send = async (request: string): Promise<string> => {
        const path = join(dataDirectory(), 'operator.sock');
        const socket = connect({ path, allowHalfOpen: true }).on('error', () => undefined);
        socket.end(request);
        return text(socket).catch(() => '');
      };
      for (const request of [
        '',
        '{',
        '{}',
        '[1]',
        '["/"]',
        '["/", "drop"]',
        '["/", "platform-key", "list", "--all"]',
      ]) {
        expect(JSON.parse(await send(request))).toEqual({ error: expect.any(String) });
      }
      expect(await send(JSON.stringify(['list', 'x'.repeat(1_000_000)]))).toBe('');
      expect(await succeed('list')).toBe('There are no platform keys.\n');
      await service.stop();
    });

    it('starts where a killed service has left its socket', async () => {
      const killed = await startService();
      services.pop();
      await killed.kill();
      await startService();
      expect(await succeed('list')).toBe('There are no platform keys.\n');
    });

    it('says that it has created the database', async () => {
      const directory = temporaryDirectory();
      const { code, stderr } = await runToEnd(COMMAND, { DATA_DIR: directory }, 'list');
      rmSync(directory, { recursive: true });
      expect([code, stderr]).toEqual([0, expect.stringContaining(`no database in ${directory}, `)]);
      expect((await command('list')).stderr).toBe('');
    });

    it('says in one line that another process uses the data directory', async () => {
      const directory = temporaryDirectory();
      const unlock = lockDirectory(directory);
      const { code, stdout, stderr } = await runToEnd(COMMAND, { DATA_DIR: directory }, 'list');
      unlock();
      rmSync(directory, { recursive: true });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trimEnd().split('\n')).toEqual([
        expect.stringContaining(`The data directory ${directory} is in use by another process.`),
      ]);
    });
  });
});

onEmbedded('the arguments of the platform-key command (not with TEST_DATABASE_URL)', () => {
  const command = (...args: string[]) => runToEnd(COMMAND, NOWHERE, ...args);

  it('are refused without a stack trace', async () => {
    const { code, stdout, stderr } = await command('list', '--all');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Unknown option '--all'/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('are explained', async () => {
    const stdout = await outputOf(COMMAND, NOWHERE, 'generate', '-h');
    for (const name of ['generate', 'list', 'revoke', '--name', '--scopes', 'fielding:write']) {
      expect(stdout).toContain(name);
    }
  });
});
