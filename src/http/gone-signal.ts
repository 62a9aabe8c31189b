import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted when the connection of a request closes. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    controller.abort();
  });
  return controller.signal;
}
