import { once } from 'node:events';
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { survey } from '../support/builders';
import { Answer, Client, registerCompany } from '../support/client';
import { createTestDatabase, TestDatabase } from '../support/databases';
import { eventually } from '../support/eventually';
import { PostgresCluster } from '../support/postgres-cluster';
import { build, RunningService, runService } from '../support/process';

/**
 * A proxy between the service and PostgreSQL. From the first COMMIT after {@link arm} on, it holds
 * back either the COMMIT itself or the server's response to it, and everything after that.
 */
class CommitHolder {
  /** Resolves when the COMMIT arrives. */
  held: Promise<void> = Promise.resolve();
  private hold: 'the commit' | 'its answer' | undefined;
  private reached: () => void = () => undefined;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: URL) {
    this.server = createServer((service) => this.accept(service));
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  arm(hold: 'the commit' | 'its answer'): void {
    this.hold = hold;
    this.held = new Promise((resolve) => (this.reached = resolve));
  }

  close(): void {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
  }

  private accept(service: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [service, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let silent = false;
    service.on('close', () => server.destroy());
    server.on('close', () => service.destroy());
    server.on('data', (data) => silent || service.write(data));
    service.on('data', (data) => {
      if (this.hold !== undefined && data.includes('COMMIT')) {
        silent = true;
        if (this.hold === 'its answer') {
          server.write(data);
        }
        this.reached();
      } else {
        server.write(data);
      }
    });
  }
}

/** Retries; a transaction of the killed process may still be running for a moment. */
async function sendAgain(api: Client, title: string): Promise<Answer> {
  for (;;) {
    const answer = await api.post('/svc/survey/create', survey({ title }));
    if (answer.body.error?.code !== 'idempotency_in_progress') {
      expect(answer.status).toBe(200);
      return answer;
    }
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

describe('a service killed between the work and its response', () => {
  let cluster: PostgresCluster;
  let holder: CommitHolder;
  let service: RunningService;

  beforeAll(async () => {
    build();
    cluster = await PostgresCluster.create();
  });

  afterAll(() => cluster.remove());

  beforeEach(async () => {
    holder = new CommitHolder(new URL(cluster.url()));
    service = await start(await holder.listen());
  });

  afterEach(async () => {
    await service.kill();
    holder.close();
  });

  const start = (url: string) => runService({ DATABASE_URL: url });

  const stored = async (title: string): Promise<number> => {
    const [row] = await cluster.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM campaign WHERE title = '${title}'`,
    );
    return row!.count;
  };

  /** Kills the service while it waits for the response to its COMMIT. */
  async function killInCommit(api: Client, title: string, hold: 'the commit' | 'its answer') {
    holder.arm(hold);
    const answer = api
      .post('/svc/survey/create', survey({ title }))
      .catch((error: unknown) => error);
    // A response before the COMMIT would be a refusal.
    expect(await Promise.race([holder.held, answer])).toBeUndefined();
    if (hold === 'its answer') {
      await eventually(async () => {
        expect(await stored(title)).toBe(1);
      });
    }
    service.process.kill('SIGKILL');
    expect(String(await answer)).toBe('TypeError: fetch failed');
    service = await start(cluster.url());
    return new Client(service.url, api.headers);
  }

  it.each([
    ['replays the answer that was lost after the commit', 'its answer', 'true'],
    ['does the work of which the commit was lost', 'the commit', null],
  ] as const)('%s, and never does it twice', async (title, hold, replayed) => {
    const { api } = await registerCompany(service.client);
    const keyed = await killInCommit(
      api.with({ 'idempotency-key': hold.replace(' ', '-') }),
      title,
      hold,
    );
    const again = await sendAgain(keyed, title);
    expect(again.headers.get('idempotency-replayed')).toBe(replayed);
    const third = await sendAgain(keyed, title);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(third.body).toEqual(again.body);
    const read = await keyed.get(`/svc/campaign/${again.body.data.post_id}`);
    expect(read.body.data.title).toBe(title);
    expect(await stored(title)).toBe(1);
  });
});

describe('a service on the embedded database killed before its client has read the response', () => {
  let database: TestDatabase;
  let service: RunningService;

  beforeEach(async () => {
    build();
    database = await createTestDatabase();
    service = await start();
  });

  afterEach(async () => {
    await service.kill();
    await database.drop();
  });

  const start = () => runService(database.variables);

  it('replays the response and does not do the work twice', async () => {
    const title = 'Never read';
    const { api } = await registerCompany(service.client);
    const keyed = api.with({ 'idempotency-key': 'once' });
    const titles = async (client: Client): Promise<string[]> => {
      const { body } = await client.get('/svc/campaign/list');
      return body.data.items.map((item: { title: string }) => item.title);
    };
    const { port, hostname } = new URL(service.url);
    const body = JSON.stringify(survey({ title }));
    const headers = {
      ...keyed.headers,
      host: hostname,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => undefined);
    socket.write(`POST /svc/survey/create HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    await eventually(async () => {
      expect(await titles(api)).toContain(title);
    });
    await service.kill();
    socket.destroy();
    service = await start();
    const restarted = new Client(service.url, keyed.headers);
    const again = await sendAgain(restarted, title);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await titles(restarted)).toEqual([title]);
  });
});
