import type { FastifyReply } from 'fastify';
import { whenClosed } from './when-closed';

/** Returns a signal that is aborted as soon as the connection of a request is closed. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(raw, () => {
    controller.abort();
  });
  return controller.signal;
}
