import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from './client';
import { createTestDatabase, TestDatabase } from './databases';
import { TEST_ENCRYPTION_KEY, TEST_JWT_SECRET } from './env';

const root = join(__dirname, '../..');

/** Builds the programs for {@link run} unless they are up to date. */
export function build(): void {
  const { status, stderr } = spawnSync('node', ['scripts/build-if-needed.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`the build failed: ${stderr}`);
  }
}

/** A running program of the build, with its output. */
export interface Program {
  process: ChildProcess;
  stdout: Promise<string>;
  stderr: Promise<string>;
  /** The exit code once the program has ended; `null` if a signal ended it. */
  exitCode: Promise<number | null>;
  /** Sends SIGKILL and resolves once the program has ended. */
  kill(): Promise<void>;
}

/**
 * Runs a file of the build with only these variables, in a directory without a `.env` file.
 *
 * @param file its path below `dist`, or an absolute one
 */
export function run(file: string, variables: NodeJS.ProcessEnv, ...args: string[]): Program {
  const child = spawn(process.execPath, [resolve(root, 'dist', file), ...args], {
    cwd: __dirname,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exitCode = once(child, 'exit').then(([code]) => code as number | null);
  return {
    process: child,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    exitCode,
    kill: async () => {
      child.kill('SIGKILL');
      await exitCode;
    },
  };
}

/** A running service that has logged its URL. */
export interface RunningService extends Program {
  url: string;
  docs: string;
  client: Client;
  /** Resolves with the next log line that contains this text. */
  logged(text: string): Promise<void>;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Runs the service and resolves once it is ready. */
export async function runService(
  variables: NodeJS.ProcessEnv,
  file = 'src/main.js',
): Promise<RunningService> {
  const program = run(file, {
    PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    DRAIN_SECONDS: '0',
    JWT_SECRET: TEST_JWT_SECRET,
    ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
    ...variables,
  });
  const { url, docs } = await new Promise<{ url: string; docs: string }>((resolve, reject) => {
    let written = '';
    program.process.stdout?.on('data', (chunk: Buffer) => {
      written += chunk.toString();
      for (const line of written.split('\n').slice(0, -1)) {
        const { url, docs } = JSON.parse(line) as { url?: string; docs?: string };
        if (url !== undefined && docs !== undefined) {
          resolve({ url, docs });
        }
      }
    });
    void Promise.all([program.exitCode, program.stderr]).then(([code, stderr]) => {
      reject(new Error(`the service ended with ${code} instead of starting: ${stderr}`));
    });
  });
  return {
    ...program,
    url,
    docs,
    client: new Client(url),
    logged: (message) =>
      new Promise((resolve) => {
        const lines = createInterface({ input: program.process.stdout! });
        lines.on('line', (line) => {
          if (line.includes(message)) {
            lines.close();
            resolve();
          }
        });
      }),
    stop: () => {
      program.process.kill('SIGTERM');
      return program.exitCode;
    },
  };
}

/**
 * Builds the service and runs it on a database of its own for all tests of a `describe`.
 *
 * @returns an object that a hook fills in
 */
export function runServiceForAll(variables: NodeJS.ProcessEnv = {}): RunningService {
  const service = {} as RunningService;
  let database: TestDatabase;
  beforeAll(async () => {
    build();
    database = await createTestDatabase();
    Object.assign(service, await runService({ ...database.variables, ...variables }));
  }, 120_000);
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    await database.drop();
  });
  return service;
}

/** Runs a program until it ends. */
export async function runToEnd(
  file: string,
  variables: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = run(file, variables, ...args);
  return { code: await exitCode, stdout: await stdout, stderr: await stderr };
}

/** Runs a program until it ends without an error, and returns what it prints. */
export async function outputOf(
  file: string,
  variables: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(file, variables, ...args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}
