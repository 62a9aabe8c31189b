import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS } from '../protocol/error-codes';
import { callerMode } from '../caller/principal';
import { isProbe } from '../logging/request-log';
import { countRequestError, requestDuration } from './metrics.registry';
import { countPromise } from './service-levels.registry';

/** Label of requests that match no route. */
const NO_ROUTE = 'none';

/** Milliseconds that the service takes for an interactive request, without its client's time. */
const FAST = 500;

/**
 * Whether anyone asked for something. Probes of load balancers and preflights of browsers would
 * outnumber the rest, and no route takes OPTIONS.
 */
function isPromised(method: string, route: string): boolean {
  return method !== 'OPTIONS' && !isProbe(route);
}

/**
 * Whether the time of a request is up to the service: it has no large result and no long
 * computation, and it waits neither for an event nor for a body that does not arrive.
 */
function isInteractive({ routeOptions, query, errorCode }: FastifyRequest): boolean {
  const { heavy = false } = routeOptions.config;
  const waits = errorCode === 'request_timeout' || Object.hasOwn(query ?? {}, 'wait_seconds');
  return !heavy && !waits;
}

/** Measures a request that has ended, also if its client left before. */
export function measureRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, principal, routeOptions, errorCode, bodyTime = 0 } = request;
  const route = routeOptions.url ?? NO_ROUTE;
  const mode = callerMode(principal);
  const { statusCode: status, elapsedTime } = reply;
  // The router's own refusals are ready at once.
  const { readyAfter = elapsedTime } = request;
  requestDuration.observe({ method, route, status, mode }, elapsedTime / 1000);
  if (errorCode !== undefined) {
    countRequestError({ method, route, code: errorCode, mode });
  }
  if (!isPromised(method, route)) {
    return;
  }
  // A fault can cut off a response whose status was sent before.
  const isFault = Math.max(status, errorCode === undefined ? 0 : ERROR_STATUS[errorCode]) >= 500;
  countPromise('available', !isFault);
  if (!isFault && isInteractive(request)) {
    // Neither a late body nor a response that is read slowly is up to the service.
    countPromise('fast', readyAfter - bodyTime <= FAST);
  }
}
