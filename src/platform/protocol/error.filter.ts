import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import {
  FastifyContextConfig,
  FastifyError,
  FastifyReply,
  FastifyRequest,
  LogController,
} from 'fastify';
import {
  describeUnavailable,
  isDatabaseUnavailable,
  isLockTimeout,
} from '../database/availability';
import { noteDiskFull } from '../database/disk-full';
import { ApiError, fieldError, serviceUnavailable } from './api-error';
import type { ErrorCode } from './error-codes';
import type { AtEnd } from './request-end';
import { SECURITY_HEADERS } from './security-headers';
import { whenClosed } from './when-closed';

const NO_ROUTE = ['route_not_found', 'There is no such route.'] as const;

/** Errors of Fastify that occur before a route's code runs, by status. */
const BEFORE_ROUTES: Readonly<Record<number, readonly [ErrorCode, message: string]>> = {
  400: ['malformed_json', 'The request could not be read.'],
  // A path that leads out of the folder of the documentation's files.
  403: NO_ROUTE,
  404: NO_ROUTE,
  414: ['uri_too_long', 'The path and query are too long.'],
  415: ['unsupported_media_type', 'Content-Type must be application/json.'],
};

function toApiError(exception: unknown): ApiError {
  if (exception instanceof ApiError) {
    return exception;
  }
  if (isLockTimeout(exception)) {
    return serviceUnavailable('The data is in use by other requests. Try again shortly.');
  }
  if (isDatabaseUnavailable(exception)) {
    return serviceUnavailable(
      'The service cannot reach its database right now. Try again shortly.',
    );
  }
  const status = exception instanceof HttpException ? exception.getStatus() : 500;
  const [code, message] = BEFORE_ROUTES[status] ?? [
    'internal_error',
    'Something went wrong on our side.',
  ];
  return new ApiError(code, message);
}

/**
 * Logs a fault of the service with its stack. That the database is unavailable is no such fault:
 * the line of each request states it, without a stack that would be the same in all of them.
 */
function noteFault(exception: unknown, request: FastifyRequest, message: string): void {
  // An ApiError is thrown on purpose, also the 503 of a full queue.
  const cause = exception instanceof ApiError ? exception.cause : exception;
  if (isDatabaseUnavailable(cause)) {
    request.errorCause = describeUnavailable(cause);
    noteDiskFull(cause);
  } else if (!(exception instanceof ApiError) && toApiError(exception).getStatus() >= 500) {
    request.log.error({ err: exception }, message);
  }
}

/** The response to an error, in the envelope of every response. */
export function errorEnvelope(error: ApiError, requestId: string) {
  return {
    success: false,
    message: error.message,
    data: null,
    error: {
      code: error.code,
      request_id: requestId,
      details: error.details,
      ...error.properties,
    },
  };
}

function answer(
  exception: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { errorPage }: Pick<FastifyContextConfig, 'errorPage'> = {},
): void {
  const error = toApiError(exception);
  request.errorCode = error.code;
  noteFault(exception, request, 'request failed');
  const page = errorPage?.(error, request.id);
  void reply
    // What it is the version of was undone.
    .removeHeader('etag')
    .status(error.getStatus())
    .headers({ ...error.headers, ...page?.headers })
    .send(page?.text ?? errorEnvelope(error, request.id));
}

/** Every error leaves through this filter. A caller's mistake is not logged as an error. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    answer(exception, request, http.getResponse<FastifyReply>(), request.routeOptions.config);
  }
}

/** Logs a fault that cuts off a response whose status is sent already. */
class CutResponses extends LogController {
  override streamError(error: Error, request: FastifyRequest, { raw }: FastifyReply): void {
    // Without its client, the content of a response ends with an error too.
    if (!raw.destroyed) {
      request.errorCode = toApiError(error).code;
      noteFault(error, request, 'response cut off');
    }
  }
}

/** Turns off Fastify's own request lines; `logRequest` writes one line instead. */
export const logController = new CutResponses({
  disableRequestLogging: true,
  requestIdLogLabel: 'request_id',
});

/**
 * Counts a request against the limits of its connection and its address. It rejects with the
 * refusal, and returns false if the connection is closed.
 */
export type Admission = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;

function refusalOf({ code, message, statusCode = 500 }: FastifyError): HttpException {
  return code === 'FST_ERR_BAD_URL'
    ? fieldError('path', 'invalid_characters', 'path must have UTF-8 in valid percent-encoding.')
    : new HttpException(message, statusCode);
}

/**
 * Responds to requests that the router refuses, such as one whose path cannot be decoded. Hooks do
 * not run for such a request.
 */
export async function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  recorders: readonly AtEnd[],
  admit: Admission,
): Promise<void> {
  void reply.header('x-request-id', request.id).headers(SECURITY_HEADERS);
  try {
    if (!(await admit(request, reply))) {
      return;
    }
    answer(refusalOf(error), request, reply);
  } catch (refusal) {
    answer(refusal, request, reply);
  }
  whenClosed(reply.raw, () => {
    for (const record of recorders) {
      record(request, reply);
    }
  });
}
