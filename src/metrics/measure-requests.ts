import type { FastifyInstance } from 'fastify';
import { Env } from '../config/env';
import { observeRequest } from './metrics';

/** What stands for every path that there is no route for. */
const NO_ROUTE = 'none';

/** Measures every request, where anyone can read the measurements. */
export function measureRequests(fastify: FastifyInstance, env: Env): void {
  if (env.METRICS_PORT === undefined) {
    return;
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE;
    observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
