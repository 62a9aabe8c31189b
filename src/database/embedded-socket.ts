import type { PGlite } from '@electric-sql/pglite';
import { Duplex } from 'node:stream';

type Part = Readonly<Record<'chunk', Buffer>>;

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

  /** Ends what the connection before has left: a transaction, settings, prepared statements. */
  private async reset(): Promise<void> {
    await this.database.exec('ROLLBACK');
    await this.database.exec('DISCARD ALL');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this._writev([{ chunk }], done);
  }

  override _writev(parts: readonly Part[], done: (error?: Error) => void): void {
    setImmediate(() => {
      this.run(Buffer.concat(parts.map(({ chunk }) => chunk))).then((response) => {
        this.push(response);
        done();
      }, done);
    });
  }

  /** Returns the messages of the database's response. */
  private async run(messages: Buffer): Promise<Buffer> {
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
