import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AddRouteConfig } from '../protocol/add-route-config';
import { retryLater } from '../protocol/api-error';
import { HeavyWork } from './heavy-work';
import { stringifyInTurns } from './json-pieces';
import { endTurn, waitForTurn } from './wait-for-turn';

/** A route that can take long: {@link HeavyWork} limits how many of its requests run at once. */
export function Heavy(): MethodDecorator {
  return AddRouteConfig({ heavy: true });
}

/** Queues the requests of heavy routes. */
export function queueHeavyRequests(
  fastify: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
  work = new HeavyWork(),
): void {
  fastify.addHook('preHandler', (request, { raw: response }, done) => {
    const { heavy = false } = request.routeOptions.config;
    const caller = heavy ? callerOf(request) : undefined;
    if (caller === undefined) {
      done();
    } else if (work.isFull(caller)) {
      done(
        retryLater(
          'rate_limited',
          'Too many requests to this endpoint are in progress. Try again shortly.',
        ),
      );
    } else {
      waitForTurn(work, caller, request, response, done);
    }
  });
  // To write some megabytes of JSON takes longer than others should wait.
  fastify.addHook('preSerialization', async ({ routeOptions }, reply, payload: unknown) => {
    if (routeOptions.config.heavy === true) {
      const text = await stringifyInTurns(payload);
      reply.serializer(() => text);
    }
    return payload;
  });
  fastify.addHook('onSend', endTurn);
}
