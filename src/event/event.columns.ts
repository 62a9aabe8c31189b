import { RESPONSE_TYPES } from './event.types';

const RESPONSES = RESPONSE_TYPES.map((type) => `'${type}'`).join(', ');

/** The post_id of the campaign that an event about a response belongs to; null for other events. */
export const RESPONSE_CAMPAIGN = `CASE WHEN type IN (${RESPONSES}) THEN changes->>'post_id' END`;
