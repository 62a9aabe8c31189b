import { CAMPAIGN_PART_TYPES } from './event.types';

const PARTS = CAMPAIGN_PART_TYPES.map((type) => `'${type}'`).join(', ');

/** The post_id of the campaign of an event about a part of one; null for others. */
export const EVENT_CAMPAIGN = `CASE WHEN type IN (${PARTS}) THEN changes->>'post_id' END`;
