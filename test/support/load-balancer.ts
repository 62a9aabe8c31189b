import { once } from 'node:events';
import {
  Agent,
  createServer,
  IncomingMessage,
  OutgoingHttpHeaders,
  request,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Milliseconds between two health checks of an instance. */
const CHECK_INTERVAL = 500;

interface Instance {
  url: URL;
  agent: Agent;
  healthy: boolean;
  served: number;
}

/**
 * Distributes requests over instances like a load balancer: it keeps connections to them, polls
 * `/health/ready` and sends no new request to an instance that is not ready. If an instance refuses
 * the connection, so that no part of the request was sent, the request goes to another one. Every
 * other failure reaches the client as 502.
 */
export class LoadBalancer {
  /** Errors between the balancer and an instance. */
  readonly failures: string[] = [];
  refused = 0;
  private readonly instances: Instance[];
  private readonly server = createServer({ keepAliveTimeout: 60_000 }, (incoming, answer) => {
    void this.forward(incoming, answer);
  });
  private timer?: NodeJS.Timeout;
  private next = 0;

  constructor(urls: readonly string[]) {
    this.instances = urls.map((url) => ({
      url: new URL(url),
      agent: new Agent({ keepAlive: true }),
      healthy: true,
      served: 0,
    }));
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.timer = setInterval(() => void this.check(), CHECK_INTERVAL);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The number of requests each instance has served. */
  get served(): number[] {
    return this.instances.map(({ served }) => served);
  }

  /** Resolves once every instance receives requests. */
  async allHealthy(): Promise<void> {
    do {
      await this.check();
    } while (!this.instances.every(({ healthy }) => healthy));
  }

  close(): void {
    clearInterval(this.timer);
    this.server.close();
    this.server.closeAllConnections();
    this.instances.forEach(({ agent }) => agent.destroy());
  }

  private async check(): Promise<void> {
    await Promise.all(
      this.instances.map(async (instance) => {
        try {
          const url = new URL('/health/ready', instance.url);
          instance.healthy = (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
        } catch {
          instance.healthy = false;
        }
      }),
    );
  }

  private async forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const ready = this.instances.filter(({ healthy }) => healthy);
    this.next += 1;
    const order = ready.map((_, index) => ready[(this.next + index) % ready.length]!);
    for (const instance of order) {
      try {
        const upstream = await send(instance, incoming, body);
        const content = await buffer(upstream);
        instance.served += 1;
        answer.writeHead(upstream.statusCode!, endToEnd(upstream)).end(content);
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') {
          this.failures.push(`${incoming.method} ${incoming.url}: ${String(error)}`);
          break;
        }
        this.refused += 1;
      }
    }
    answer.writeHead(502).end('{}');
  }
}

/** Without hop-by-hop headers. */
function endToEnd({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const hopByHop = ['connection', 'keep-alive', 'transfer-encoding'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)));
}

async function send(
  { url, agent }: Instance,
  incoming: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  const headers = endToEnd(incoming);
  const outgoing = request(new URL(incoming.url!, url), {
    method: incoming.method,
    agent,
    headers,
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}
