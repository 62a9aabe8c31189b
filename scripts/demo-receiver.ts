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

/** A receiver of events on this machine. */
export class Receiver {
  private readonly received: Received[] = [];
  private readonly arrivals = new EventEmitter();
  private readonly server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const text = Buffer.concat(chunks as Buffer[]).toString();
      this.received.push({ text, headers: request.headers });
      this.arrivals.emit('message');
      response.writeHead(204).end();
    });
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/events`;
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
