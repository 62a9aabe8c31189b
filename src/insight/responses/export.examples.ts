import { createHash } from 'node:crypto';
import { getSchemaPath } from '@nestjs/swagger';
import type { FileContent } from '../../platform/openapi/responds-with';
import { ExportedResponseDto, ExportEndDto } from './export.dto';
import { COLUMNS, QUALITY_COLUMNS } from './export-format.rules';

const ROW = {
  seq: 12,
  participation_id: 'part_01k9x2v8zdf3xbz0q4v5rk6t7m',
  respondent: 'resp_0f9e8d7c6b5a49382716051423324150',
  question_id: 'qset_01k9x2v8zdf3xbz0q4v5rk6t7m',
  version: 1,
  answers: [
    { question: 1, value: 'More' },
    { question: 2, value: 'It smells of the morning.' },
  ],
  attention_score: 7.29,
  cohort: 4,
  currency: 'USD',
  reward: 75,
  bonus: null,
  cohort_rewards: {
    cohort_1_reward: 5,
    cohort_2_reward: 35,
    cohort_3_reward: 55.5,
    cohort_4_reward: 75,
    cohort_5_reward: 100,
  },
  begun_at: '2026-01-15T09:30:00.000Z',
  submitted_at: '2026-01-15T09:31:00.000Z',
  reversed_at: null,
  reversal_reason: null,
  quality: {
    answer_percentile: 61,
    longest_run: null,
    compared_answers: null,
    consistency: null,
    text_repeats: 0,
    flags: [],
  },
};

const LINE = `${JSON.stringify(ROW)}\n`;

const END = {
  covers: { from: 1, to: 57 },
  count: 1,
  sha256: createHash('sha256').update(LINE).digest('hex'),
};

const CSV_COLUMNS = [...COLUMNS, ...QUALITY_COLUMNS];
const CSV_VALUES = [
  ...COLUMNS.map((name) => ROW[name]),
  ...QUALITY_COLUMNS.map((name) => ROW.quality[name]),
];

const CSV = [
  [...CSV_COLUMNS, '1. How many cups a day?', '2. What makes a good cup?'],
  [...CSV_VALUES, ...ROW.answers.map(({ value }) => value)],
]
  .map((cells) => `${cells.join(',')}\r\n`)
  .join('');

/** What an export is in each format. */
export const EXPORT_FILES: Readonly<Record<string, FileContent>> = {
  'application/x-ndjson': {
    description:
      'A JSON object in each line: each response, and in the last line what the lines before are.',
    row: {
      oneOf: [{ $ref: getSchemaPath(ExportedResponseDto) }, { $ref: getSchemaPath(ExportEndDto) }],
    },
    example: `${LINE}${JSON.stringify(END)}\n`,
  },
  'text/csv': {
    description:
      'A table as in RFC 4180, with a head line and a line for each response. The columns of the answers follow those named here: one or more for each question, named after it.',
    row: {
      type: 'object',
      properties: Object.fromEntries(CSV_COLUMNS.map((name) => [name, { type: 'string' }])),
      required: CSV_COLUMNS,
      additionalProperties: { type: 'string' },
    },
    example: CSV,
  },
};
