import { once } from 'node:events';
import { AddressInfo, createServer, Server, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Outcome } from '../../src/delivery/webhook/sender.service';

/** What a hostile receiver does with each connection, and the outcome of an attempt. */
interface HostileReceiver {
  does: string;
  scheme?: 'http' | 'https';
  outcome: Outcome;
  /** @returns what to do on each turn of a timer while the connection is open */
  serve: (socket: Socket) => (() => void) | undefined;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const DELIVERED: Outcome = { status: 200, error: null };
const TIMEOUT: Outcome = { status: null, error: 'timeout' };
const SWITCHED: Outcome = { status: 101, error: 'status' };
const INVALID: Outcome = { status: null, error: 'invalid_response' };

/** Milliseconds between two turns of a receiver that sends slowly or endlessly. */
const TURN = 5;

const LARGE = Buffer.alloc(65_536, 'x');

/** 1 MiB of zeros in 1 KiB, which a response repeats. */
const BOMB = gzipSync(Buffer.alloc(1_048_576));

const afterRequest = (socket: Socket, act: () => void) => {
  socket.once('data', act);
};

/** Responds to the request, then continues on each turn. */
const responds =
  (head: string, turn: (socket: Socket, turns: number) => void = () => undefined) =>
  (socket: Socket) => {
    let responded = false;
    let turns = 0;
    afterRequest(socket, () => {
      socket.write(head);
      responded = true;
    });
    return () => {
      if (responded) {
        turn(socket, (turns += 1));
      }
    };
  };

/** Writes as much as the connection takes. */
const flood = (content: string | Buffer) => (socket: Socket) => {
  while (socket.writable && socket.write(content));
};

const resets = (socket: Socket): undefined => {
  socket.resetAndDestroy();
};

/**
 * Receivers that break the protocol, or keep it in a way that wastes the sender's time or memory.
 */
export const HOSTILE_RECEIVERS: readonly HostileReceiver[] = [
  {
    does: 'switches protocols',
    outcome: SWITCHED,
    serve: responds(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n',
    ),
  },
  {
    does: 'switches protocols without naming one',
    outcome: SWITCHED,
    serve: responds('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  },
  {
    does: 'sends informational responses forever',
    outcome: INVALID,
    serve: responds('', flood('HTTP/1.1 102 Processing\r\n\r\n'.repeat(100))),
  },
  {
    does: 'asks to continue once in a while',
    outcome: INVALID,
    serve: responds('', (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n')),
  },
  {
    does: 'sends its headers byte by byte',
    outcome: TIMEOUT,
    serve: responds(`${OK}x: `, (socket) => socket.write('x')),
  },
  {
    does: 'sends headers forever',
    outcome: INVALID,
    serve: responds(OK, flood(`x: ${'x'.repeat(1_000)}\r\n`)),
  },
  { does: 'accepts and does nothing', outcome: TIMEOUT, serve: () => undefined },
  { does: 'resets after accepting', outcome: INVALID, serve: resets },
  {
    does: 'resets after the request',
    outcome: INVALID,
    serve: (socket) => {
      afterRequest(socket, () => resets(socket));
    },
  },
  {
    does: 'resets inside the headers',
    outcome: INVALID,
    serve: responds(`${OK}content-le`, resets),
  },
  {
    does: 'resets inside the body',
    outcome: DELIVERED,
    serve: responds(`${OK}content-length: 100\r\n\r\nsome`, resets),
  },
  {
    does: 'closes after the request',
    outcome: INVALID,
    serve: (socket) => {
      afterRequest(socket, () => socket.end());
    },
  },
  {
    does: 'closes inside the headers',
    outcome: INVALID,
    serve: responds(`${OK}content-le`, (socket) => socket.end()),
  },
  { does: 'does not speak HTTP', outcome: INVALID, serve: responds('220 smtp.example.com\r\n') },
  {
    does: 'never ends a body of unknown length',
    outcome: DELIVERED,
    serve: responds(`${OK}\r\n`),
  },
  {
    does: 'sends a body byte by byte',
    outcome: DELIVERED,
    serve: responds(`${OK}content-length: 1000000\r\n\r\n`, (socket) => socket.write('x')),
  },
  {
    does: 'sends a body of 10 GB',
    outcome: DELIVERED,
    serve: responds(`${OK}content-length: 10000000000\r\n\r\n`, flood(LARGE)),
  },
  {
    does: 'sends chunks forever',
    outcome: DELIVERED,
    serve: responds(`${OK}transfer-encoding: chunked\r\n\r\n`, flood('1\r\nx\r\n'.repeat(1_000))),
  },
  {
    does: 'sends a gzip bomb',
    outcome: DELIVERED,
    serve: responds(`${OK}content-encoding: gzip\r\n\r\n`, flood(BOMB)),
  },
  {
    does: 'stalls in the TLS handshake',
    scheme: 'https',
    outcome: TIMEOUT,
    serve: () => undefined,
  },
  {
    does: 'responds to the TLS handshake with HTTP',
    scheme: 'https',
    outcome: { status: null, error: 'tls_failed' },
    serve: responds(`${OK}\r\n`),
  },
  {
    does: 'resets inside the TLS handshake',
    scheme: 'https',
    outcome: INVALID,
    serve: (socket) => {
      afterRequest(socket, () => resets(socket));
    },
  },
];

/** A hostile receiver that listens on 127.0.0.1. */
export class HostileServer {
  /** Connections so far. */
  connections = 0;
  /** Bytes that closed connections have sent. */
  bytesWritten = 0;
  private readonly open = new Set<Socket>();

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start({ scheme = 'http', serve }: HostileReceiver): Promise<HostileServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const hostile = new HostileServer(`${scheme}://127.0.0.1:${port}/webhooks`, server);
    server.on('connection', (socket) => {
      hostile.accept(socket, serve);
    });
    return hostile;
  }

  /** Returns once the sender has closed every connection. */
  async allClosed(): Promise<void> {
    const deadline = performance.now() + 30_000;
    while (this.open.size > 0) {
      if (performance.now() > deadline) {
        throw new Error(`${this.open.size} connections are still open`);
      }
      await delay(10);
    }
  }

  async stop(): Promise<void> {
    this.server.close();
    this.open.forEach((socket) => socket.destroy());
    await once(this.server, 'close');
  }

  private accept(socket: Socket, serve: HostileReceiver['serve']): void {
    this.connections += 1;
    this.open.add(socket);
    const turn = serve(socket) ?? (() => undefined);
    const timer = setInterval(turn, TURN);
    // The sender ends most of these connections with a reset.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      this.bytesWritten += socket.bytesWritten;
      this.open.delete(socket);
    });
    // A socket that nobody reads does not notice that the other side has closed it.
    socket.resume();
  }
}
