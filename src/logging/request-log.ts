import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  LogController,
} from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'pino';
import { traceIdOf } from './trace-context';

/** A request id a caller may choose: printable, short, without spaces or quotes. */
const SANE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The caller's own `x-request-id` where it is sane, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/** Fastify's own request lines are off; {@link logRequests} writes one of ours instead. */
export const logController = new LogController({
  disableRequestLogging: true,
  requestIdLogLabel: 'request_id',
});

/** The logger of a request: its lines carry the trace that the caller says it is part of. */
export function requestLogger(
  logger: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  request: { headers?: IncomingHttpHeaders },
): FastifyBaseLogger {
  const traceId = traceIdOf(request.headers?.traceparent);
  return logger.child(
    traceId === undefined ? bindings : { ...bindings, trace_id: traceId },
    options,
  );
}

/** Logs a request that is done. Bodies, headers and query strings stay out: they may hold secrets. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    method: request.method,
    // The pattern, not the path: it groups well and names no one.
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    company_id: request.principal?.companyId,
    key_id: request.principal?.keyId,
    error_code: request.errorCode,
  };
  if (reply.statusCode >= 500) {
    request.log.error(line, 'request');
  } else {
    request.log.info(line, 'request');
  }
}

/** Answers every request with its id and logs one line for it when it is done. */
export function logRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
}
