import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The groups of an IPv6 address, with the `::` written out as far as the first four need it. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const front = head === '' ? [] : head.split(':');
  if (tail === undefined) {
    return front.slice(0, 4);
  }
  const back = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4);
}

/**
 * What stands for one client in the counts: an IPv4 address, or the /64 network of an IPv6 one,
 * of which anyone has as many addresses as they like.
 */
export function clientOf(address: string): string {
  const [, mapped] = IPV4_MAPPED.exec(address) ?? [];
  if (mapped !== undefined || isIP(address) !== 6) {
    return mapped ?? address;
  }
  const groups = firstGroups(address).map((group) => parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/** Where a request comes from, as far as trusted proxies tell. */
export function clientAddress(request: FastifyRequest): string {
  // A proxy can pass on anything; what is no address would be one client for each spelling.
  const address = isIP(request.ip) === 0 ? request.socket.remoteAddress : request.ip;
  return clientOf(address ?? '');
}
