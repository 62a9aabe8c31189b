import { HttpException } from '@nestjs/common';
import { ERROR_STATUS, ErrorCode } from './error-codes';

/** One thing that is wrong with a request. */
export interface ErrorDetail {
  /** Path of the field, such as `questions[1].options`; empty for the body as a whole. */
  field: string;
  /** What is wrong with it, for programs: `required`, `too_long`, `unknown_field`, … */
  code: string;
  /** What is wrong with it, for people. */
  message: string;
}

/** A refusal or failure with a code of the closed list; the error filter turns it into an answer. */
export class ApiError extends HttpException {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Response headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details: readonly ErrorDetail[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    // A refusal is an answer, not a fault: nobody reads where in the code it was made.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, ERROR_STATUS[code]);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** What is wrong, in one sentence: the first thing, and how many more there are. */
export function summarize([first, ...more]: readonly ErrorDetail[]): string {
  const message = first?.message ?? 'The request is not valid.';
  return more.length > 0 ? `${message} (and ${more.length} more)` : message;
}
