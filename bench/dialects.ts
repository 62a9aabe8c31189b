import type { Row } from './row.types';
import { EVENT_ROWS } from './event-rows';
import { PARSE_ROWS } from './parse-rows';
import { ROWS } from './rows';

/** The requests that each contestant understands for the same work. */
export const dialects = {
  service: ROWS,
  parse: PARSE_ROWS,
  events: EVENT_ROWS,
} satisfies Record<string, Record<string, Row>>;

export type DialectName = keyof typeof dialects;
