/**
 * The work of a route in three phases, of which the first may be missing; `Prepared` is `void`
 * then. A repeated request with the same `Idempotency-Key` runs only the last one.
 */
export interface Phases<Prepared, Result, Response> {
  /** Slow work that runs without a database connection, if any. Its errors are not stored. */
  prepare?: () => Promise<Prepared>;
  /**
   * The work that happens once, in one transaction with the record of its result.
   *
   * @returns plain data, which a replay reads from JSON
   */
  work: (prepared: Prepared) => Promise<Result>;
  /** Adds what no record holds: what is secret, such as a token, or large. */
  respond: (result: Result) => Response | Promise<Response>;
}
