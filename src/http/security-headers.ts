import type { FastifyInstance } from 'fastify';
import { DOCS_PATH } from './docs-page';

/** What every answer carries, however early it is made. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** The documentation page loads from the service alone, and sends requests to it alone. */
const DOCS_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // Swagger UI writes style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
} as const;

const DOCS_ROUTE = new RegExp(`^/${DOCS_PATH}(/|$)`);

/** Sets them on every answer, refusals included. */
export function setSecurityHeaders(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS);
    if (DOCS_ROUTE.test(request.routeOptions.url ?? '')) {
      reply.headers(DOCS_HEADERS);
    }
    done();
  });
}
