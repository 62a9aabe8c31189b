import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import { fromTimeKey, LAST_ID, toTimeKey } from '../../platform/protocol/cursor';

/** A place in a list of campaigns, newest first: milliseconds since 1970, and an identifier. */
export type Position = readonly [createdAt: number, id: string];

/** Before every campaign. */
export const NEWEST: Position = [fromTimeKey('9999999999999').getTime(), LAST_ID];

export function positionOf({ createdAt, id }: Pick<Campaign, 'createdAt' | 'id'>): Position {
  return [createdAt.getTime(), id];
}

/** Whether the first position comes before the other, so is newer. */
export function isBefore([time, id]: Position, [otherTime, otherId]: Position): boolean {
  return time === otherTime ? BigInt(id) > BigInt(otherId) : time > otherTime;
}

/** Returns a position as the sort key of a cursor. */
export function toSortKey([time, id]: Position): [string, string] {
  return [toTimeKey(new Date(time)), id];
}

/** Reads a position from the sort key of a cursor. */
export function fromSortKey([time, id = '']: readonly string[]): Position {
  return [fromTimeKey(time).getTime(), id];
}
