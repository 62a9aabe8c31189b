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

/** Members of `error` besides those that each one has. */
export interface ErrorProperties {
  readonly first_seq?: number;
  readonly rule?: string;
  readonly reward?: number;
  readonly currency?: string;
  readonly limit?: number;
  readonly per?: string;
  readonly left?: number;
  readonly required?: number;
  readonly resets_at?: string | null;
  readonly approval_id?: string;
  readonly expires_at?: string;
}

/** A refusal or failure with a code of the closed list, which the error filter responds with. */
export class ApiError extends HttpException {
  /**
   * @param headers of the response, by lower-case name
   * @param properties of `error`, for programs: of `feed_position_expired`, the first event left;
   *   of `screened_out` and `quota_full`, the rule that refuses, and what the respondent was paid;
   *   of `spending_limit_exceeded`, the limit, and what is left of it; of `approval_required`, what
   *   needs the approval, and where it waits
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
    readonly properties: ErrorProperties = {},
  ) {
    // Nobody reads the stack of a refusal, and collecting it takes time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, ERROR_STATUS[code]);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What is wrong with a field. The message continues its path, without a full stop. */
export function fieldDetail(field: string, code: DetailCode, message: string): ErrorDetail {
  return { field, code, message: `${field} ${message}.` };
}

/** A refusal because of one field; an empty one is the body as a whole. */
export function fieldError(
  field: string,
  detail: DetailCode,
  message: string,
  code: ErrorCode = 'validation_failed',
): ApiError {
  return new ApiError(code, message, [{ field, code: detail, message }]);
}

/** A refusal or failure that passes: the client may retry after so many seconds. */
export function retryLater(code: ErrorCode, message: string, seconds = 1): ApiError {
  return new ApiError(code, message, [], { 'retry-after': String(seconds) });
}

export function serviceUnavailable(message: string, seconds?: number): ApiError {
  return retryLater('service_unavailable', message, seconds);
}

/** The refusal of a request whose path and query are longer than any that the service has. */
export function targetTooLong(): ApiError {
  return new ApiError('uri_too_long', 'The path and query are too long.');
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
