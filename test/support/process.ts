import { ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Client } from './client';

const root = join(__dirname, '../..');

/** Builds what {@link run} runs, unless it is up to date. */
export function build(): void {
  const { status, stderr } = spawnSync('node', ['scripts/build-if-needed.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) {
    throw new Error(`the build failed: ${stderr}`);
  }
}

/** A built program that runs, with what it writes. */
export interface Program {
  process: ChildProcess;
  stdout: Promise<string>;
  stderr: Promise<string>;
  /** Its exit code, once it has ended; `null` if a signal ended it. */
  exitCode: Promise<number | null>;
}

/** Runs a file of the build with this environment only, in a folder without a `.env` file. */
export function run(file: string, variables: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, [join(root, 'dist', file)], {
    cwd: __dirname,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return {
    process: child,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    exitCode: once(child, 'exit').then(([code]) => code as number | null),
  };
}

/** The service as a process that has said where it is. */
export interface RunningService extends Program {
  url: string;
  docs: string;
  client: Client;
  /** Waits for a log line from now on whose message has this text. */
  logged(text: string): Promise<void>;
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>;
}

/** Runs the service and waits until it says that it is ready. */
export async function runService(variables: NodeJS.ProcessEnv): Promise<RunningService> {
  const program = run('src/main.js', {
    PORT: '0',
    RATE_LIMIT_ENABLED: 'false',
    DRAIN_SECONDS: '0',
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

/** Runs a program to its end. */
export async function runToEnd(
  file: string,
  variables: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exitCode, stdout, stderr } = run(file, variables);
  return { code: await exitCode, stdout: await stdout, stderr: await stderr };
}
