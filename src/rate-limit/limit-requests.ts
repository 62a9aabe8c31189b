import type { FastifyInstance } from 'fastify';
import { RateLimits } from './rate-limits.service';

/** Routes without a limit: a health check that is refused looks like a service that is ill. */
const UNLIMITED = '/health/';

/** Counts every request by its sender's address, before its credential and body are looked at. */
export function limitRequests(fastify: FastifyInstance, limits: RateLimits): void {
  if (!limits.enabled) {
    return;
  }
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith(UNLIMITED) !== true) {
      await limits.admitAddress(request, reply);
    }
  });
  fastify.addHook('onResponse', async (request) => {
    await limits.noteRefusal(request);
  });
}
