import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from './client';
import { TEST_JWT_SECRET } from './env';

const root = join(__dirname, '..', '..');

/** The built program, running as an operator would run it. */
export interface ServiceProcess {
  client: Client;
  /** Waits for a log line from now on. */
  logged(text: string): Promise<void>;
  /** Asks it to stop and answers its exit code. */
  stop(): Promise<number | null>;
}

/** Builds the program where that is not done yet. */
export function buildProgram(): void {
  execFileSync(process.execPath, [join(root, 'scripts/build-if-needed.mjs')]);
}

/** Starts the built program and waits until it serves. */
export async function startProcess(variables: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const child: ChildProcess = spawn(process.execPath, [join(root, 'dist/src/main.js')], {
    // No .env file and nothing of this process's environment.
    cwd: tmpdir(),
    env: { PORT: '0', JWT_SECRET: TEST_JWT_SECRET, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout! });
  const nextLine = (isIt: (line: Record<string, unknown>) => boolean) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      const look = (text: string) => {
        const line = JSON.parse(text) as Record<string, unknown>;
        if (isIt(line)) {
          lines.off('line', look);
          resolve(line);
        }
      };
      lines.on('line', look);
      void exited.then(() => reject(new Error('the service has ended')));
    });
  const { url } = await nextLine((line) => typeof line.url === 'string');
  return {
    client: new Client(url as string),
    logged: async (text) => {
      await nextLine(({ msg }) => String(msg).includes(text));
    },
    stop: async () => {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}
