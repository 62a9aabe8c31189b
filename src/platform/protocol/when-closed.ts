import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/** Calls a function when a response has ended or its client has gone: at once if it already has. */
export function whenClosed(response: ServerResponse, call: () => void): void {
  if (response.destroyed) {
    call();
  } else {
    response.once('close', call);
  }
}

/** Returns a signal that is aborted as soon as the connection of a request is closed. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  whenClosed(raw, () => {
    controller.abort();
  });
  return controller.signal;
}
