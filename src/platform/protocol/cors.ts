import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH'];

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Traceparent',
  'X-API-Key',
  'X-Request-Id',
];

const RESPONSE_HEADERS = [
  'Content-Disposition',
  'ETag',
  'Export-Count',
  'Export-Up-To-Seq',
  'Idempotency-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];

/** Seconds for which a browser may cache the response to a preflight. */
const MAX_AGE = 600;

/**
 * Lets pages of these origins read responses, refusals included, without cookies. Pages of any
 * other origin get responses without CORS headers. Nest sets them before the pipeline begins.
 */
export function allowOrigins(app: NestFastifyApplication, origins: readonly string[]): void {
  if (origins.length === 0) {
    return;
  }
  const isAllowed = (origin: string) => origins.includes('*') || origins.includes(origin);
  app.enableCors({
    delegator: (request: FastifyRequest, done) => {
      const { origin, 'access-control-request-method': asked } = request.headers;
      done(null, {
        origin: origin !== undefined && isAllowed(origin) ? [origin] : false,
        methods: METHODS,
        allowedHeaders: REQUEST_HEADERS,
        exposedHeaders: RESPONSE_HEADERS,
        maxAge: MAX_AGE,
        preflight: asked !== undefined,
        preflightContinue: true,
      });
    },
  });
}

/**
 * Responds to the preflights of allowed origins, which have neither a credential nor a route. Any
 * other OPTIONS request gets 405 or 404.
 */
export const respondToPreflights: onRequestHookHandler = (request, reply, done) => {
  if (request.corsPreflightEnabled === true) {
    // Safari would wait for a body.
    reply.status(204).header('content-length', '0').send();
  } else {
    done();
  }
};
