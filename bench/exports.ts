import { get, IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from './cpu';
import { databaseOf, withClient } from './databases';
import type { Server } from './processes';
import { measured, Round } from './work';

/** An export that was read to its end. */
export interface WholeExport extends Round {
  rows: number;
  megabytes: number;
  seconds: number;
  /** Resident memory of the service before it, and the most during it, in MiB. */
  before: number;
  most: number;
}

/** Two exports, as many as a company reads at once, of which nothing is read. */
export interface UnreadExports {
  /** What the memory of the service grew by at most, in MiB. */
  growth: number;
  /** The most connections to the database that worked for exports meanwhile. */
  busy: number;
  /** Seconds until the service closed the connections. */
  closedAfter: number;
}

/** Milliseconds between two readings. */
const INTERVAL = 100;

/** Milliseconds in which what is under way when the reader stops comes to its end. */
const SETTLING = 2_000;

const BUSY = `
  SELECT count(*)::integer AS busy FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'
    AND query LIKE '%response.submitted%'`;

function open(server: Server, path: string, key: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(server.url + path, { headers: { 'x-api-key': key } }, resolve).on('error', reject);
  });
}

/** Reads an export as fast as it comes. */
export async function measureExport(
  server: Server,
  url: string,
  path: string,
  key: string,
): Promise<WholeExport> {
  const before = residentMemory(server.pid);
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, residentMemory(server.pid));
  }, INTERVAL);
  let bytes = 0;
  let found = { rows: 0, seconds: 0 };
  const round = await measured(server, databaseOf(url), async () => {
    const startedAt = performance.now();
    const response = await open(server, path, key);
    const rows = Number(response.headers['export-count']);
    let end = '';
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      end = (end + chunk.subarray(-200).toString('latin1')).slice(-200);
    }
    if (!end.includes(`"count":${rows},"sha256":"`)) {
      throw new Error(`${path} ended with ${end}`);
    }
    found = { rows, seconds: (performance.now() - startedAt) / 1000 };
    return { count: rows, seconds: found.seconds };
  });
  clearInterval(timer);
  return { ...round, ...found, megabytes: bytes / 1e6, before, most };
}

/** Opens two exports, reads nothing of them, and waits until the company may open another one. */
export async function measureUnread(
  server: Server,
  url: string,
  path: string,
  key: string,
): Promise<UnreadExports> {
  return withClient(url, async (client) => {
    const before = residentMemory(server.pid);
    const unread = [await open(server, path, key), await open(server, path, key)];
    const upTo = String(unread[0]?.headers['export-up-to-seq']);
    const startedAt = performance.now();
    const passed = () => performance.now() - startedAt;
    let [most, busy] = [before, 0];
    for (;;) {
      await sleep(INTERVAL);
      most = Math.max(most, residentMemory(server.pid));
      if (passed() > SETTLING) {
        const { rows } = await client.query<{ busy: number }>(BUSY);
        busy = Math.max(busy, rows[0]?.busy ?? 0);
        const another = await open(server, `${path}?after_seq=${upTo}`, key);
        another.resume();
        if (another.statusCode === 200) {
          break;
        }
      }
    }
    for (const response of unread) {
      response.on('error', () => undefined).destroy();
    }
    return { growth: most - before, busy, closedAfter: passed() / 1000 };
  });
}
