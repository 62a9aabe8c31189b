import type { ServerResponse } from 'node:http';

/** Calls a function when a response has ended or its client has gone: at once if it already has. */
export function whenClosed(response: ServerResponse, call: () => void): void {
  if (response.destroyed) {
    call();
  } else {
    response.once('close', call);
  }
}
