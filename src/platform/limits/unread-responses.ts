import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ResponseMemory } from './response-memory';

/** Milliseconds for which a client may leave a response unread. */
const UNREAD_TIMEOUT = 30_000;

/** How often a connection is looked at in this time. */
const LOOKS = 10;

/** Maximum number of requests on one connection that wait for their responses. */
const PIPELINED_MAXIMUM = 8;

/** A connection with its requests that have no complete response yet. */
interface Connection {
  responses: Set<ServerResponse>;
  /** Bytes that the client had received at the last check. */
  sent: number;
  /** Looks since then at which no further byte was taken. */
  stalled: number;
}

/**
 * Keeps clients that do not read their responses from holding connections and memory. It closes
 * connections on which nothing moves, connections with too many requests at once, and those of
 * callers whose unread responses take too much memory.
 *
 * @returns a function that counts a request for which no hook runs; it returns false if its
 *   connection had too many and is closed
 */
export function closeUnread(
  fastify: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
  timeout = UNREAD_TIMEOUT,
): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const connections = new Map<Socket, Connection>();
  const memory = new ResponseMemory(({ req: { socket } }) => {
    close(socket);
  });

  function close(socket: Socket): void {
    fastify.log.info({ unsent_bytes: progressOf(socket).unsent }, 'closed an unread connection');
    // A regular end would leave the unsent bytes in the system's memory until it gives up.
    socket.resetAndDestroy();
  }

  function track(socket: Socket): Connection {
    const connection: Connection = { responses: new Set(), sent: 0, stalled: 0 };
    connections.set(socket, connection);
    socket.once('close', () => {
      connections.delete(socket);
      // Node closes only the response that it is sending, not those that wait behind it.
      for (const response of [...connection.responses].filter((each) => each.socket === null)) {
        response.destroy();
        response.emit('close');
      }
    });
    return connection;
  }

  function count({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply): boolean {
    if (!(socket instanceof Socket)) {
      // A request that the service sends to itself has no connection.
      return true;
    }
    const { responses } = connections.get(socket) ?? track(socket);
    if (responses.size >= PIPELINED_MAXIMUM) {
      socket.destroy();
      return false;
    }
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      memory.release(response);
    });
    return true;
  }

  function look(): void {
    for (const [socket, connection] of connections) {
      const { sent, unsent } = progressOf(socket);
      const isStalled = unsent > 0 && sent === connection.sent;
      connection.sent = sent;
      connection.stalled = isStalled ? connection.stalled + 1 : 0;
      if (connection.stalled >= LOOKS) {
        close(socket);
      }
    }
  }

  fastify.server.once('listening', () => {
    const timer = setInterval(look, timeout / LOOKS).unref();
    fastify.server.once('close', () => {
      clearInterval(timer);
    });
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    // Without `done`, Fastify forgets the request.
    if (count(request, reply)) {
      done();
    }
  });
  fastify.addHook('onSend', (request, { raw: response }, payload, done) => {
    // Other payloads are pages that all responses share. What is answered before it is tracked is
    // never released.
    const isTracked = connections.get(request.raw.socket)?.responses.has(response) === true;
    if (typeof payload === 'string' && isTracked && !response.destroyed) {
      memory.hold(response, callerOf(request), Buffer.byteLength(payload));
    }
    done(null, payload);
  });
  return count;
}

/**
 * How many bytes of a connection the system has taken, and how many not. Node's own timeouts read
 * the same counters of its handle: `writableLength` counts a chunk until all of it is sent.
 */
function progressOf(socket: Socket): { sent: number; unsent: number } {
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null;
  };
  const { bytesWritten = 0, writeQueueSize = 0 } = handle ?? {};
  return { sent: bytesWritten - writeQueueSize, unsent: writeQueueSize };
}
