import { PARSE_ROWS } from './parse-rows';
import { Row, ROWS } from './rows';

/** How each contestant is spoken to: its own requests for the same work. */
export const dialects = {
  service: ROWS,
  parse: PARSE_ROWS,
} satisfies Record<string, Record<string, Row>>;

export type DialectName = keyof typeof dialects;
