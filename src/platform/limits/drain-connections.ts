import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Lets connections end when the service stops. From then on, each response asks the client to close
 * its connection. Node closes neither connections that a client keeps for its next request, nor
 * connections on which nothing was ever sent, which browsers and load balancers open in advance.
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
