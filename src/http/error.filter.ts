import { ArgumentsHost, Catch, ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/availability';
import { logRequest } from '../logging/request-log';
import { ApiError } from './api-error';
import { ErrorEnvelope } from './envelope';

/** Seconds after which a client may try again when the service could not serve it. */
const RETRY_AFTER_SECONDS = '1';

/** Fastify's own refusals, which happen before a route's code runs. */
function fromHttpException(exception: HttpException): ApiError {
  switch (exception.getStatus()) {
    // The documentation's files: a path that leads out of their folder.
    case 403:
    case 404:
    case 414:
      return new ApiError('route_not_found', 'There is no such route.');
    case 413:
      return new ApiError('payload_too_large', 'The request body is larger than 2 MiB.');
    case 415:
      return new ApiError('unsupported_media_type', 'Content-Type must be application/json.');
    case 400:
      return new ApiError('malformed_json', 'The request could not be read.');
    default:
      return new ApiError('internal_error', 'Something went wrong on our side.');
  }
}

function toApiError(exception: unknown): ApiError {
  if (exception instanceof ApiError) {
    return exception;
  }
  if (exception instanceof HttpException) {
    return fromHttpException(exception);
  }
  if (isDatabaseUnavailable(exception)) {
    return new ApiError(
      'service_unavailable',
      'The service cannot reach its database right now. Try again shortly.',
      [],
      { 'retry-after': RETRY_AFTER_SECONDS },
    );
  }
  return new ApiError('internal_error', 'Something went wrong on our side.');
}

/** The answer for an error, in the envelope every answer has. */
export function errorEnvelope(error: ApiError, requestId: string): ErrorEnvelope {
  return {
    success: false,
    message: error.message,
    data: null,
    error: { code: error.code, request_id: requestId, details: error.details },
  };
}

function answer(exception: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(exception);
  request.errorCode = error.code;
  if (error.getStatus() >= 500) {
    request.log.error({ err: exception }, 'request failed');
  }
  void reply
    .status(error.getStatus())
    .headers(error.headers)
    .send(errorEnvelope(error, request.id));
}

/** The one way errors leave the service. A caller's mistake is not an error of ours. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    answer(exception, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

/** What the router refuses before there is a route, such as a path that cannot be decoded. */
export function answerFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  // No hook runs for such a request.
  void reply.header('x-request-id', request.id);
  reply.raw.once('finish', () => {
    logRequest(request, reply);
  });
  answer(new HttpException(error.message, error.statusCode ?? 500), request, reply);
}
