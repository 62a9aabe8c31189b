import type { RateLimit } from './response.js';
import type { ErrorCode, ErrorDetail, ExportPosition, Operation } from './types.js';

/** Codes of failures other than the service's own error responses. */
export type ClientErrorCode =
  | 'aborted'
  | 'connection_failed'
  | 'export_corrupted'
  | 'export_incomplete'
  | 'timeout'
  | 'unexpected_response';

/** The properties of an error besides its message. */
export type ErrorFields = Pick<CampaignServiceError, 'operation' | 'code' | 'requestId'> &
  Partial<Omit<CampaignServiceError, keyof Error>>;

/** Every error that a call throws. */
export class CampaignServiceError extends Error {
  override readonly name: string = 'CampaignServiceError';
  /** The operation that failed; undefined for `client.request()`. */
  readonly operation: Operation | undefined;
  /** Identifies the kind of error for a program. */
  readonly code: ErrorCode | ClientErrorCode;
  /** Identifies the request in the service's logs. */
  readonly requestId: string;
  /** The HTTP status; undefined if no response arrived. */
  readonly status: number | undefined;
  /** The headers of the response, which may be a proxy's. */
  readonly headers: Headers | undefined;
  /** The body of the response as it arrived. */
  readonly body: string | undefined;
  /** The invalid fields of the request. */
  readonly details: readonly ErrorDetail[];
  /** The key of a write. Call again with this key, and the work is still done once. */
  readonly idempotencyKey: string | undefined;
  /** Seconds to wait before the next request. */
  readonly retryAfterSeconds: number | undefined;
  /** The rate limits that apply to the request. */
  readonly rateLimits: readonly RateLimit[];

  constructor(message: string, fields: ErrorFields, options?: { cause: unknown }) {
    super(message, options);
    this.operation = fields.operation;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.status = fields.status;
    this.headers = fields.headers;
    this.body = fields.body;
    this.details = fields.details ?? [];
    this.idempotencyKey = fields.idempotencyKey;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.rateLimits = fields.rateLimits ?? [];
  }
}

/** The request is invalid; `details` lists the invalid fields. */
export class ValidationError extends CampaignServiceError {
  override readonly name = 'ValidationError';
}

/** The key, account token, or email address and password are missing or invalid. */
export class AuthenticationError extends CampaignServiceError {
  override readonly name = 'AuthenticationError';
}

/** The credential is valid but does not allow this. */
export class PermissionError extends CampaignServiceError {
  override readonly name = 'PermissionError';
}

/** The campaign, participation, key, webhook, event or path does not exist. */
export class NotFoundError extends CampaignServiceError {
  override readonly name = 'NotFoundError';
}

/** The request conflicts with the stored state, or `ifMatch` is out of date. */
export class ConflictError extends CampaignServiceError {
  override readonly name = 'ConflictError';
}

/** The events after the position are in an archive: `firstSeq` is the first one that is left. */
export class FeedPositionExpiredError extends CampaignServiceError {
  override readonly name = 'FeedPositionExpiredError';
  /** To continue without the archived events, read after `firstSeq - 1`. */
  readonly firstSeq: number;

  constructor(message: string, fields: ErrorFields & { first_seq?: number | undefined }) {
    super(message, fields);
    this.firstSeq = fields.first_seq ?? 1;
  }
}

/** Too many requests; `retryAfterSeconds` and `rateLimits` tell when to continue. */
export class RateLimitError extends CampaignServiceError {
  override readonly name = 'RateLimitError';
}

/** The service failed, or a proxy responded in its place. */
export class ServerError extends CampaignServiceError {
  override readonly name = 'ServerError';
}

/** No response arrived. A write may have happened: see `idempotencyKey`. */
export class ConnectionError extends CampaignServiceError {
  override readonly name: string = 'ConnectionError';
}

/** The request or its response took too long. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The caller's signal canceled the call; `cause` is the signal's reason. */
export class AbortedError extends CampaignServiceError {
  override readonly name = 'AbortedError';
}

/** An export has begun, and is not complete or not what the service sent. */
export class ExportError extends CampaignServiceError {
  override readonly name = 'ExportError';
  /** Where to continue; for `export_corrupted`, where the export began. */
  readonly position: ExportPosition;

  constructor(
    message: string,
    fields: ErrorFields,
    position: ExportPosition,
    options?: { cause: unknown },
  ) {
    super(message, fields, options);
    this.position = position;
  }
}

/** The class of the error for a response that is not a success. */
export function errorClass(status: number): typeof CampaignServiceError {
  switch (status) {
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 408:
      return TimeoutError;
    case 409:
    case 412:
    case 422:
      return ConflictError;
    case 410:
      return FeedPositionExpiredError;
    case 429:
      return RateLimitError;
    default:
      return status >= 400 && status < 500 ? ValidationError : ServerError;
  }
}

/** Tells whether an error has one of these codes. */
export function isCode<Code extends ErrorCode | ClientErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is CampaignServiceError & { readonly code: Code } {
  return error instanceof CampaignServiceError && codes.includes(error.code as Code);
}
