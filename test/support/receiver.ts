import { once } from 'node:events';
import { createServer, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { eventually } from './eventually';
import type { FeedEvent } from './feed';

/** A message that a receiver was sent. */
export interface Received {
  id: string;
  /** When it arrived, in milliseconds. */
  at: number;
  headers: IncomingMessage['headers'];
  text: string;
  body: { type: string; timestamp: string; data: FeedEvent };
}

type Respond = (message: Received, response: ServerResponse) => void;

/** Responds with a status and no body. */
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (_, response) => {
    response.writeHead(code, headers).end();
  };

/** A private key and its certificate, as PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A receiver of webhook messages on 127.0.0.1. */
export class Receiver {
  readonly messages: Received[] = [];
  /** How it responds from now on. */
  respond: Respond = status(204);
  /** The most requests that were open at once. */
  mostAtOnce = 0;
  private open = 0;
  private server?: Server;

  private constructor(
    private port: number,
    private readonly certificate?: Certificate,
  ) {}

  /** Starts a receiver, on any free port by default, with TLS if it has a certificate. */
  static async start(port = 0, certificate?: Certificate): Promise<Receiver> {
    const receiver = new Receiver(port, certificate);
    await receiver.restart();
    return receiver;
  }

  get url(): string {
    return `http${this.certificate === undefined ? '' : 's'}://127.0.0.1:${this.port}/webhooks`;
  }

  /** Listens again, on the same port. */
  async restart(): Promise<void> {
    const listener: RequestListener = (request, response) => {
      this.open += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.open);
      response.on('close', () => {
        this.open -= 1;
      });
      void this.receive(request, response);
    };
    const { certificate } = this;
    this.server =
      certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener);
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening, as a killed process does. */
  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    await once(this.server!, 'close');
  }

  /** Returns the messages that match, once there are this many. */
  until(count: number, match: (message: Received) => boolean = () => true): Promise<Received[]> {
    return eventually(() => {
      const found = this.messages.filter(match);
      expect(found.length).toBeGreaterThanOrEqual(count);
      return found;
    });
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
    } catch {
      // The sender is gone.
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const message = {
      id: String(request.headers['webhook-id']),
      at: Date.now(),
      headers: request.headers,
      text,
      body: JSON.parse(text),
    };
    this.messages.push(message);
    this.respond(message, response);
  }
}

/** Expects a message to have a valid signature, and returns its body. */
export function verified({ text, headers }: Received, secret: string): Received['body'] {
  return new Webhook(secret).verify(text, headers as Record<string, string>) as Received['body'];
}
