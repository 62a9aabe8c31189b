import type { INestApplicationContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CampaignOwners } from './fielding/participations/campaign-owners.service';
import { queueNameOf } from './platform/caller/environment.rules';
import { Env } from './platform/config/env';
import { SequencerService } from './platform/event/sequencer.service';
import { wakeSequencer } from './platform/event/wake-sequencer';
import { HealthService } from './platform/health/health.service';
import { setBodyLimit } from './platform/limits/body-limit';
import { respondToPreflights } from './platform/protocol/cors';
import { authenticateCallers, requireScopes } from './platform/caller/credential';
import { ConnectionShares, shareConnections } from './platform/limits/connection-shares';
import { drainConnections } from './platform/limits/drain-connections';
import { refuseInvalidHead, handleExpectHeader } from './platform/protocol/expect-header';
import { queueHeavyRequests } from './platform/limits/heavy-requests';
import { turns } from './platform/limits/turns';
import { HeavyWork } from './platform/limits/heavy-work';
import { refuseWithoutRoute } from './platform/protocol/method-not-allowed';
import { acceptJson } from './platform/limits/read-body';
import { setSecurityHeaders } from './platform/protocol/security-headers';
import { AtEnd, atRequestEnd } from './platform/protocol/request-end';
import { continueTraces, endSpan, traceRequests } from './platform/caller/trace-requests';
import type { Admission } from './platform/protocol/error.filter';
import { closeUnread } from './platform/limits/unread-responses';
import { requestRecorder, sendRequestId } from './platform/logging/request-log';
import { measureRequest } from './platform/metrics/measure-requests';
import { clientAddress } from './platform/rate-limit/client-address';
import { RateLimits } from './platform/rate-limit/rate-limits.service';

/** Who shares limits of memory: a company with all of its keys, or an address without a key. */
function callerOf(request: FastifyRequest): string {
  const { principal } = request;
  return principal === undefined ? clientAddress(request) : queueNameOf(principal.callerId);
}

/**
 * Whose rows a request uses: those of the campaign's company, if it is a platform's request. A
 * campaign whose row is locked then takes nothing from the platform's other campaigns.
 *
 * @returns `undefined` for a request without a credential
 */
function servedBy(
  request: FastifyRequest,
  owners: CampaignOwners,
): string | undefined | Promise<string> {
  const { principal, body } = request;
  const { post_id: postId } = (body ?? {}) as { post_id?: unknown };
  if (principal === undefined) {
    return undefined;
  }
  if (principal.platform === undefined || typeof postId !== 'string') {
    return callerOf(request);
  }
  return owners
    .companyOf(principal, postId)
    .then((owner) => (owner as unknown as string | undefined) ?? callerOf(request));
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
  handleExpectHeader(fastify.server);
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
  acceptJson(fastify, callerOf);

  // How many requests of a company use the database at once.
  const owners = app.get(CampaignOwners, { strict: false });
  const shares = app.get(ConnectionShares);
  shareConnections(fastify, shares, (request) => servedBy(request, owners));
  turns.isBusy = () => shares.running > 0;

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
