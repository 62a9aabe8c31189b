import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets connections end when the service stops. From the moment it is to stop, each answer asks the
 * client to send its next request elsewhere. Node waits for each connection, but leaves open those
 * that a client keeps for a next request and those, opened ahead of need by browsers and load
 * balancers, on which nothing was ever sent.
 */
export function drainConnections(fastify: FastifyInstance, isStopping: () => boolean): void {
  const connections = new Set<Socket>();

  fastify.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    for (const socket of connections) {
      if (socket.bytesRead === 0) {
        socket.destroy();
      }
    }
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) {
      reply.header('connection', 'close');
    }
    done();
  });
}
