import { ApiProperty } from '@nestjs/swagger';
import { CoveredDto } from '../../platform/event/covered.dto';
import {
  ResponseInteger,
  ResponseIntegers,
  ResponseList,
  ResponseObject,
  ResponseSequence,
  ResponseToken,
} from '../../platform/openapi/response-fields';
import { FlagParameter, WholeNumberParameter } from '../../platform/validation/fields/query.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { QUOTA_NAME_LENGTH, QUOTAS_MAXIMUM } from '../../campaigns/targeting/targeting.types';
import { TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { OPTIONS_MAXIMUM, QUESTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import {
  ConditionalQuestion,
  GivenAnswer,
  hiddenFrom,
  shownContent,
} from '../../campaigns/questions/shown.rules';
import { CohortsQueryDto } from '../results/counted-query.dto';
import { CampaignResponseDto, VERSION_MAXIMUM } from './responses.dto';
import type { SubmittedResponse } from './responses.types';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** As many digits as a number in a query may have. */
const SEQ_MAXIMUM = 999_999_999_999_999;

/** What to export. */
export class ExportQueryDto extends CohortsQueryDto {
  /** One JSON object a line, or a table with a column for each question; `ndjson` by default. */
  @OneOf(EXPORT_FORMATS, 'ExportFormat', { optional: true, example: 'ndjson' })
  format?: ExportFormat;

  /** Only responses to this version of the question set, as its history numbers them. */
  @WholeNumberParameter({ minimum: 1, maximum: VERSION_MAXIMUM })
  version?: number;

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

function HiddenNames(): PropertyDecorator {
  const items = { type: 'string', minLength: 1, maxLength: OPTION_LENGTH } as const;
  return ApiProperty({ type: 'array', maxItems: OPTIONS_MAXIMUM, items });
}

/** What of a question conditions hid from a respondent who was shown the rest. */
export class NotShownOptionsDto {
  /** The position of the question, from 1. */
  @ResponseInteger({ minimum: 1, maximum: QUESTIONS_MAXIMUM })
  question!: number;

  /** What answers name the options by; absent if all were shown. */
  @HiddenNames()
  options?: string[];

  /** What answers name the rows by; absent if all were shown. */
  @HiddenNames()
  rows?: string[];
}

/** A response in an export. */
export class ExportedResponseDto extends CampaignResponseDto {
  /** The number of the event `response.submitted`. Rows are in its order. */
  @ResponseSequence()
  seq!: number;

  /**
   * The positions of the questions that conditions hid from the respondent; absent if there is none, and
   * once the respondent is erased. A question that is neither here nor answered was left out.
   */
  @ResponseIntegers({
    minimum: 1,
    maximum: QUESTIONS_MAXIMUM,
    items: { minimum: 1, maximum: QUESTIONS_MAXIMUM },
  })
  not_shown?: number[];

  /**
   * The names of the quotas that the response counts in; absent if there are none, and once it is
   * reversed or erased.
   */
  @ResponseList(
    { maximum: QUOTA_NAME_LENGTH, pattern: TEXT_PATTERN },
    { minimum: 1, maximum: QUOTAS_MAXIMUM },
  )
  quotas?: string[];

  /**
   * The options and rows that conditions hid, of questions that were shown; absent if there is none, and
   * once the respondent is erased.
   */
  @ResponseList(() => NotShownOptionsDto, { maximum: QUESTIONS_MAXIMUM })
  not_shown_options?: NotShownOptionsDto[];

  /**
   * @param asked the questions of the set, if any of it has conditions
   * @param quotas the names of those that it counts in
   */
  static fromRow(
    { seq, quotas }: { seq: string; quotas: string[] | null },
    response: SubmittedResponse,
    currency: string,
    asked: readonly ConditionalQuestion[] | null,
  ): ExportedResponseDto {
    return {
      seq: Number(seq),
      ...CampaignResponseDto.from(response, currency),
      ...(asked === null || response.answers === null ? {} : hiddenIn(asked, response.answers)),
      ...(quotas === null ? {} : { quotas }),
    };
  }
}

function hiddenIn(
  questions: readonly ConditionalQuestion[],
  answers: readonly GivenAnswer[],
): Pick<ExportedResponseDto, 'not_shown' | 'not_shown_options'> {
  const shown = shownContent({ questions }, answers);
  const hidden = questions.flatMap((_, index) => (shown.has(index + 1) ? [] : [index + 1]));
  const parts = questions.flatMap((question, index): NotShownOptionsDto[] => {
    const part = shown.get(index + 1);
    if (part === undefined || part === question) {
      return [];
    }
    const options = hiddenFrom(question.options, part.options);
    const rows = hiddenFrom(question.rows, part.rows);
    return [
      {
        question: index + 1,
        ...(options.size === 0 ? {} : { options: [...options] }),
        ...(rows.size === 0 ? {} : { rows: [...rows] }),
      },
    ];
  });
  return {
    ...(hidden.length === 0 ? {} : { not_shown: hidden }),
    ...(parts.length === 0 ? {} : { not_shown_options: parts }),
  };
}
