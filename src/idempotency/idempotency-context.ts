import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { Exchange, IdempotentRunner } from './idempotent-runner';

/** A request with an `Idempotency-Key`, and the runner of its handler. */
interface KeyedExchange extends Exchange {
  runner: IdempotentRunner;
}

/** Has a value only during the handling of a request with an `Idempotency-Key`. */
export const keyedExchange = new AsyncLocalStorage<KeyedExchange>();

/** Makes a request's `Idempotency-Key` available to idempotent handlers. */
export function acceptIdempotencyKeys(fastify: FastifyInstance, runner: IdempotentRunner): void {
  // An earlier hook would lose the context while the body is read.
  fastify.addHook('preHandler', (request, reply, done) => {
    if (request.headers['idempotency-key'] === undefined) {
      done();
    } else {
      keyedExchange.run({ request, reply, runner }, done);
    }
  });
}
