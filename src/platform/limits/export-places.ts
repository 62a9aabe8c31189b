import type { StoredId } from '../database/identifiers';
import { retryLater, serviceUnavailable } from '../protocol/api-error';

/** Maximum number of exports at once: of a company, and of all companies. */
const AT_ONCE = 2;
const AT_ONCE_IN_ALL = 20;

/** Seconds after which to try again. */
const RETRY_AFTER = 10;

/** Counts the exports that companies read from this process, whose memory they take. */
export class ExportPlaces {
  private readonly taken = new Map<StoredId, number>();
  private inAll = 0;

  /**
   * Takes a place.
   *
   * @returns a function that gives it back
   * @throws ApiError `rate_limited` if the company has no place left, `service_unavailable` if the
   *   process has none
   */
  take(company: StoredId): () => void {
    const taken = this.taken.get(company) ?? 0;
    if (taken >= AT_ONCE) {
      throw retryLater(
        'rate_limited',
        `Your company reads ${AT_ONCE} exports already. Try again when one has ended.`,
        RETRY_AFTER,
      );
    }
    if (this.inAll >= AT_ONCE_IN_ALL) {
      throw serviceUnavailable('Too many exports are being read. Try again shortly.', RETRY_AFTER);
    }
    this.taken.set(company, taken + 1);
    this.inAll += 1;
    return () => {
      this.inAll -= 1;
      const left = (this.taken.get(company) ?? 1) - 1;
      if (left === 0) {
        this.taken.delete(company);
      } else {
        this.taken.set(company, left);
      }
    };
  }
}

/** Those of this process. */
export const exportPlaces = new ExportPlaces();
