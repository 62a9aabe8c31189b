import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { isResponding } from '../private-members/node';
import { ApiError, targetTooLong } from './api-error';
import { errorEnvelope } from './error.filter';
import { SECURITY_HEADERS } from './security-headers';

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Maximum bytes of a request line and headers together. */
export const HEAD_MAXIMUM = 32_768;

/** The error of a connection that its client closed in the middle of a request. */
const DISCONNECTED = 'HPE_INVALID_EOF_STATE';

/** An error of Node's parser, with what it received last, and how far it could read that. */
interface UnreadableRequest extends Error {
  code?: string;
  rawPacket?: unknown;
  bytesParsed?: number;
}

/**
 * The beginning of a request line that has no end yet. A header that is longer than what the
 * network delivers at once looks like its rest only if it has no white space.
 */
const REQUEST_LINE = /^(?:[A-Z]+ )?\S*$/;

function refusalOf({ code, rawPacket, bytesParsed }: UnreadableRequest): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request was not sent in time.');
    case 'HPE_HEADER_OVERFLOW': {
      const read = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, bytesParsed) : '';
      return REQUEST_LINE.test(read)
        ? targetTooLong()
        : new ApiError('headers_too_large', 'The headers are too large.');
    }
    default:
      return new ApiError('malformed_json', 'The request is not valid HTTP.');
  }
}

/**
 * Responds to data that is not a valid HTTP request, in the envelope of every other response, and
 * closes the connection. What a response has not sent yet is cut off, so that its client sees that
 * it is incomplete.
 */
export function answerClientError(
  this: { log: FastifyBaseLogger },
  error: UnreadableRequest,
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
  const answer = refusalOf(error);
  const status = answer.getStatus();
  const body = JSON.stringify(errorEnvelope(answer, requestId));
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
        'content-type: application/json; charset=utf-8\r\n' +
        `content-length: ${Buffer.byteLength(body)}\r\n` +
        `x-request-id: ${requestId}\r\n${SECURITY_LINES}` +
        `connection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
