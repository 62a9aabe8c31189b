import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets connections end when the service stops. Node waits for each of them, but leaves open those
 * that a client keeps for a next request and those, opened ahead of need by browsers and load
 * balancers, on which nothing was ever sent.
 */
export function drainConnections(fastify: FastifyInstance): void {
  const connections = new Set<Socket>();
  let stopping = false;

  fastify.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    stopping = true;
    for (const socket of connections) {
      if (socket.bytesRead === 0) {
        socket.destroy();
      }
    }
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) {
      reply.header('connection', 'close');
    }
    done();
  });
}
