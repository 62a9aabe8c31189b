import type { FastifyInstance } from 'fastify';
import { modeOf } from '../http/environment.rules';
import { Env } from '../config/env';
import type { Principal } from '../http/principal';
import { observeRequest, RequestMode } from './metrics.registry';

/** Label of requests that match no route. */
const NO_ROUTE = 'none';

/** Measures every request if metrics are enabled. */
export function measureRequests(fastify: FastifyInstance, env: Env): void {
  if (env.METRICS_PORT === undefined) {
    return;
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, principal, routeOptions } = request;
    const route = routeOptions.url ?? NO_ROUTE;
    const mode = modeOfCaller(principal);
    observeRequest({ method, route, status: reply.statusCode, mode }, reply.elapsedTime / 1000);
    done();
  });
}

function modeOfCaller(principal: Principal | undefined): RequestMode {
  if (principal?.keyId === undefined) {
    return 'none';
  }
  return principal.platform === undefined ? modeOf(principal.companyId) : 'platform';
}
