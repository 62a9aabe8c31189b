import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { companyOf } from './http/environment.rules';
import { Env } from './config/env';
import { inShareOf } from './database/pool-shares';
import { SequencerService } from './event/sequencer.service';
import { wakeSequencer } from './event/wake-sequencer';
import { HealthService } from './health/health.service';
import { setBodyLimit } from './http/body-limit';
import { respondToPreflights } from './http/cors';
import { authenticateCallers, requireScopes } from './http/credential';
import { drainConnections } from './http/drain-connections';
import { refuseInvalidHead, takeExpectations } from './http/expectations';
import { queueHeavyRequests } from './http/heavy-requests';
import { HeavyWork } from './http/heavy-work';
import { refuseWithoutRoute } from './http/method-not-allowed';
import { acceptJsonOnly } from './http/read-body';
import { setSecurityHeaders } from './http/security-headers';
import { AtEnd, atRequestEnd } from './http/request-end';
import { continueTraces, endSpan, traceRequests } from './http/trace-requests';
import type { Admission } from './http/error.filter';
import { closeUnread } from './http/unread-responses';
import { requestRecorder, sendRequestId } from './logging/request-log';
import { measureRequest } from './metrics/measure-requests';
import { clientAddress } from './rate-limit/client-address';
import { RateLimits } from './rate-limit/rate-limits.service';

/** Who shares limits of memory: a company with all of its keys, or an address without a key. */
function callerOf(request: FastifyRequest): string {
  const { principal } = request;
  return principal === undefined
    ? clientAddress(request)
    : (companyOf(principal.callerId) as unknown as string);
}

/** What is recorded of every request that has ended, even one that the router refuses. */
export function recordersOf(env: Env): AtEnd[] {
  const log = requestRecorder(env);
  return env.METRICS_PORT === undefined ? [log] : [log, measureRequest];
}

/**
 * Registers every step that a request passes, in this order. Between the body and the response,
 * Nest runs the route's guard, the validation pipe and the handler. Errors leave through the error
 * filter (`app.module.ts`).
 *
 * @param unreadTimeout milliseconds for which a client may leave a response unread
 * @returns the limits of a request that the router refuses, for which no hook runs
 */
export function addPipeline(
  fastify: FastifyInstance,
  app: INestApplicationContext,
  env: Env,
  unreadTimeout?: number,
): Admission {
  const limits = app.get(RateLimits);
  const health = app.get(HealthService);

  // Routes, as they are declared: the maximum length of the body, and the methods of each path.
  fastify.addHook('onRoute', setBodyLimit);
  const refuseUnknown = refuseWithoutRoute(fastify);

  traceRequests(fastify);
  atRequestEnd(fastify, [
    endSpan,
    ...recordersOf(env),
    wakeSequencer(app.get(SequencerService, { strict: false })),
  ]);

  // The head of a request. No step here waits for the body.
  takeExpectations(fastify.server);
  const count = closeUnread(fastify, callerOf, unreadTimeout);
  fastify.addHook('onRequest', sendRequestId);
  fastify.addHook('onRequest', setSecurityHeaders);
  fastify.addHook('onRequest', refuseInvalidHead);
  if (limits.enabled) {
    fastify.addHook('onRequest', (request, reply) => limits.admitAddress(request, reply));
  }
  fastify.addHook('onRequest', respondToPreflights);
  fastify.addHook('onRequest', refuseUnknown);
  fastify.addHook(
    'onRequest',
    authenticateCallers((guard) => app.get(guard, { strict: false })),
  );
  if (limits.enabled) {
    fastify.addHook('onRequest', (request, reply) => limits.admitCaller(request, reply));
  }
  fastify.addHook('onRequest', requireScopes);

  // The body: its length, memory, structure and numbers.
  acceptJsonOnly(fastify, callerOf);

  // Whose connections to the database it uses from here on.
  fastify.addHook('preHandler', (request, _reply, done) => {
    inShareOf(callerOf(request), done);
  });

  // The handler of a route whose statements can take long waits for its turn.
  queueHeavyRequests(fastify, callerOf, app.get(HeavyWork));
  continueTraces(fastify);

  // The response: its headers, and bad credentials.
  drainConnections(fastify, () => health.stopping);
  if (limits.enabled) {
    // Fastify runs no `onResponse` hook for a client that has disconnected.
    fastify.addHook('onSend', (request) => limits.noteRefusal(request));
  }

  return async (request, reply) => {
    if (!count(request, reply)) {
      return false;
    }
    if (limits.enabled) {
      await limits.admitAddress(request, reply);
    }
    return true;
  };
}
