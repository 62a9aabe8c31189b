import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { postgresUrl, temporaryDirectory } from './databases';
import { freePort } from './ports';
import { serverUser } from './postgres-cluster';

/** The program, so that a run can use another version than the installed one. */
const PROGRAM = process.env.PGBOUNCER ?? 'pgbouncer';

/** The first version that knows which connection has prepared a statement. */
const PREPARES = 1.21;

/** Whether the program keeps prepared statements when transactions share connections. */
export function keepsStatements(): boolean {
  const version = execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  const [, major = '', minor = ''] = /PgBouncer (\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > 1 || Number(`${major}.${minor}`) >= PREPARES;
}

/** A PgBouncer in front of the server of the suite. */
export class PgBouncer {
  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly process: ChildProcess,
  ) {}

  /** @param settings lines of its configuration */
  static async start(users: readonly string[], ...settings: string[]): Promise<PgBouncer> {
    const directory = temporaryDirectory();
    const port = await freePort();
    const { hostname, port: serverPort } = new URL(postgresUrl ?? '');
    const file = join(directory, 'pgbouncer.ini');
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${serverPort || 5432}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${directory}/users`,
      'log_connections = 0',
      'log_disconnections = 0',
      ...settings,
    ];
    writeFileSync(file, lines.join('\n'));
    writeFileSync(join(directory, 'users'), users.map((name) => `"${name}" ""\n`).join(''));
    const user = serverUser();
    chownSync(directory, user.uid, user.gid);
    const child = spawn(PROGRAM, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
    const bouncer = new PgBouncer(directory, port, child);
    const log: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      log.push(line);
      if (line.includes('process up')) {
        child.stderr.resume();
        return bouncer;
      }
    }
    await bouncer.stop();
    throw new Error(`PgBouncer has not started: ${log.join('\n')}`);
  }

  /** The URL of a database of the server, through PgBouncer. */
  url(direct: string): string {
    const url = new URL(direct);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.kill('SIGKILL')) {
      await once(this.process, 'exit');
    }
    await rm(this.directory, { recursive: true });
  }
}
