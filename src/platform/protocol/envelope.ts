/** The response to a request that succeeded (section 2.1). */
export interface Envelope<T> {
  success: true;
  /** The outcome, for people. */
  message: string;
  data: T;
}

export function success<T>(message: string, data: T): Envelope<T> {
  return { success: true, message, data };
}
