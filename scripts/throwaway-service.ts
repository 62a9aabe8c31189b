import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/*
 * A service on a database in a throwaway directory.
 */

/** The URL in the first log line that has one. */
async function addressOf(service: ChildProcess): Promise<string> {
  if (service.stdout === null) {
    throw new Error('the service was started without its log');
  }
  for await (const line of createInterface({ input: service.stdout })) {
    const { url } = JSON.parse(line) as { url?: string };
    if (url !== undefined) {
      service.stdout.resume();
      return url;
    }
  }
  throw new Error('the service did not start');
}

/** Runs work against a service of its own, which is always removed afterwards. */
export async function withService(work: (url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'campaign-demo-'));
  try {
    await whileServing(directory, work);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function whileServing(
  directory: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  // Ignores this shell's environment and any .env file, so that nothing touches another database.
  const service = spawn(process.execPath, [join(__dirname, '../src/main.js')], {
    cwd: directory,
    env: {
      DATA_DIR: directory,
      PORT: '0',
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
      // Receivers of events are on this machine.
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(service, 'exit');
  const stop = () => service.kill('SIGTERM');
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(await addressOf(service));
  } finally {
    stop();
    await gone;
  }
}
