import { getSchemaPath } from '@nestjs/swagger';
import type { FileContent } from '../../platform/openapi/responds-with';
import { SettledPaymentDto } from './settlement.dto';

const LINE = {
  post_id: 'post_01k9x2v8zdf3xbz0q4v5rk6t7m',
  participation_id: 'part_01k9x2v8zdf3xbz0q4v5rk6t7m',
  kind: 'settle',
  amount: 75,
  paid_at: '2026-01-15T09:31:00.000Z',
};

/** What the file of a settlement is. */
export const SETTLEMENT_FILE: Readonly<Record<string, FileContent>> = {
  'application/x-ndjson': {
    description:
      'A JSON object for each payment, each on a line of its own, in the order of the log.',
    row: { $ref: getSchemaPath(SettledPaymentDto) },
    example: `${JSON.stringify(LINE)}\n`,
  },
};
