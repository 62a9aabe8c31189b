import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { DETAIL_CODES, DetailCode } from '../protocol/detail-codes';
import { ERROR_STATUS, ErrorCode } from '../protocol/error-codes';

/** The response to a request that succeeded. */
export class SuccessEnvelopeDto {
  @ApiProperty({ type: Boolean, const: true } as ApiPropertyOptions)
  success!: true;

  /** The outcome, for people. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 200 })
  message!: string;
}

/** One invalid field of a request. */
export class ErrorDetailDto {
  /**
   * The path of the field; empty when the body as a whole is invalid.
   * @example "questions[1].options"
   */
  @ApiProperty({ type: 'string', maxLength: 1_000 })
  field!: string;

  @ApiProperty({
    enum: Object.keys(DETAIL_CODES),
    enumName: 'DetailCode',
    description: 'What is wrong with the field, for programs. The list is closed.',
  })
  code!: DetailCode;

  /**
   * What is wrong with the field, for people.
   * @example "questions[1].options must have at least 2 entries."
   */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 2_000 })
  message!: string;
}

/** What is wrong, for programs. */
export class ErrorBodyDto {
  /** What is wrong. The list is closed: a client may switch over it. */
  @ApiProperty({ enum: Object.keys(ERROR_STATUS), enumName: 'ErrorCode' })
  code!: ErrorCode;

  /** The `x-request-id` of the response; quote it when you ask for help. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 128 })
  request_id!: string;

  // Without `maxItems`: generators that turn it into a tuple repeat a type of 1,000 members.
  @ApiProperty({
    type: () => [ErrorDetailDto],
    description:
      'Every invalid field, up to 1,000 of them; empty when no single field is to blame.',
  })
  details!: ErrorDetailDto[];

  /** Only with the code `feed_position_expired`: the `seq` of the first event that is left. */
  @ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    required: false,
  })
  first_seq?: number;

  /** Only with `screened_out` and `quota_full`: the name of the rule or the quota that refuses. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 200, required: false })
  rule?: string;

  /** Only with `screened_out`: what the respondent was paid, once; absent if nothing. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1_000_000_000, required: false })
  reward?: number;

  /** The currency of the amounts. */
  @ApiProperty({ type: 'string', pattern: '^[A-Z]{3}$', maxLength: 3, required: false })
  currency?: string;

  /** Only with `approval_required`: where the request waits; absent for a dry run. */
  @ApiProperty({
    type: 'string',
    pattern: '^apr_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    maxLength: 31,
    required: false,
  })
  approval_id?: string;

  /** Only with `approval_required`: until when it can be approved. */
  @ApiProperty({ type: 'string', format: 'date-time', maxLength: 35, required: false })
  expires_at?: string;

  /**
   * Only with `spending_limit_exceeded`, as the fields after it: the limit of the API key. With
   * `approval_required`: what a campaign may cost without an approval.
   */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1_000_000_000, required: false })
  limit?: number;

  /** Whether the limit is for each `day`, for each `month`, or in `total`. */
  @ApiProperty({ enum: ['day', 'month', 'total'], required: false })
  per?: string;

  /** What the key may still commit in this period. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 1_000_000_000, required: false })
  left?: number;

  /** What the refused change would commit; with `approval_required`, what the campaign could cost. */
  @ApiProperty({ type: 'number', minimum: 0, maximum: 20_000_000_000_000_000, required: false })
  required?: number;

  /** When the next period begins; `null` if the limit is in total. */
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    maxLength: 35,
    nullable: true,
    required: false,
  })
  resets_at?: string | null;
}

/** The response to a request that was refused or failed. */
export class ErrorEnvelopeDto {
  @ApiProperty({ type: Boolean, const: false } as ApiPropertyOptions)
  success!: false;

  /** What went wrong, for people. */
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 2_500 })
  message!: string;

  @ApiProperty({ type: 'null', nullable: true } as unknown as ApiPropertyOptions)
  data!: null;

  @ApiProperty({ type: () => ErrorBodyDto })
  error!: ErrorBodyDto;
}
