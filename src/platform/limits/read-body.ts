import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../protocol/api-error';
import { formatBytes, KIB } from './body-limit';
import { BodyMemory, countedBytes } from './body-memory';
import { parseJsonBody } from '../protocol/json-body';
import { turns } from './turns';

/** Size of the first buffer for a body whose length is not announced. */
const FIRST_CAPACITY = 4 * KIB;

/** Size above which a body takes milliseconds to parse, and again to validate. */
const LARGE = 64 * KIB;

/** Makes JSON the only accepted content type, besides forms where a route takes them. */
export function acceptJson(
  fastify: FastifyInstance,
  callerOf: (request: FastifyRequest) => string,
): void {
  const memory = new BodyMemory(callerOf);
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    const refusal = refusalOfEncoding(request);
    if (refusal !== undefined) {
      done(refusal);
      return;
    }
    const isTooLarge = announcedLength(request) > request.routeOptions.bodyLimit;
    if (request.headers.expect !== undefined && !isTooLarge) {
      reply.raw.writeContinue();
    }
    done();
  });
  // Also runs if the client has gone, when its request has been handled.
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    memory.release(request);
    done(null, payload);
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBody(request, payload, memory);
      if (body.length <= LARGE) {
        return parseJsonBody(body);
      }
      await turns.next();
      const value = parseJsonBody(body);
      await turns.next();
      return value;
    },
  );
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: IncomingMessage) => {
      if (request.routeOptions.config.takesForm !== true) {
        throw new ApiError('unsupported_media_type', 'Content-Type must be application/json.');
      }
      const body = await readBody(request, payload, memory);
      return new URLSearchParams(body.toString());
    },
  );
}

/** The `charset` parameters of a media type. */
const CHARSETS = /;\s*charset\s*=\s*"?([^\s;"]*)/gi;

/** Refuses a body that is compressed, or in another encoding of characters than UTF-8. */
function refusalOfEncoding({ headers }: FastifyRequest): ApiError | undefined {
  const { 'content-encoding': coding = 'identity', 'content-type': type = '' } = headers;
  if (coding.toLowerCase() !== 'identity') {
    const message = 'Content-Encoding must be identity or absent.';
    return new ApiError('unsupported_media_type', message, [], { 'accept-encoding': 'identity' });
  }
  const isOther = ([, charset = '']: RegExpMatchArray) => !/^utf-?8$/i.test(charset);
  return [...type.matchAll(CHARSETS)].some(isOther)
    ? new ApiError('unsupported_media_type', 'The charset of Content-Type must be UTF-8.')
    : undefined;
}

/** The `Content-Length` of a request; NaN for a chunked body. */
function announcedLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? NaN);
}

/**
 * Collects a body in one buffer, which grows with what arrives, not with what is announced.
 *
 * @throws ApiError `payload_too_large`, `request_timeout`, or a refusal of {@link BodyMemory}
 */
function readBody(
  request: FastifyRequest,
  payload: IncomingMessage,
  memory: BodyMemory,
): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const announced = announcedLength(request);
  if (announced > limit) {
    throw tooLarge(limit);
  }
  // The client may have disconnected during authentication. In that case no event follows.
  if (payload.destroyed) {
    throw incomplete();
  }
  const most = Number.isNaN(announced) ? limit : announced;
  let buffer = Buffer.alloc(0);
  let length = 0;
  const begun = performance.now();

  const append = (chunk: Buffer): ApiError | undefined => {
    const needed = length + chunk.length;
    if (needed > limit) {
      return tooLarge(limit);
    }
    if (needed > buffer.length) {
      const capacity = Math.min(most, Math.max(needed, FIRST_CAPACITY, 2 * buffer.length));
      const refusal = memory.hold(request, countedBytes(capacity) - countedBytes(buffer.length));
      if (refusal !== undefined) {
        return refusal;
      }
      const grown = Buffer.allocUnsafe(capacity);
      buffer.copy(grown, 0, 0, length);
      buffer = grown;
    }
    length += chunk.copy(buffer, length);
    return undefined;
  };

  return new Promise((resolve, reject) => {
    const stop = () => {
      payload.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      request.bodyTime = performance.now() - begun;
    };
    const onData = (chunk: Buffer) => {
      const refusal = append(chunk);
      if (refusal !== undefined) {
        stop();
        reject(refusal);
      }
    };
    const onEnd = () => {
      stop();
      resolve(buffer.subarray(0, length));
    };
    const onClose = () => {
      stop();
      reject(incomplete());
    };
    payload.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

function tooLarge(limit: number): ApiError {
  return new ApiError(
    'payload_too_large',
    `The request body is larger than ${formatBytes(limit)}.`,
  );
}

/** The client disconnected or took too long. */
function incomplete(): ApiError {
  return new ApiError(
    'request_timeout',
    'The connection was closed before the whole request had arrived.',
  );
}
