import type { Server } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { ApiError, fieldError } from './api-error';

const CONTINUE = /^100-continue$/i;

/**
 * Passes requests with an `Expect` header to the pipeline. Node on its own would ask for the body
 * of `100-continue` before the credential is checked, and would refuse any other expectation
 * without the envelope.
 */
export function takeExpectations(server: Server): void {
  for (const event of ['checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request, response) => {
      server.emit('request', request, response);
    });
  }
}

/** Whether there is more than one Host header. Node itself takes the first one. */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    hosts += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
  }
  return hosts > 1;
}

/** Refuses what HTTP/1.1 forbids and what Node would refuse without the envelope. */
export const refuseInvalidHead: onRequestHookHandler = ({ raw }, _reply, done) => {
  const { host, expect, 'transfer-encoding': encoding = 'chunked' } = raw.headers;
  if (host === undefined && raw.httpVersion === '1.1') {
    done(new ApiError('malformed_json', 'The request is not valid HTTP: it has no Host header.'));
  } else if (hasSeveralHosts(raw.rawHeaders)) {
    done(new ApiError('malformed_json', 'The request is not valid HTTP: it has two Host headers.'));
  } else if (encoding.toLowerCase() !== 'chunked') {
    done(new ApiError('malformed_json', 'Transfer-Encoding must be chunked or absent.'));
  } else if (expect !== undefined && !CONTINUE.test(expect)) {
    done(fieldError('Expect', 'not_allowed', 'Expect must be 100-continue or absent.'));
  } else {
    done();
  }
};
