import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from './api-error';
import { errorEnvelope } from './error.filter';
import { SECURITY_HEADERS } from './security-headers';

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/**
 * Answers what is not HTTP enough to become a request, in the shape of every other answer, and
 * closes the connection.
 */
export function answerClientError(
  this: { log: FastifyBaseLogger },
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    return;
  }
  const requestId = randomUUID();
  this.log.info({ request_id: requestId, error_code: error.code }, 'unreadable request');
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const answer = timedOut
    ? new ApiError('request_timeout', 'The request was not sent in time.')
    : new ApiError('malformed_json', 'The request is not valid HTTP.');
  const body = JSON.stringify(errorEnvelope(answer, requestId));
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${timedOut ? '408 Request Timeout' : '400 Bad Request'}\r\n` +
        'content-type: application/json; charset=utf-8\r\n' +
        `content-length: ${Buffer.byteLength(body)}\r\n` +
        `x-request-id: ${requestId}\r\n${SECURITY_LINES}` +
        `connection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
