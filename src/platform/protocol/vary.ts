import type { FastifyReply } from 'fastify';

/** Adds a request header to those that the response depends on, such as `Origin` of CORS. */
export function addVary(reply: FastifyReply, field: string): void {
  const earlier = reply.getHeader('vary');
  void reply.header('vary', earlier === undefined ? field : `${String(earlier)}, ${field}`);
}
