import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { FastifyRequest, onSendHookHandler } from 'fastify';
import { clientGone } from '../protocol/api-error';
import type { FairQueue } from './fair-queue';

/** What holds for a request that waits. */
export interface Waiting {
  /** Called when the wait begins; returns what to call when it ends. */
  measure?: () => () => void;
  /** Milliseconds after which the request is refused; `undefined` for never. */
  timeout?: number | undefined;
  /** The refusal then. */
  late: () => Error;
}

/**
 * Lets a request continue when it is its turn, or refuses it once its client has gone. A turn that
 * it had before has ended: a heavy route that responds as if it did not exist runs the hooks again.
 */
export function waitForTurn(
  queue: FairQueue,
  caller: string,
  request: FastifyRequest,
  response: ServerResponse,
  done: (refusal?: Error) => void,
  { measure, timeout, late }: Waiting = { late: clientGone },
): void {
  const proceed = (refusal: Error | undefined, end?: () => void) => {
    request.endTurn?.();
    request.endTurn = end;
    done(refusal);
  };
  if (response.destroyed) {
    proceed(clientGone());
    return;
  }
  const turn = { hasBegun: false, begin: proceed };
  const leave = queue.enter(caller, (end) => {
    turn.hasBegun = true;
    turn.begin(undefined, end);
  });
  if (turn.hasBegun) {
    return;
  }
  // Another request lets this one run: without a context of its own, in that request's, with its
  // Idempotency-Key.
  const context = new AsyncResource('WAIT_FOR_TURN');
  const endMeasure = measure?.();
  const stopWaiting = () => {
    clearTimeout(timer);
    response.off('close', refuseGone);
    endMeasure?.();
  };
  const refuse = (refusal: Error) => {
    if (leave()) {
      stopWaiting();
      context.runInAsyncScope(proceed, undefined, refusal);
    }
  };
  const refuseGone = () => {
    refuse(clientGone());
  };
  const timer =
    timeout &&
    setTimeout(() => {
      refuse(late());
    }, timeout);
  response.once('close', refuseGone);
  turn.begin = (refusal, end) => {
    stopWaiting();
    context.runInAsyncScope(proceed, undefined, refusal, end);
  };
}

/** Ends the turn of a request, if it has one: after its last statement, even without a client. */
export const endTurn: onSendHookHandler = (request, _reply, payload, done) => {
  request.endTurn?.();
  done(null, payload);
};
