import type { onRequestHookHandler } from 'fastify';

/** Headers of every response, even one that is sent before the pipeline runs. */
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

/** Sets the security headers on every response. */
export const setSecurityHeaders: onRequestHookHandler = (_request, reply, done) => {
  reply.headers(SECURITY_HEADERS);
  done();
};
