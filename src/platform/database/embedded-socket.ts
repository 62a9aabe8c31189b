import { PGlite, protocol } from '@electric-sql/pglite';
import { Duplex } from 'node:stream';

type Part = Readonly<Record<'chunk', Buffer>>;

/** Ends what the connection before has left: a transaction, settings, prepared statements. */
const RESET = ['ROLLBACK', 'DISCARD ALL'].map((text) => protocol.serialize.query(text));

/** The response to the startup message: AuthenticationOk and ReadyForQuery. */
const STARTED = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');

const STARTUP = 0;
const TERMINATE = 'X'.charCodeAt(0);

/**
 * What pg connects to instead of a socket: the embedded database, which speaks PostgreSQL's
 * protocol as a server does. The database has one session, which each connection finds as new.
 *
 * All messages of a statement, which pg writes at once, run in one call and in their own turn of
 * the event loop. The call blocks the event loop until it ends. Without turns, queued statements
 * would run without a pause: ten pages of 1 MiB at once delay every other request by 400 ms, and by
 * 50 ms with turns.
 */
export class EmbeddedSocket extends Duplex {
  constructor(private readonly database: PGlite) {
    super();
  }

  connect(): void {
    this.reset().then(
      () => this.emit('connect'),
      (error: unknown) => this.destroy(error as Error),
    );
  }

  private async reset(): Promise<void> {
    await this.database.waitReady;
    for (const message of RESET) {
      await this.run(message);
    }
  }

  override _writev(parts: readonly Part[], done: (error?: Error) => void): void {
    const messages = Buffer.concat(parts.map(({ chunk }) => chunk));
    setImmediate(() => {
      this.respond(messages).then((response) => {
        this.push(response);
        done();
      }, done);
    });
  }

  /** Returns the response to messages, of which the first one and the last one come alone. */
  private async respond(messages: Buffer): Promise<Buffer> {
    switch (messages[0]) {
      case STARTUP:
        return STARTED;
      case TERMINATE:
        return Buffer.alloc(0);
      default:
        return this.run(messages);
    }
  }

  private async run(messages: Uint8Array): Promise<Buffer> {
    // What a connection leaves undone when it breaks must not run in the session of the next one.
    if (this.destroyed) {
      throw new Error('Connection terminated');
    }
    if (!this.database.ready) {
      throw new Error('PGlite is closed');
    }
    const response: Buffer[] = [];
    // What the callback receives is overwritten after it returns.
    const onRawData = (part: Uint8Array) => response.push(Buffer.from(part));
    await this.database.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    return Buffer.concat(response);
  }

  override _read(): void {
    // Each write pushes the response to it.
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  // pg sets these options of a socket, which have no meaning here.

  setNoDelay(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
