import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenClosed } from './when-closed';

export type AtEnd = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Calls functions once for each request: when its response has been sent or cut off, or, if its
 * client had gone before, when the response is ready. Fastify runs `onResponse` hooks only for a
 * response that was sent.
 */
export function atRequestEnd(fastify: FastifyInstance, calls: readonly AtEnd[]): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    // An error may replace a response that is not yet sent.
    if (request.readyAfter === undefined) {
      request.readyAfter = reply.elapsedTime;
      whenClosed(reply.raw, () => {
        for (const call of calls) {
          call(request, reply);
        }
      });
    }
    done(null, payload);
  });
}
