import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { ApiError } from './api-error';
import { errorEnvelope } from './error.filter';
import { SECURITY_HEADERS } from './security-headers';

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** The error of a connection that its client closed in the middle of a request. */
const DISCONNECTED = 'HPE_INVALID_EOF_STATE';

/** Whether a response has begun on a connection and not ended. Node's own handler asks the same. */
function isResponding(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent === true;
}

/**
 * Responds to data that is not a valid HTTP request, in the envelope of every other response, and
 * closes the connection. What a response has not sent yet is cut off, so that its client sees that
 * it is incomplete.
 */
export function answerClientError(
  this: { log: FastifyBaseLogger },
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) {
    return;
  }
  if (error.code === DISCONNECTED) {
    // The request that was being read is logged with this outcome.
    socket.destroySoon();
    return;
  }
  const requestId = randomUUID();
  this.log.info({ request_id: requestId, error_code: error.code }, 'unreadable request');
  if (isResponding(socket)) {
    socket.destroy();
    return;
  }
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
