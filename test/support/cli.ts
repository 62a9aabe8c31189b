import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from './databases';
import { eventually } from './eventually';
import { installedSdk } from './sdk';

/** What a run of the command line came to. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

interface Surroundings {
  env?: Record<string, string>;
  stdin?: string;
  cwd?: string;
}

/** A run that has not ended. */
export interface Running {
  /** Does what Ctrl-C does. */
  interrupt(): void;
  ended: Promise<Ran>;
  /** Waits until it has printed a text. */
  prints(text: string | RegExp): Promise<void>;
}

/** Runs command lines one after the other in one process, as each would run in its own. */
const DRIVER = `
import { Readable, Writable } from 'node:stream';
import { run } from './node_modules/campaign-service-client/dist/cli/run.js';

const running = new Map();
process.on('message', async ({ id, argv, env, stdin, cwd }) => {
  if (argv === undefined) {
    running.get(id)?.abort();
    return;
  }
  const stream = (name) => new Writable({
    write: (chunk, _encoding, done) => {
      process.send({ id, [name]: chunk.toString() });
      done();
    },
  });
  const stop = new AbortController();
  running.set(id, stop);
  const code = await run(argv, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    env,
    cwd,
    signal: stop.signal,
  });
  process.send({ id, code });
});
`;

/** The installed command line, with a folder of its own for what it stores. */
export class CommandLine {
  /** Where relative paths begin. */
  readonly folder = temporaryDirectory();
  /** What commands have in their environment. */
  env: Record<string, string> = {
    XDG_CONFIG_HOME: join(this.folder, '.config'),
    XDG_STATE_HOME: join(this.folder, '.state'),
  };
  private started = 0;

  private constructor(private readonly driver: ChildProcess) {}

  static async start(): Promise<CommandLine> {
    const { directory } = await installedSdk();
    const file = join(directory, 'driver.mjs');
    writeFileSync(file, DRIVER);
    const driver = fork(file, { execArgv: [] });
    driver.setMaxListeners(0);
    return new CommandLine(driver);
  }

  async stop(): Promise<void> {
    const exited = once(this.driver, 'exit');
    this.driver.kill();
    await exited;
  }

  /** Runs a command line to its end. */
  run(argv: string[], surroundings?: Surroundings): Promise<Ran> {
    return this.begin(argv, surroundings).ended;
  }

  /** Runs a command line that succeeds, and returns the JSON that it prints. */
  async json(...argv: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run([...argv, '--json']);
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  begin(argv: string[], { env = {}, stdin = '', cwd = this.folder }: Surroundings = {}): Running {
    const id = (this.started += 1);
    const ran: Ran = { code: NaN, stdout: '', stderr: '' };
    const { driver } = this;
    const ended = new Promise<Ran>((resolve, reject) => {
      driver.once('exit', (code) => reject(new Error(`the driver ended with ${code}`)));
      const listen = (message: { id: number } & Partial<Ran>) => {
        if (message.id !== id) {
          return;
        }
        ran.stdout += message.stdout ?? '';
        ran.stderr += message.stderr ?? '';
        if (message.code !== undefined) {
          driver.off('message', listen);
          resolve({ ...ran, code: message.code });
        }
      };
      driver.on('message', listen);
    });
    driver.send({ id, argv, env: { ...this.env, ...env }, stdin, cwd });
    return {
      interrupt: () => driver.send({ id }),
      ended,
      prints: (text) => eventually(() => expect(ran.stdout + ran.stderr).toMatch(text)),
    };
  }
}
