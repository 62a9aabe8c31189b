import { CAMPAIGN_PART_TYPES } from './event.types';

const PARTS = CAMPAIGN_PART_TYPES.map((type) => `'${type}'`).join(', ');

/**
 * The post_id of the campaign that an event about a response or a guardrail belongs to; null for
 * other events.
 */
export const EVENT_CAMPAIGN = `CASE WHEN type IN (${PARTS}) THEN changes->>'post_id' END`;
