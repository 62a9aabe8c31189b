import { ApiError } from '../http/api-error';
import type { StoredId } from '../database/identifiers';

/** Maximum number of exports of a company at once. */
const AT_ONCE = 2;

/** Counts the exports that each company reads from this process, whose memory they take. */
export class ExportPlaces {
  private readonly taken = new Map<StoredId, number>();

  /**
   * Takes a place.
   *
   * @returns a function that gives it back
   * @throws ApiError `rate_limited` if the company has no place left
   */
  take(company: StoredId): () => void {
    const taken = this.taken.get(company) ?? 0;
    if (taken >= AT_ONCE) {
      throw new ApiError(
        'rate_limited',
        `Your company reads ${AT_ONCE} exports already. Try again when one has ended.`,
        [],
        { 'retry-after': '10' },
      );
    }
    this.taken.set(company, taken + 1);
    return () => {
      const left = (this.taken.get(company) ?? 1) - 1;
      if (left === 0) {
        this.taken.delete(company);
      } else {
        this.taken.set(company, left);
      }
    };
  }
}
