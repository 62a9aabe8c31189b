import { createServer, Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Account } from './account.types';
import { SERVICE_DIRECTORY, serviceProgram } from './contestants';
import { measured, Round } from './work';
import { databaseOf, describeServer, fill, migrate, withClient } from './databases';
import { EVENT_ROWS } from './event-rows';
import { wholeNumber } from './options';
import type { Server } from './processes';
import { describeMachine, table, withSpread, writeResults } from './report';
import { inSession, Session } from './session';
import { spreadOf } from './statistics';

/** `npm run bench -- events`: pages of the feed, and deliveries to webhooks. */

const COMPANIES = 20;
const CAMPAIGNS = 4_000;
const WARM_UP = 2;

/** A receiver that accepts every message and counts them. */
class Receiver {
  private count = 0;

  private constructor(private readonly server: HttpServer) {
    server.on('request', (request, response) => {
      request.resume();
      request.on('end', () => {
        this.count += 1;
        response.writeHead(204).end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver(createServer());
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** Returns the number of messages since the last call, once there are this many. */
  async take(count: number): Promise<number> {
    while (this.count < count) {
      await sleep(5);
    }
    const taken = this.count;
    this.count = 0;
    return taken;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function send(server: Server, account: Account, method: string, path: string, body: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': account.key },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) {
    throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  }
  const { data } = (await response.json()) as { data: { webhook_id: string } };
  return data;
}

async function untilNumbered(url: string): Promise<void> {
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query('SELECT 1 FROM unnumbered_event LIMIT 1');
      if (rows.length === 0) {
        return;
      }
      await sleep(50);
    }
  });
}

async function measureFeed(
  session: Session,
  server: Server,
  url: string,
  accounts: Account[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Round[]> {
  const order = { url: server.url, dialect: 'events' as const, row: 'feed', accounts };
  await session.load.run({ ...order, seconds: WARM_UP });
  const found: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    found.push(
      await measured(server, databaseOf(url), async () => {
        const { answers, seconds: passed } = await session.load.run({ ...order, seconds });
        return { count: answers, seconds: passed };
      }),
    );
  }
  return found;
}

/** Milliseconds between two samples of the sequencer's lag. */
const SAMPLE_INTERVAL = 20;

/**
 * Samples the age of the oldest event without a number while campaigns are created, in
 * milliseconds, sorted.
 */
async function measureLag(
  session: Session,
  server: Server,
  url: string,
  accounts: Account[],
  seconds: number,
): Promise<number[]> {
  const order = { url: server.url, dialect: 'service' as const, row: 'create', accounts };
  const samples: number[] = [];
  await withClient(url, async (client) => {
    const load = session.load.run({ ...order, seconds }).then(() => true);
    while (!(await Promise.race([load, sleep(SAMPLE_INTERVAL, false)]))) {
      const { rows } = await client.query<{ lag: number }>(
        `SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 * 1000
           AS lag FROM unnumbered_event`,
      );
      samples.push(...rows.map(({ lag }) => lag));
    }
  });
  return samples.sort((a, b) => a - b);
}

/**
 * Changes campaigns while the webhooks are disabled, then enables them and waits for all events.
 */
async function measureDeliveries(
  server: Server,
  url: string,
  accounts: Account[],
  rounds: number,
): Promise<Round[]> {
  const receiver = await Receiver.start();
  const webhooks = await Promise.all(
    accounts.map(async (account) => ({
      account,
      ...(await send(server, account, 'POST', '/svc/webhook/create', {
        url: receiver.url,
        event_types: ['campaign.updated'],
      })),
    })),
  );
  const enable = (enabled: boolean) =>
    Promise.all(
      webhooks.map(({ account, webhook_id }) =>
        send(server, account, 'PATCH', '/svc/webhook/update', { webhook_id, enabled }),
      ),
    );
  const found: Round[] = [];
  // The first round is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    await enable(false);
    await withClient(url, (client) => client.query(`UPDATE campaign SET title = 'Round ${round}'`));
    await untilNumbered(url);
    const result = await measured(server, databaseOf(url), async () => {
      const startedAt = performance.now();
      await enable(true);
      const count = await receiver.take(CAMPAIGNS);
      return { count, seconds: (performance.now() - startedAt) / 1000 };
    });
    found.push(...(round === 0 ? [] : [result]));
  }
  receiver.stop();
  return found;
}

inSession(async (session) => {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '5' },
    },
  });
  const rounds = wholeNumber('rounds', values.rounds);
  const seconds = wholeNumber('seconds', values.seconds);
  const url = await session.databases.create('events');
  migrate({ DATABASE_URL: url }, SERVICE_DIRECTORY);
  const accounts = await fill(url, { companies: COMPANIES, campaigns: CAMPAIGNS });
  const server = await session.start(
    serviceProgram(SERVICE_DIRECTORY, { DATABASE_URL: url, WEBHOOK_ALLOW_PRIVATE: 'true' }),
  );
  await untilNumbered(url);
  const lag = await measureLag(session, server, url, accounts, rounds * seconds);
  await untilNumbered(url);
  // As autovacuum does within a minute; the template had no numbered event to analyse.
  await withClient(url, (client) => client.query('VACUUM ANALYZE event'));
  const found = {
    [EVENT_ROWS.feed.title]: await measureFeed(session, server, url, accounts, { rounds, seconds }),
    'webhook delivery': await measureDeliveries(server, url, accounts, rounds),
  };
  const postgres = await describeServer();
  const lagAt = (share: number) =>
    (lag[Math.min(lag.length - 1, Math.floor(lag.length * share))] ?? NaN).toFixed(0);
  const spread = (all: readonly Round[], figure: (one: Round) => number) =>
    withSpread(spreadOf(all.map(figure)), 0);
  const markdown = [
    '# Events',
    '',
    `One instance on PostgreSQL, ${COMPANIES} companies. Pages are requested by 32 connections. ` +
      'Every company has a webhook, and all webhooks a receiver on the same machine that accepts ' +
      `every message at once; a round delivers ${CAMPAIGNS.toLocaleString('en')} waiting events. ` +
      `Medians of ${rounds} rounds, with the least and the most. ${describeMachine(postgres)}`,
    '',
    table(
      ['work', 'per second', 'server CPU, µs', 'PostgreSQL CPU, µs'],
      Object.entries(found).map(([name, all]) => [
        name,
        spread(all, (one) => one.perSecond),
        spread(all, (one) => one.serverCpu),
        spread(all, (one) => one.postgresCpu),
      ]),
    ),
    '',
    `While 32 connections create surveys for ${rounds * seconds} s, the oldest event without a number ` +
      `is ${lagAt(0.5)} ms old in the median, ${lagAt(0.99)} ms at the 99th percentile and ` +
      `${lagAt(1)} ms at most, in ${lag.length} samples.`,
    '',
  ].join('\n');
  writeResults('events', markdown, { rounds, postgres, found, lag });
});
