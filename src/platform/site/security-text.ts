import type { FastifyInstance } from 'fastify';
import { Env } from '../config/env';
import { originOf } from '../protocol/origin-of';

/** Where RFC 9116 expects the file. */
const SECURITY_PATH = '/.well-known/security.txt';

/** Milliseconds for which a copy of the file may be used: 90 days. */
const VALID = 90 * 24 * 3_600_000;

/** Tells whoever finds a vulnerability whom to write to (RFC 9116), if the operator says so. */
export function serveSecurityText(
  fastify: FastifyInstance,
  {
    SECURITY_CONTACT: contact,
    PUBLIC_URL: publicUrl,
  }: Pick<Env, 'SECURITY_CONTACT' | 'PUBLIC_URL'>,
): void {
  if (contact === undefined) {
    return;
  }
  fastify.get(SECURITY_PATH, (request, reply) => {
    const address = publicUrl ?? originOf(request);
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(Date.now() + VALID).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${address}${SECURITY_PATH}`,
      `Policy: ${address}/guides/security`,
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}
