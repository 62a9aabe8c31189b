import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { temporaryDirectory } from './databases';
import { freePort } from './ports';
import { runToEnd } from './process';

const INSTALLATIONS = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL programs of this machine. */
function programs(): string {
  const versions = existsSync(INSTALLATIONS) ? readdirSync(INSTALLATIONS) : [];
  const folder = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(INSTALLATIONS, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
  if (folder === undefined) {
    throw new Error(`these tests need PostgreSQL's initdb and pg_ctl in ${INSTALLATIONS}/*/bin`);
  }
  return folder;
}

/** Whom PostgreSQL runs as: it refuses root. */
function owner(): { uid: number; gid: number } {
  const ask = (flag: string, ...user: string[]) =>
    Number(execFileSync('id', [flag, ...user], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? ['postgres'] : [];
  return { uid: ask('-u', ...user), gid: ask('-g', ...user) };
}

/** A PostgreSQL server of a test's own, which may be stopped, frozen and starved. */
export class PostgresCluster {
  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly run: (program: string, ...args: string[]) => Promise<void>,
  ) {}

  /**
   * A running server with a migrated database.
   *
   * @param settings lines of its postgresql.conf
   */
  static async create(settings: readonly string[] = []): Promise<PostgresCluster> {
    const bin = programs();
    const user = owner();
    const directory = temporaryDirectory();
    chownSync(directory, user.uid, user.gid);
    const port = await freePort();
    const cluster = new PostgresCluster(directory, port, async (program, ...args) => {
      const all = ['-D', join(directory, 'data'), ...args];
      await promisify(execFile)(join(bin, program), all, { ...user, cwd: directory });
    });
    try {
      await cluster.run('initdb', '--auth=trust', '--username=postgres', '--no-sync');
      const lines = [
        `port = ${port}`,
        "listen_addresses = '127.0.0.1'",
        `unix_socket_directories = '${directory}'`,
        ...settings,
      ];
      writeFileSync(join(directory, 'data', 'postgresql.auto.conf'), lines.join('\n'));
      await cluster.start();
      await cluster.query('CREATE DATABASE campaign', 'postgres');
      const { code, stderr } = await runToEnd('src/database/migrate.js', {
        DATABASE_URL: cluster.url(),
      });
      if (code !== 0) {
        throw new Error(`the migration failed: ${stderr}`);
      }
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  url(database = 'campaign'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Returns once it accepts connections. */
  async start(): Promise<void> {
    await this.run('pg_ctl', 'start', '-w', '-s', '-l', join(this.directory, 'log'));
  }

  /** `fast` closes all connections and shuts down; `immediate` is as a crash. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.run('pg_ctl', 'stop', '-w', '-s', '-m', mode);
  }

  /** Stops every process of the server where it is; connections stay open and silent. */
  freeze(): void {
    this.signal('SIGSTOP');
  }

  thaw(): void {
    this.signal('SIGCONT');
  }

  async connect(database = 'campaign'): Promise<Client> {
    const client = new Client({ connectionString: this.url(database) });
    // A connection that a test has cut is no failure of that test.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async query<Row = unknown>(statement: string, database = 'campaign'): Promise<Row[]> {
    const client = await this.connect(database);
    try {
      return (await client.query(statement)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    if (existsSync(this.pidFile)) {
      this.thaw();
      await this.stop('immediate');
    }
    await rm(this.directory, { recursive: true });
  }

  private get pidFile(): string {
    return join(this.directory, 'data', 'postmaster.pid');
  }

  private signal(signal: NodeJS.Signals): void {
    const [postmaster = ''] = readFileSync(this.pidFile, 'utf8').split('\n');
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
    for (const pid of [postmaster, ...children.trim().split(' ').filter(Boolean)]) {
      process.kill(Number(pid), signal);
    }
  }
}
