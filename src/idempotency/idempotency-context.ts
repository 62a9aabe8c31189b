import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { IdempotentRunner } from './idempotent-runner';
import type { Phases } from './phases.types';

/** Runs the phases of a handler once for the key of the request. */
type RunOnce = <P, T, R>(phases: Phases<P, T, R>) => Promise<R>;

/** Has a value only during the handling of a request with an `Idempotency-Key`. */
export const runOnce = new AsyncLocalStorage<RunOnce>();

/** Makes a request's `Idempotency-Key` available to idempotent handlers. */
export function acceptIdempotencyKeys(fastify: FastifyInstance, runner: IdempotentRunner): void {
  // An earlier hook would lose the context while the body is read.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.headers['idempotency-key'] === undefined) {
      done();
    } else {
      runOnce.run((phases) => runner.run(request, reply, phases), done);
    }
  });
}
