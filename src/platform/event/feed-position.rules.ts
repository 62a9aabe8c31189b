import { ApiError, fieldError } from '../protocol/api-error';

/** Where the log of a company begins and ends. There is no row before the first event. */
export interface Sequence {
  first_seq: string;
  last_seq: string;
}

/**
 * Refuses to read on after a number if the next event is in an archive.
 *
 * @param field what the request calls the number
 * @throws ApiError `feed_position_expired`
 */
export function refuseArchived(
  field: string,
  after: number,
  sequence: Pick<Sequence, 'first_seq'> | undefined,
): void {
  const first = Number(sequence?.first_seq ?? 1);
  if (after < first - 1) {
    const message = `${field} is too old: the first event that is left has the seq ${first}.`;
    throw new ApiError(
      'feed_position_expired',
      message,
      [{ field, code: 'too_small', message }],
      {},
      { first_seq: first },
    );
  }
}

/**
 * Refuses numbers of events that there are not yet.
 *
 * @param last the number of the last event
 * @param positions by what the request calls them
 * @throws ApiError `feed_position_unknown`
 */
export function refuseBeyond(last: number, positions: Record<string, number>): void {
  for (const [field, position] of Object.entries(positions)) {
    if (position > last) {
      const message = `${field} is beyond the last event, which has the seq ${last}.`;
      throw fieldError(field, 'too_large', message, 'feed_position_unknown');
    }
  }
}
