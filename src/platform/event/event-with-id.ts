import type { Repository } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import { ApiError } from '../protocol/api-error';
import { eventId, seqInEventId } from './event-id.rules';
import type { Event } from './event.entity';

/**
 * Returns the event of an environment that has this identifier, unless it is in an archive.
 *
 * @throws ApiError `event_not_found`
 */
export async function eventWithId(
  events: Repository<Event>,
  companyId: StoredId,
  id: string,
): Promise<Event> {
  const seq = seqInEventId(id);
  const event = seq === undefined ? null : await events.findOneBy({ companyId, seq: String(seq) });
  if (event === null || eventId(event) !== id) {
    throw new ApiError('event_not_found', 'There is no event with this event_id.');
  }
  return event;
}
