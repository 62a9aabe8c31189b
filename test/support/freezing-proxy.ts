import { once } from 'node:events';
import { AddressInfo, connect, createServer, Socket } from 'node:net';

/**
 * A proxy between a service and PostgreSQL that can freeze marked connections without closing them,
 * like a network that loses every packet.
 */
export class FreezingProxy {
  private readonly marked = new Set<Socket>();
  private readonly all = new Set<Socket>();
  private frozen = false;
  private readonly server = createServer((client) => this.accept(client));

  /** @param mark text in the first message of the connections to freeze */
  constructor(
    private readonly target: URL,
    private readonly mark: string,
  ) {}

  /** Listens and returns the target's URL through the proxy. */
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

  /** Passes new connections through; the frozen ones stay silent. */
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
