import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { TEST_ENCRYPTION_KEY, TEST_JWT_SECRET } from '../support/env';
import { freePort } from '../support/ports';
import { expectError } from '../support/refusals';
import { build, RunningService, runService, runToEnd } from '../support/process';
import { Receiver } from '../support/receiver';

const MAIN = 'src/main.js';
const ENV = resolve(__dirname, '../../dist/src/platform/config/env.js');
const SECRETS = { JWT_SECRET: TEST_JWT_SECRET, ENCRYPTION_KEY: TEST_ENCRYPTION_KEY };

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

describe('the service as a process', () => {
  let database: TestDatabase;
  let variables: NodeJS.ProcessEnv;
  let running: RunningService | undefined;
  let receiver: Receiver | undefined;

  async function start(more: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    running = await runService({ ...variables, ...more });
    return running;
  }

  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    variables = { ...database.variables, ...SECRETS };
  }, 120_000);

  afterAll(() => database.drop());

  afterEach(async () => {
    await running?.kill();
    running = undefined;
    await receiver?.stop();
    receiver = undefined;
  });

  it('prints one JSON line with the URL of the documentation, and serves', async () => {
    const service = await start();
    expect(service.docs).toBe(`${service.url}/docs`);
    expect((await fetch(service.docs)).status).toBe(200);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    service.process.kill('SIGTERM');
    const lines = (await service.stdout).trim().split('\n');
    const places = lines.map((line) => JSON.parse(line) as { msg: string; docs?: string });
    expect(places[0]!.msg).toBe('preparing the database');
    expect(places.filter(({ docs }) => docs !== undefined)).toHaveLength(1);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes the requests in flight after %s, even a repeated one, accepts no new one and exits 0',
    async (signal) => {
      const service = await start();
      const email = `${signal}@example.com`;
      const body = JSON.stringify({ name: 'A', email, password: 'x'.repeat(12) });
      const unused = await open(service.url);
      const socket = await open(service.url);
      let answer = '';
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      socket.write(
        'POST /api/company/create HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n' +
          `content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
      );
      // The interim response shows that the request has arrived.
      await once(socket, 'data');
      socket.write(body.slice(0, 20));
      service.process.kill(signal);
      while (await acceptsConnections(service.url)) {
        // The signal takes a moment to arrive. Jest's time limit ends an endless wait.
      }
      service.process.kill(signal);
      socket.write(body.slice(20));
      await once(socket, 'close');
      expect(answer).toContain('HTTP/1.1 200 OK');
      expect(answer).toContain('"success":true');
      // Browsers and load balancers open connections in advance; they must not delay the shutdown.
      await (unused.closed || once(unused, 'close'));
      expect(await service.exitCode).toBe(0);
      const log = await service.stdout;
      expect(log.match(/"msg":"stopping"/g)).toHaveLength(1);
      expect(log).not.toContain('still under way');
      expect(await service.stderr).toBe('');
    },
  );

  it('is not ready after SIGTERM, but serves for DRAIN_SECONDS and closes connections', async () => {
    const service = await start({ DRAIN_SECONDS: '5' });
    const stopping = service.logged('stopping');
    service.process.kill('SIGTERM');
    await stopping;
    const ready = await service.client.get('/health/ready');
    expectError(ready, 503, 'service_unavailable');
    const login = await service.client.post('/api/company/login', {
      email: 'nobody@example.com',
      password: 'x'.repeat(12),
    });
    expectError(login, 401, 'invalid_credentials');
    for (const { headers } of [ready, login]) {
      expect(headers.get('connection')).toBe('close');
    }
    expect(await service.exitCode).toBe(0);
  });

  it('stops accepting connections while a receiver of webhooks still hangs', async () => {
    receiver = await Receiver.start();
    let isCut = false;
    let respond!: () => void;
    receiver.respond = (_, response) => {
      response.on('close', () => (isCut = !response.writableFinished));
      respond = () => response.writeHead(204).end();
    };
    const service = await start({ WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT_SECONDS: '60' });
    const { api } = await registerCompany(service.client);
    await api.post('/svc/webhook/create', { url: receiver.url });
    await createSurvey(api);
    await receiver.until(1);
    service.process.kill('SIGTERM');
    while (await acceptsConnections(service.url)) {
      // The signal takes a moment to arrive. Jest's time limit ends an endless wait.
    }
    expect(isCut).toBe(false);
    respond();
    expect(await service.exitCode).toBe(0);
    expect(isCut).toBe(false);
  });

  it('refuses an invalid configuration and names every wrong variable at once', async () => {
    const { code, stdout, stderr } = await runToEnd(MAIN, {
      ...variables,
      PORT: '70000',
      JWT_SECRET: 'short',
      ENCRYPTION_KEY: 'short',
      JWT_TTL: '1h',
      LOG_LEVEL: 'loud',
      NODE_ENV: 'staging',
    });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const names = ['PORT', 'JWT_SECRET', 'ENCRYPTION_KEY', 'JWT_TTL', 'LOG_LEVEL', 'NODE_ENV'];
    for (const name of names) {
      expect(stderr).toMatch(new RegExp(`^  ${name} must be `, 'm'));
    }
    expect(stderr).not.toContain('    at ');
  });

  it('takes a variable from .env if it is empty in the environment', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, '.env'), 'DATABASE_URL=postgres://localhost/campaigns\n');
    const read = `require(${JSON.stringify(ENV)}).readEnvironment({ serving: false }).DATABASE_URL`;
    const value = execFileSync(
      process.execPath,
      ['-r', require.resolve('reflect-metadata'), '-p', read],
      { cwd: directory, env: { DATABASE_URL: '' }, encoding: 'utf8' },
    );
    rmSync(directory, { recursive: true });
    expect(value).toBe('postgres://localhost/campaigns\n');
  });

  it('refuses to run in production without its secrets', async () => {
    const { code, stderr } = await runToEnd(MAIN, {
      ...database.variables,
      NODE_ENV: 'production',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('JWT_SECRET must be set to at least 32 random characters');
    expect(stderr).toContain('ENCRYPTION_KEY must be set to at least 32 random characters');
  });

  it.each(['src/main.js', 'src/platform/database/migrate.js'])(
    'reports that PostgreSQL cannot be reached, without its password (%s)',
    async (file) => {
      const { code, stderr } = await runToEnd(file, {
        ...SECRETS,
        DATABASE_URL: `postgres://someone:hidden@localhost:${await freePort()}/campaigns`,
      });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /PostgreSQL at localhost:\d+\/campaigns cannot be used: .*ECONNREFUSED/,
      );
      expect(stderr).toContain('Check DATABASE_URL');
      expect(stderr).not.toContain('hidden');
      expect(stderr).not.toContain('    at ');
    },
  );

  it('gives up on a PostgreSQL server that accepts connections and sends nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const { code, stderr } = await runToEnd(MAIN, {
      ...SECRETS,
      DATABASE_URL: `postgres://someone@127.0.0.1:${port}/campaigns`,
    });
    silent.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`PostgreSQL at 127.0.0.1:${port}/campaigns cannot be used`);
  });

  it.each(['PORT', 'METRICS_PORT'])('reports a %s in use without a stack trace', async (name) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const { code, stderr } = await runToEnd(MAIN, { ...variables, [name]: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `The service cannot start.\nPort ${port} of 127.0.0.1 is in use: set ${name} to a free one.\n`,
    );
  });
});

async function acceptsConnections(url: string): Promise<boolean> {
  try {
    (await open(url)).destroy();
    return true;
  } catch {
    return false;
  }
}
