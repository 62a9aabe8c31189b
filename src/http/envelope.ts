import { ErrorDetail, ErrorProperties } from './api-error';
import { ErrorCode } from './error-codes';

/** The response to a request that succeeded (section 2.1). */
export interface Envelope<T> {
  success: true;
  /** The outcome, for people. */
  message: string;
  data: T;
}

/** The response to a request that was refused or failed. */
export interface ErrorEnvelope {
  success: false;
  message: string;
  data: null;
  error: {
    code: ErrorCode;
    request_id: string;
    details: readonly ErrorDetail[];
  } & ErrorProperties;
}

export function success<T>(message: string, data: T): Envelope<T> {
  return { success: true, message, data };
}
