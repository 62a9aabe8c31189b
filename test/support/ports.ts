import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const LOWEST = 10_000;

/** The first port that the system assigns to outgoing connections. */
const [EPHEMERAL = 32_768] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')
  .split('\t')
  .map(Number);

const HIGHEST = Math.max(EPHEMERAL, LOWEST + 10_000);

/**
 * Returns a TCP port of 127.0.0.1 on which nothing listens. It is below the ephemeral range, so no
 * outgoing connection takes it before the caller listens on it or while a server restarts there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
        continue;
      }
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
