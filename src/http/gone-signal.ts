import type { FastifyReply } from 'fastify';

/** Returns a signal that is aborted as soon as the connection of a request is closed. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  if (raw.destroyed) {
    return AbortSignal.abort();
  }
  const controller = new AbortController();
  raw.once('close', () => {
    controller.abort();
  });
  return controller.signal;
}
