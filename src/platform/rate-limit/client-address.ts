import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The first four groups of an IPv6 address, with `::` expanded. */
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
 * The client that is counted: an IPv4 address, or the /64 network of an IPv6 address, because one
 * client has all addresses of its /64.
 */
export function clientOf(address: string): string {
  const [, mapped] = IPV4_MAPPED.exec(address) ?? [];
  if (mapped !== undefined || isIP(address) !== 6) {
    return mapped ?? address;
  }
  const groups = firstGroups(address).map((group) => parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}

/** The client that sent a request, according to the trusted proxies. */
export function clientAddress(request: FastifyRequest): string {
  // A proxy can forward any text. Each spelling of an invalid address would count as a new client.
  const address = isIP(request.ip) === 0 ? request.socket.remoteAddress : request.ip;
  return clientOf(address ?? '');
}
