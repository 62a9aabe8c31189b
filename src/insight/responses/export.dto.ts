import { CoveredDto } from '../../platform/event/covered.dto';
import {
  ResponseInteger,
  ResponseObject,
  ResponseSequence,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import {
  FlagParameter,
  WholeNumberParameter,
  WordsParameter,
} from '../../platform/validation/fields/query.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { CampaignResponseDto, VERSION_MAXIMUM } from './responses.dto';
import type { SubmittedResponse } from './responses.types';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** As many digits as a number in a query may have. */
const SEQ_MAXIMUM = 999_999_999_999_999;

/** What to export. */
export class ExportQueryDto {
  /** One JSON object a line, or a table with a column for each question; `ndjson` by default. */
  @OneOf(EXPORT_FORMATS, 'ExportFormat', { optional: true, example: 'ndjson' })
  format?: ExportFormat;

  /** Only responses to this version of the question set, as its history numbers them. */
  @WholeNumberParameter({ minimum: 1, maximum: VERSION_MAXIMUM })
  version?: number;

  /** Only responses of these cohorts, separated by commas. */
  @WordsParameter({ values: ['1', '2', '3', '4', '5'], example: '3,4,5' })
  cohorts?: string;

  /** Only responses after this `seq`: that of the last row you have; 0 by default. */
  @WholeNumberParameter({ minimum: 0, maximum: SEQ_MAXIMUM, example: 0 })
  after_seq?: number;

  /** Only responses up to this `seq`; by default that of your company's last event. */
  @WholeNumberParameter({ minimum: 0, maximum: SEQ_MAXIMUM })
  up_to_seq?: number;

  /** Whether a CSV begins with a byte-order mark, which Excel needs to read UTF-8. */
  @FlagParameter()
  bom?: boolean;
}

/** What the last line of an export says of all lines before it. */
export class ExportEndDto {
  /** The numbers of the events that the export accounts for. */
  @ResponseObject(() => CoveredDto)
  covers!: CoveredDto;

  /** How many responses there are. */
  @ResponseInteger()
  count!: number;

  /** The SHA-256 of all bytes before this line, in hexadecimal. */
  @ResponseToken('^[0-9a-f]{64}$', 64)
  sha256!: string;
}

/** A response in an export. */
export class ExportedResponseDto extends CampaignResponseDto {
  /** The number of the event `response.submitted`. Rows are in its order. */
  @ResponseSequence()
  seq!: number;

  static fromRow(seq: number, response: SubmittedResponse, currency: string): ExportedResponseDto {
    return { seq, ...CampaignResponseDto.from(response, currency) };
  }
}
