import type { FastifyRequest } from 'fastify';
import { parseUrl } from '../config/parse-url';
import { fieldError } from './api-error';

/** The longest host name (RFC 1035, section 2.3.4), with a colon and a port. */
const HOST_MAX_LENGTH = 253 + ':65535'.length;

/** A name, an IPv4 address, or an IPv6 address in brackets; a port (RFC 9110, section 7.2). */
const ORIGIN = /^https?:\/\/(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d+)?$/;

/**
 * The address under which the caller reaches the service.
 *
 * @throws ApiError `validation_failed` if the Host header names none
 */
export function originOf({ protocol, host }: FastifyRequest): string {
  const origin = `${protocol}://${host}`.toLowerCase();
  const url = parseUrl(origin);
  if (url === undefined || !ORIGIN.test(origin) || host.length > HOST_MAX_LENGTH) {
    throw fieldError('Host', 'not_allowed', 'Host must be the host name of the service.');
  }
  return url.origin;
}
