import { once } from 'node:events';
import { AddressInfo, connect, createServer, Socket } from 'node:net';

/**
 * Stands between a service and PostgreSQL and can let connections of one kind fall silent without
 * closing them, as a network does that loses every packet.
 */
export class FreezingProxy {
  private readonly marked = new Set<Socket>();
  private readonly all = new Set<Socket>();
  private frozen = false;
  private readonly server = createServer((client) => this.accept(client));

  /** @param mark text in a connection's first message by which the proxy knows its kind */
  constructor(
    private readonly target: URL,
    private readonly mark: string,
  ) {}

  /** The target's URL, by way of the proxy. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  freeze(): void {
    this.frozen = true;
    this.marked.forEach((socket) => socket.pause());
  }

  /** Lets new connections through; the silent ones stay silent. */
  thaw(): void {
    this.frozen = false;
  }

  close(): void {
    this.all.forEach((socket) => socket.destroy());
    this.server.close();
  }

  private accept(client: Socket): void {
    const server = connect(Number(this.target.port || 5432), this.target.hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.all.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (data) => to.write(data));
    }
    client.once('data', (startup) => {
      if (startup.includes(this.mark)) {
        this.marked.add(client).add(server);
        if (this.frozen) {
          client.pause();
          server.pause();
        }
      }
    });
  }
}
