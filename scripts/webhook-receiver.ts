import { EventEmitter, once } from 'node:events';
import { createServer, IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A verified message of a webhook. */
export interface Message {
  type: string;
  data: Record<string, unknown>;
}

interface Received {
  text: string;
  headers: IncomingHttpHeaders;
}

/** A receiver of webhooks' messages on this machine, so that nothing needs a network. */
export class Receiver {
  /** The messages that {@link next} has not returned. */
  readonly received: Received[] = [];
  /** The statuses of the next responses; then it responds 204. */
  readonly statuses: number[] = [];
  private readonly arrivals = new EventEmitter();
  private readonly server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks as Buffer[]).toString();
      this.received.push({ text, headers: request.headers });
      this.arrivals.emit('message');
      response.writeHead(this.statuses.shift() ?? 204).end();
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /**
   * Returns the next message.
   *
   * @throws if there is none in time, or if it was not signed with the secret
   */
  async next(secret: string, milliseconds: number): Promise<Message> {
    const signal = AbortSignal.timeout(milliseconds);
    for (;;) {
      const message = this.received.shift();
      if (message !== undefined) {
        const headers = message.headers as Record<string, string>;
        return new Webhook(secret).verify(message.text, headers) as Message;
      }
      await once(this.arrivals, 'message', { signal }).catch((error: unknown) => {
        throw new Error('no event arrived', { cause: error });
      });
    }
  }
}
