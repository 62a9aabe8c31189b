import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { Redis } from 'ioredis';
import { Client } from '../support/client';
import { createTestDatabase, temporaryDirectory, TestDatabase } from '../support/databases';
import { eventually } from '../support/eventually';
import { freePort } from '../support/ports';
import { build, RunningService, runService } from '../support/process';
import { redisUrl, RedisRelay, relayTo } from '../support/redis';
import { startService, TestService } from '../support/service';

const withRedis = redisUrl === undefined ? describe.skip : describe;

/** Keys for one run, so that concurrent runs do not share counters. */
const limits = (quota: number) => ({
  RATE_LIMIT_ENABLED: 'true',
  RATE_LIMIT_PER_ADDRESS: String(quota),
  REDIS_KEY_PREFIX: `test-${randomBytes(8).toString('hex')}`,
});

/** Sends `count` requests, `lanes` at a time, and returns how often each status was received. */
async function statusesOf(
  clients: Client[],
  count: number,
  lanes = count,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let sent = 0;
  const lane = async () => {
    while (sent < count) {
      sent += 1;
      const { status } = await clients[sent % clients.length]!.get('/nowhere');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return statuses;
}

withRedis('the rate limiter of two instances on one Redis', () => {
  const databases: TestDatabase[] = [];
  const services: RunningService[] = [];

  beforeAll(build);

  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await Promise.all(databases.map((database) => database.drop()));
  });

  it('admits 100 of 400 requests where the limit is 100', async () => {
    const shared = limits(100);
    for (let i = 0; i < 2; i += 1) {
      const database = await createTestDatabase();
      databases.push(database);
      services.push(
        await runService({
          ...database.variables,
          ...shared,
          REDIS_URL: redisUrl,
        }),
      );
    }
    const { 404: admitted, 429: refused } = await statusesOf(
      services.map(({ url }) => new Client(url)),
      400,
      // On a busy machine, that many concurrent requests can wait longer for Redis than an instance
      // does.
      16,
    );
    expect(admitted! + refused!).toBe(400);
    expect(admitted).toBeGreaterThanOrEqual(100);
    expect(admitted).toBeLessThanOrEqual(105);
  });
});

describe('a service whose Redis is unavailable', () => {
  let service: TestService | undefined;

  /** The log messages about Redis, in order. */
  const said = (): string[] => {
    const lines = service!.log.lines().filter(({ msg }) => msg.includes('Redis'));
    return lines.map(({ level, msg }) => `${level}: ${msg.slice(0, msg.indexOf(':'))}`);
  };

  const AWAY = 'warn: Redis is unreachable';
  const BACK = 'warn: Redis is back';

  async function start(quota: number, REDIS_URL: string): Promise<Client> {
    const variables = { ...limits(quota), REDIS_URL, LOG_LEVEL: 'debug' };
    service = await startService({ variables });
    return service.client;
  }

  /** Sends requests until the log has the expected messages. */
  async function untilSaid(expected: string[], client: Client): Promise<void> {
    await eventually(async () => {
      expect((await client.get('/nowhere')).status).toBe(404);
      expect(said()).toEqual(expected);
    });
  }

  afterEach(async () => {
    await service?.close();
    service = undefined;
  });

  it('starts and counts on its own without Redis, and logs it once', async () => {
    const client = await start(100, 'redis://127.0.0.1:1');
    expect(await statusesOf([client], 120)).toEqual({ 404: 100, 429: 20 });
    expect(said()).toEqual([AWAY]);
  });

  const relayed = redisUrl === undefined ? it.skip : it;

  relayed('counts on its own while it is cut off, and logs it once each way', async () => {
    const relay: RedisRelay = await relayTo(redisUrl!);
    const client = await start(1_000_000, relay.url);
    expect((await client.get('/nowhere')).status).toBe(404);
    expect(said()).toEqual([]);
    await relay.cut();
    expect(await statusesOf([client], 200)).toEqual({ 404: 200 });
    await untilSaid([AWAY], client);
    await relay.restore();
    await untilSaid([AWAY, BACK], client);
    await service?.close();
    service = undefined;
    await relay.cut();
  });

  relayed('delays no request while Redis does not respond', async () => {
    const relay: RedisRelay = await relayTo(redisUrl!);
    const client = await start(1_000_000, relay.url);
    expect((await client.get('/nowhere')).status).toBe(404);
    relay.stall();
    const begin = Date.now();
    expect(await statusesOf([client], 200)).toEqual({ 404: 200 });
    expect(await statusesOf([client], 200)).toEqual({ 404: 200 });
    expect(Date.now() - begin).toBeLessThan(15_000);
    expect(said()).toEqual([AWAY]);
    await relay.restore();
    await untilSaid([AWAY, BACK], client);
    await service?.close();
    service = undefined;
    await relay.cut();
  });

  relayed('leaves a Redis that has become a replica', async () => {
    const directory = temporaryDirectory();
    const port = await freePort();
    const own = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', directory]);
    const url = `redis://127.0.0.1:${port}`;
    const admin = new Redis(url);
    // It is not up at the first attempt.
    admin.on('error', () => undefined);
    try {
      await eventually(() => admin.ping());
      const relay: RedisRelay = await relayTo(url);
      const client = await start(1_000_000, relay.url);
      expect((await client.get('/nowhere')).status).toBe(404);
      expect(said()).toEqual([]);
      await admin.replicaof('127.0.0.1', 1);
      await untilSaid([AWAY], client);
      // It accepts connections all the time, but counts nothing.
      const until = Date.now() + 1_500;
      while (Date.now() < until) {
        expect((await client.get('/nowhere')).status).toBe(404);
      }
      expect(said()).toEqual([AWAY]);
      relay.lead(redisUrl!);
      await untilSaid([AWAY, BACK], client);
      await service?.close();
      service = undefined;
      await relay.cut();
    } finally {
      admin.disconnect();
      own.kill();
      await once(own, 'exit');
      rmSync(directory, { recursive: true });
    }
  });
});
