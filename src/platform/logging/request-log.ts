import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Env } from '../config/env';
import { FastifyBaseLogger, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Bindings, ChildLoggerOptions } from 'pino';
import { isTracing } from '../tracing/tracing';
import { traceIdOf } from './trace-context';
import { viaStorage } from './via';

/** A valid request id from a caller: printable, short, without spaces or quotes. */
const SANE_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Whether a route is asked by load balancers and monitors, not by clients. */
export function isProbe(route = ''): boolean {
  return route.startsWith('/health/');
}

/** Returns the caller's `x-request-id` if it is valid, otherwise a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Creates the logger of a request; its lines contain the trace id of the caller's `traceparent`,
 * and through which interface it came. If it has a span, they get that one's ids later.
 */
export function requestLogger(
  logger: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
  request: { headers?: IncomingHttpHeaders },
): FastifyBaseLogger {
  const traceId = isTracing ? undefined : traceIdOf(request.headers?.traceparent);
  const via = viaStorage.getStore();
  return logger.child(
    traceId === undefined && via === undefined
      ? bindings
      : { ...bindings, ...via, ...(traceId === undefined ? {} : { trace_id: traceId }) },
    options,
  );
}

/**
 * Logs a request that has ended, without its body, headers and query string, which may contain
 * secrets.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { principal, errorCode, errorCause } = request;
  const { statusCode: status } = reply;
  const line = {
    method: request.method,
    // The pattern, not the path: it groups well and contains no identifiers.
    route: request.routeOptions.url ?? null,
    status,
    duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    company_id: principal?.company,
    key_id: principal?.keyId,
    error_code: errorCode,
    error_cause: errorCause,
  };
  // A fault can cut off a response whose status was sent before.
  if (status === 503 || errorCode === 'service_unavailable') {
    request.log.warn(line, 'request');
  } else if (status >= 500 || errorCode === 'internal_error') {
    request.log.error(line, 'request');
  } else {
    request.log.info(line, 'request');
  }
}

/** Logs each request that has ended; with `LOG_PROBES` off, no probe that succeeded. */
export function requestRecorder({ LOG_PROBES }: Pick<Env, 'LOG_PROBES'>): typeof logRequest {
  return LOG_PROBES
    ? logRequest
    : (request, reply) => {
        if (reply.statusCode !== 200 || !isProbe(request.routeOptions.url)) {
          logRequest(request, reply);
        }
      };
}

/** Returns the request id with every response. */
export const sendRequestId: onRequestHookHandler = (request, reply, done) => {
  reply.header('x-request-id', request.id);
  done();
};
