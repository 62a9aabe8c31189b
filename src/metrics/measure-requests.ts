import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Env } from '../config/env';
import { callerMode } from '../http/principal';
import { countRequestError, observeRequest } from './metrics.registry';
import { countPromise } from './service-levels.registry';

/** Label of requests that match no route. */
const NO_ROUTE = 'none';

/** Milliseconds in which an interactive request gets its response. */
const FAST = 500;

/**
 * Whether the length of a request is up to the service: it has no large result and no long
 * computation, and it does not wait for an event.
 */
function isInteractive({ routeOptions, query }: FastifyRequest): boolean {
  const { heavy = false } = routeOptions.config;
  return !heavy && !Object.hasOwn(query as object, 'wait_seconds');
}

/** Measures every request if metrics are enabled. */
export function measureRequests(fastify: FastifyInstance, env: Env): void {
  if (env.METRICS_PORT === undefined) {
    return;
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, principal, routeOptions } = request;
    const route = routeOptions.url ?? NO_ROUTE;
    const mode = callerMode(principal);
    const { statusCode: status, elapsedTime } = reply;
    observeRequest({ method, route, status, mode }, elapsedTime / 1000);
    if (request.errorCode !== undefined) {
      countRequestError({ method, route, code: request.errorCode, mode });
    }
    countPromise('available', status < 500);
    if (status < 500 && isInteractive(request)) {
      countPromise('fast', elapsedTime <= FAST);
    }
    done();
  });
}
