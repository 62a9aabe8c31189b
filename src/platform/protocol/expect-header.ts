import type { Server } from 'node:http';
import type { onRequestHookHandler } from 'fastify';
import { ApiError, fieldError, targetTooLong } from './api-error';

const CONTINUE = /^100-continue$/i;

/**
 * Passes requests with an `Expect` header to the pipeline. Node on its own would ask for the body
 * of `100-continue` before the credential is checked, and would refuse any other expectation
 * without the envelope.
 */
export function handleExpectHeader(server: Server): void {
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

/** Maximum length of a request's target; also that of a parameter in its path. */
export const TARGET_MAXIMUM = 16_384;

/** Whether the query of a URL is UTF-8 in valid percent-encoding. */
function hasReadableQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) {
    return true;
  }
  try {
    decodeURIComponent(url.slice(start));
    return true;
  } catch {
    return false;
  }
}

/** Refuses what HTTP/1.1 forbids and what Node would refuse without the envelope. */
export const refuseInvalidHead: onRequestHookHandler = ({ raw, url }, _reply, done) => {
  const { host, expect, 'transfer-encoding': encoding = 'chunked' } = raw.headers;
  if (url.length > TARGET_MAXIMUM) {
    done(targetTooLong());
  } else if (!hasReadableQuery(url)) {
    done(
      fieldError('query', 'invalid_characters', 'query must have UTF-8 in valid percent-encoding.'),
    );
  } else if (host === undefined && raw.httpVersion === '1.1') {
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
