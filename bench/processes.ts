import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that a program has to become ready, and to stop. */
const START_LIMIT = 60_000;
const STOP_LIMIT = 15_000;

/** How to run a server. */
export interface Program {
  /** Arguments of Node. */
  parameters: string[];
  variables: NodeJS.ProcessEnv;
  /** Path that returns 200 once the server can serve requests. */
  readyPath: string;
}

/** A server that runs as a separate process. */
export interface Server {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process to its first successful readiness check. */
  startedIn: number;
  stop(): Promise<void>;
}

/** What `npm start` gives Node; every contestant has it. */
const NODE_OPTIONS = '--max-semi-space-size=64';

/** Runs a server on a free port, with only these variables, and waits until it is ready. */
export async function startServer(
  makeProgram: (port: number) => Program,
  directory = __dirname,
): Promise<Server> {
  const port = await freePort();
  const { parameters, variables, readyPath } = makeProgram(port);
  const startedAt = performance.now();
  const child = spawn(process.execPath, parameters, {
    cwd: directory,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', NODE_OPTIONS, ...variables },
    // Log lines are written, but stored nowhere.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = text(child.stderr);
  const url = `http://127.0.0.1:${port}`;
  const stop = () => stopProcess(child);
  try {
    await untilReady(child, url + readyPath, errors);
  } catch (error) {
    await stop();
    throw error;
  }
  if (child.pid === undefined) {
    throw new Error('a process that serves has no id');
  }
  return { url, pid: child.pid, startedIn: performance.now() - startedAt, stop };
}

async function untilReady(child: ChildProcess, url: string, errors: Promise<string>) {
  const deadline = performance.now() + START_LIMIT;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`${child.spawnargs.join(' ')} ended instead of starting: ${await errors}`);
    }
    // Connections are refused until the server listens.
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) {
      await answer.text();
      return;
    }
    await sleep(20);
  }
  throw new Error(`${child.spawnargs.join(' ')} was not ready in time`);
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT);
  await ended;
  clearTimeout(limit);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error('a listening server has no port');
  }
  return address.port;
}
