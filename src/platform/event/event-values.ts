import { Schema, SCHEMAS } from '../openapi/json-schema';

/*
 * The values of fields in the schemas of events.
 */

/** The values of a field, and whether it can be `null` before or after a change. */
export type EventValue = readonly [value: Schema, presence?: 'nullable'];

export const ref = (name: string): Schema => ({ $ref: SCHEMAS + name });

/** No text of an event is longer than the description of a campaign. */
export const TEXT = { type: 'string', maxLength: 5000 };
export const FLAG = { type: 'boolean' };
export const TIME = { type: 'string', format: 'date-time', maxLength: 35 };
export const MONEY = { type: 'number', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const COUNT = { type: 'integer', minimum: 0, maximum: 2_147_483_647, format: 'int32' };
export const OBJECT = { type: 'object', additionalProperties: true };
export const TEXTS = { type: 'array', items: TEXT, maxItems: 100 };
export const OBJECTS = { type: 'array', items: OBJECT, maxItems: 100 };
