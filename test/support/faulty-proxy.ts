import { once } from 'node:events';
import {
  createServer,
  IncomingHttpHeaders,
  IncomingMessage,
  request,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A fault of one request. */
export type Fault =
  /** The connection is cut; the service never receives the request. */
  | 'cut before the service'
  /** The service responds, and the connection is cut before the response. */
  | 'cut after the service'
  /** The service responds, and the connection is cut in the middle of the body. */
  | 'cut inside the response'
  /** There is no response, and the connection stays open. */
  | 'hang'
  /** A response in place of the service's own. */
  | { status: number; headers?: Record<string, string>; body?: string };

/** A request that the proxy received. */
export interface ReceivedRequest {
  line: string;
  headers: IncomingHttpHeaders;
  at: number;
}

/** Forwards requests to the service and injects network faults. */
export class FaultyProxy {
  /** The faults of the next requests in order; undefined forwards the request. */
  readonly faults: (Fault | undefined)[] = [];
  readonly requests: ReceivedRequest[] = [];
  private readonly server = createServer((incoming, outgoing) => {
    this.pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  constructor(private readonly target: string) {}

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets earlier requests, and plans the faults of the next ones. */
  plan(...faults: (Fault | undefined)[]): void {
    this.requests.length = 0;
    this.faults.splice(0, Infinity, ...faults);
  }

  /** The distinct idempotency keys of the requests. */
  keys(): unknown[] {
    return [...new Set(this.requests.map(({ headers }) => headers['idempotency-key']))];
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url, headers } = incoming;
    let fault: Fault | undefined;
    // The SDK does not see a browser's preflights.
    if (method !== 'OPTIONS') {
      this.requests.push({ line: `${method} ${url}`, headers, at: performance.now() });
      fault = this.faults.shift();
    }
    const body = await buffer(incoming);
    if (fault === 'hang') {
      return;
    }
    if (fault === 'cut before the service') {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, fault.headers).end(fault.body);
      return;
    }
    const forwarded = request(this.target + url!, { method, headers }).end(body);
    const [response] = (await once(forwarded, 'response')) as [IncomingMessage];
    const content = await buffer(response);
    if (fault === 'cut after the service') {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(response.statusCode!, response.headers);
    if (fault === 'cut inside the response') {
      outgoing.write(content.subarray(0, content.length / 2), () => incoming.socket.destroy());
      return;
    }
    outgoing.end(content);
  }
}

/** An error response in the service's envelope. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Fault {
  const error = { code, request_id: 'from-the-proxy', details: [] };
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ success: false, message: 'Refused.', data: null, error }),
  };
}

/** A gateway's response when it cannot reach the service. */
export const BAD_GATEWAY = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
};
