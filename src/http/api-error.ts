import { HttpException } from '@nestjs/common';
import type { DetailCode } from './detail-codes';
import { ERROR_STATUS, ErrorCode } from './error-codes';

/** One problem of a request. */
export interface ErrorDetail {
  /** Path of the field, such as `questions[1].options`; empty for the body as a whole. */
  field: string;
  /** What is wrong, for programs. */
  code: DetailCode;
  /** What is wrong, for people. */
  message: string;
}

/** What the `error` of some codes has besides its code. */
export interface ErrorProperties {
  /** Of `feed_position_expired`: the first event that is left. */
  readonly first_seq?: number;
}

/**
 * A refusal or failure with a code from the closed list. The error filter turns it into a response.
 */
export class ApiError extends HttpException {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Response headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further properties of `error`, for programs. */
  readonly properties: ErrorProperties;

  constructor(
    code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    headers: Readonly<Record<string, string>> = {},
    properties: ErrorProperties = {},
  ) {
    // Nobody reads the stack of a refusal, and collecting it takes time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, ERROR_STATUS[code]);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = details;
    this.headers = headers;
    this.properties = properties;
  }
}

/** A body of valid fields that may not be together, or of which one is missing. */
export function notAllowed(message: string): ApiError {
  return new ApiError('validation_failed', message, [{ field: '', code: 'not_allowed', message }]);
}

/** A failure that passes: the client may retry after so many seconds. */
export function serviceUnavailable(message: string, retryAfter = 1): ApiError {
  return new ApiError('service_unavailable', message, [], { 'retry-after': String(retryAfter) });
}

/** The end of work whose client has gone; nobody receives it, and it is no failure. */
export function clientGone(): ApiError {
  return new ApiError('request_timeout', 'The connection was closed before the response.');
}

/** Returns one sentence: the first problem and the number of others. */
export function summarize([first, ...more]: readonly ErrorDetail[]): string {
  const message = first?.message ?? 'The request is not valid.';
  if (more.length === 0) {
    return message;
  }
  const others = more.length === 1 ? '1 more field is' : `${more.length} more fields are`;
  return `${message.replace(/\.$/, '')}, and ${others} invalid.`;
}
