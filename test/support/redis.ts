import { once } from 'node:events';
import { connect, createServer, Server, Socket } from 'node:net';

/** The Redis server for the tests of shared limits, which are skipped without it. */
export const redisUrl = process.env.TEST_REDIS_URL;

/** A relay between a service and its Redis that can be interrupted. */
export interface RedisRelay {
  url: string;
  /** Closes every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Keeps every connection open and withholds every response. */
  stall(): void;
  /** Leads later connections to another server. */
  lead(url: string): void;
  /** Forwards everything again, the withheld responses first. */
  restore(): Promise<void>;
}

export async function relayTo(url: string): Promise<RedisRelay> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const pairs = new Map<Socket, Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const listenAt = async (server: Server, at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  let stalled = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 6379), target.hostname);
    keep(client);
    keep(upstream);
    client.pipe(upstream);
    upstream.pipe(client);
    if (stalled) {
      upstream.unpipe(client);
    }
    pairs.set(client, upstream);
    client.once('close', () => pairs.delete(client));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  await listenAt(server, 0);
  const place = server.address() as { port: number };
  return {
    url: `redis://127.0.0.1:${place.port}`,
    cut: async () => {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
    lead: (other) => {
      target = new URL(other);
    },
    stall: () => {
      stalled = true;
      pairs.forEach((upstream, client) => upstream.unpipe(client));
    },
    restore: async () => {
      stalled = false;
      pairs.forEach((upstream, client) => upstream.pipe(client));
      if (!server.listening) {
        await listenAt(server, place.port);
      }
    },
  };
}
