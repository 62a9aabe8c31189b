import { rm } from 'node:fs/promises';
import { Databases } from './databases';
import { LoadGenerator } from './load-generator';
import { Program, Server, startServer } from './processes';

/** Everything that a measurement starts or creates and that must be removed afterwards. */
export class Session {
  readonly databases = new Databases();
  readonly load = new LoadGenerator();
  private readonly servers: Server[] = [];
  private readonly otherLoads: LoadGenerator[] = [];
  private readonly directories: string[] = [];

  async start(makeProgram: (port: number) => Program): Promise<Server> {
    const server = await startServer(makeProgram);
    this.servers.push(server);
    return server;
  }

  /** Starts another load generator. */
  anotherLoad(): LoadGenerator {
    const load = new LoadGenerator();
    this.otherLoads.push(load);
    return load;
  }

  /** Removes a directory at the end. */
  removeLater(directory: string): void {
    this.directories.push(directory);
  }

  async close(): Promise<void> {
    [this.load, ...this.otherLoads].forEach((load) => {
      load.stop();
    });
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.databases.dropAll();
    await Promise.all(this.directories.map((one) => rm(one, { recursive: true, force: true })));
  }
}

/** Runs a measurement and cleans up, however it ends. */
export function inSession(measurement: (session: Session) => Promise<void>): void {
  const session = new Session();
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= session.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void close().finally(() => process.exit(1));
    });
  }
  measurement(session)
    .finally(close)
    .catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
      process.exitCode = 1;
    });
}
