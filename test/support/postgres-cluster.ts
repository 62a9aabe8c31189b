import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { temporaryDirectory } from './databases';
import { freePort } from './ports';
import { runToEnd } from './process';
import { eventually } from './eventually';

const INSTALLATIONS = '/usr/lib/postgresql';
const EXTENSIONS = '/usr/share/postgresql';

/** The folder of the newest PostgreSQL programs of this machine that can load an extension. */
function programs(extension: string): string {
  const versions = existsSync(INSTALLATIONS) ? readdirSync(INSTALLATIONS) : [];
  const newest = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .find(
      (version) =>
        existsSync(join(INSTALLATIONS, version, 'bin', 'initdb')) &&
        existsSync(join(EXTENSIONS, version, 'extension', `${extension}.control`)),
    );
  if (newest === undefined) {
    throw new Error(
      `these tests need PostgreSQL's initdb and pg_ctl in ${INSTALLATIONS}/*/bin, ` +
        `and its extension ${extension}`,
    );
  }
  return join(INSTALLATIONS, newest, 'bin');
}

/** The user that runs PostgreSQL, which refuses root. */
export function serverUser(): { uid: number; gid: number } {
  const ask = (flag: string, ...user: string[]) =>
    Number(execFileSync('id', [flag, ...user], { encoding: 'utf8' }));
  const user = process.getuid?.() === 0 ? ['postgres'] : [];
  return { uid: ask('-u', ...user), gid: ask('-g', ...user) };
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return list.split(' ').filter(Boolean).map(Number);
}

/** Returns the state of a process as `ps` shows it: T is stopped, Z is a zombie. */
function stateOf(pid: number): string {
  // The name in parentheses may contain any character, including parentheses.
  return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0]!;
}

/** Children of a process that are neither stopped nor ended. */
function running(pid: number): number[] {
  return childrenOf(pid).filter((child) => !['T', 'Z'].includes(stateOf(child)));
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && stateOf(pid) !== 'Z';
}

/** A PostgreSQL server for one test, which can be stopped, frozen and starved. */
export class PostgresCluster {
  private frozen = false;

  private constructor(
    /** It belongs to the user of the server. */
    readonly directory: string,
    readonly port: number,
    /** Runs a command line as the user of the server, with its programs in the PATH. */
    readonly shell: (script: string) => Promise<void>,
  ) {}

  /**
   * Starts a server with a migrated database.
   *
   * @param settings lines of its postgresql.conf
   */
  static async create(settings: readonly string[] = []): Promise<PostgresCluster> {
    const cluster = await PostgresCluster.createEmpty(settings);
    try {
      await cluster.query('CREATE DATABASE campaign', 'postgres');
      await cluster.migrate();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  /**
   * Starts a server without a database for the service.
   *
   * @param settings lines of its postgresql.conf
   * @param extension an extension that its installation must have
   */
  static async createEmpty(
    settings: readonly string[] = [],
    extension = 'plpgsql',
  ): Promise<PostgresCluster> {
    const bin = programs(extension);
    const user = serverUser();
    const directory = temporaryDirectory();
    chownSync(directory, user.uid, user.gid);
    const port = await freePort();
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env.PATH}`,
      // When a server connects to another one, it looks for certificates in its user's home.
      HOME: directory,
      PGDATA: join(directory, 'data'),
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'postgres',
    };
    const cluster = new PostgresCluster(directory, port, async (script) => {
      await promisify(execFile)('bash', ['-ec', script], { ...user, cwd: directory, env });
    });
    try {
      await cluster.shell('initdb --auth=trust --username=postgres --no-sync');
      const lines = [
        `port = ${port}`,
        "listen_addresses = '127.0.0.1'",
        `unix_socket_directories = '${directory}'`,
        ...settings,
      ];
      writeFileSync(join(directory, 'data', 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
      await cluster.start();
    } catch (error) {
      await cluster.remove();
      throw error;
    }
    return cluster;
  }

  async migrate(): Promise<void> {
    const { code, stderr } = await runToEnd('src/platform/database/migrate.js', {
      DATABASE_URL: this.url(),
    });
    if (code !== 0) {
      throw new Error(`the migration failed: ${stderr}`);
    }
  }

  url(database = 'campaign'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Resolves once the server accepts connections. */
  async start(): Promise<void> {
    await this.shell('pg_ctl start -w -s -l log');
  }

  /** `fast` closes all connections and shuts down; `immediate` is like a crash. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.shell(`pg_ctl stop -w -s -m ${mode}`);
  }

  /** Kills every process of the server, so that none of them can react. */
  async kill(): Promise<void> {
    const postmaster = this.postmaster();
    const processes = [postmaster, ...childrenOf(postmaster)];
    for (const pid of processes) {
      process.kill(pid, 'SIGKILL');
    }
    await eventually(() => {
      expect(processes.filter(isRunning)).toEqual([]);
    });
  }

  /** Stops every process of the server; connections stay open and silent. */
  freeze(): void {
    const postmaster = this.postmaster();
    process.kill(postmaster, 'SIGSTOP');
    while (stateOf(postmaster) !== 'T') {
      // The signal takes a moment to arrive.
    }
    // A stopped postmaster forks no backend and reaps none, so each child exists until the thaw,
    // possibly as a zombie. A child that ends can hide others from the list, so the list is read
    // again.
    for (let left = running(postmaster); left.length > 0; left = running(postmaster)) {
      for (const backend of left) {
        process.kill(backend, 'SIGSTOP');
      }
    }
    this.frozen = true;
  }

  thaw(): void {
    const postmaster = this.postmaster();
    for (const backend of childrenOf(postmaster)) {
      process.kill(backend, 'SIGCONT');
    }
    process.kill(postmaster, 'SIGCONT');
    this.frozen = false;
  }

  async connect(database = 'campaign'): Promise<Client> {
    const client = new Client({ connectionString: this.url(database) });
    // A connection that a test has cut must not fail that test.
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
    if (existsSync(this.pidFile) && isRunning(this.postmaster())) {
      if (this.frozen) {
        this.thaw();
      }
      await this.stop('immediate');
    }
    await rm(this.directory, { recursive: true });
  }

  private get pidFile(): string {
    return join(this.directory, 'data', 'postmaster.pid');
  }

  private postmaster(): number {
    return Number(readFileSync(this.pidFile, 'utf8').split('\n')[0]);
  }
}
