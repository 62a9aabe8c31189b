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
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Response headers, by lower-case name. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message, ERROR_STATUS[code]);
  }
}

/** What is wrong, in one sentence: the first thing, and how many more there are. */
export function summarize([first, ...more]: readonly ErrorDetail[]): string {
  const message = first?.message ?? 'The request is not valid.';
  return more.length > 0 ? `${message} (and ${more.length} more)` : message;
}
