import type { StoredId } from '../database/identifiers';

/**
 * The work of a route in up to three phases. A repeated request with the same `Idempotency-Key`
 * runs only the last one. Without the first one, `Prepared` is `void`.
 */
export interface Phases<Prepared, Result, Response> {
  /**
   * Whose rows the work changes, if not the caller's: a cluster keeps the record beside them. An
   * `Idempotency-Key` is then the caller's key for that company.
   */
  companyId?: () => Promise<StoredId | undefined>;
  /** Slow work that runs without a database connection, if any. Its errors are not stored. */
  prepare?: () => Promise<Prepared>;
  /**
   * The work that happens once, in one transaction with the record of its result.
   *
   * @returns plain data, which a replay reads from JSON
   */
  work: (prepared: Prepared) => Promise<Result>;
  /**
   * Other work for a request that was refused, which is undone then, if any. The record of the
   * request is that of the other work; `respond` of both gets the result of either.
   */
  instead?: (
    error: unknown,
  ) => Pick<Phases<unknown, Result, Response>, 'work' | 'respond'> | undefined;
  /** Adds what no record holds: what is secret, such as a token, or large. */
  respond: (result: Result) => Response | Promise<Response>;
}
