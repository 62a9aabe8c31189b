import { ApiProperty, ApiPropertyOptions } from '@nestjs/swagger';
import { ERROR_STATUS, ErrorCode } from './error-codes';

/** One thing that is wrong with a request. */
export class ErrorDetailDto {
  /**
   * Path of the field; empty for the body as a whole.
   * @example "questions[1].options"
   */
  field!: string;

  /**
   * What is wrong with it, for programs.
   * @example "too_few"
   */
  code!: string;

  /**
   * What is wrong with it, for people.
   * @example "questions[1].options must have at least 2 entries."
   */
  message!: string;
}

/** What is wrong, for programs. */
export class ErrorBodyDto {
  /** A closed list: a client may switch over it. */
  @ApiProperty({ enum: Object.keys(ERROR_STATUS), enumName: 'ErrorCode' })
  code!: ErrorCode;

  /** The `x-request-id` of the answer; name it when you ask for help. */
  request_id!: string;

  /** Every wrong field at once; empty where there is nothing to point at. */
  @ApiProperty({ type: () => [ErrorDetailDto] })
  details!: ErrorDetailDto[];
}

/** The answer to a request that was refused or failed. */
export class ErrorEnvelopeDto {
  @ApiProperty({ type: Boolean, enum: [false] })
  success!: false;

  /** What went wrong, in words. */
  message!: string;

  @ApiProperty({ type: 'null', nullable: true } as unknown as ApiPropertyOptions)
  data!: null;

  @ApiProperty({ type: () => ErrorBodyDto })
  error!: ErrorBodyDto;
}
