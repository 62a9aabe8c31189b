import type { FileContent } from '../../platform/openapi/responds-with';
import { TRANSFER_COLUMNS } from './ledger.dto';

const ROW: Readonly<Record<(typeof TRANSFER_COLUMNS)[number], string>> = {
  created_at: '2026-01-15T09:31:00.000Z',
  post_id: 'post_01k9x2v8zdf3xbz0q4v5rk6t7m',
  participation_id: 'part_01k9x2v8zdf3xbz0q4v5rk6t7m',
  kind: 'settle',
  debit: 'held',
  credit: 'respondents',
  currency: 'USD',
  amount: '75',
  released: '25',
};

/** More than the longest cell. */
const CELL = { type: 'string', maxLength: 40 };

const LINES = [TRANSFER_COLUMNS, TRANSFER_COLUMNS.map((name) => ROW[name])];

/** What an export of transfers is. */
export const TRANSFERS_FILE: Readonly<Record<string, FileContent>> = {
  'text/csv': {
    description: 'A table as in RFC 4180, with a head line and a line for each transfer.',
    row: {
      type: 'object',
      properties: Object.fromEntries(TRANSFER_COLUMNS.map((name) => [name, CELL])),
      required: TRANSFER_COLUMNS,
      additionalProperties: false,
    },
    example: LINES.map((cells) => `${cells.join(',')}\r\n`).join(''),
  },
};
