import { PickType } from '@nestjs/swagger';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { OPTIONS_MAXIMUM } from '../../campaigns/questions/question.types';
import { QUOTA_NAME_LENGTH } from '../../campaigns/targeting/targeting.types';
import {
  ResponseEnum,
  ResponseFlag,
  ResponseInteger,
  ResponseIntegers,
  ResponseList,
  ResponseObject,
} from '../../platform/openapi/response-fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { VersionQueryDto } from '../results/counted-query.dto';
import { ResultsDto } from '../results/results.dto';
import { COHORT } from '../results/results-parts.dto';
import { WeightsParameter } from '../results/results.fields';
import { COLUMNS_MAXIMUM } from './comparison.rules';
import { KEY_LENGTH, TableColumnDto, TableQuestionDto, TableRowDto } from './table.dto';

/** What the columns of a table can be about. */
export const COLUMNS_BY = ['question', 'cohort', 'quota', 'platform', 'version'] as const;

export type ColumnsBy = (typeof COLUMNS_BY)[number];

/** Room for the name of a quota after `cell:`. */
const COLUMNS_LENGTH = QUOTA_NAME_LENGTH + 'cell:'.length;

/** Which table to count. */
export class CrosstabQueryDto extends VersionQueryDto {
  /** The question whose answers are the rows: its key, or its position, from 1. */
  @Text({ maximum: KEY_LENGTH, example: 'q1' })
  rows!: string;

  /** Of a matrix: the row whose answers are the rows of the table, by its key, or else its text. */
  @Text({ maximum: OPTION_LENGTH, optional: true, example: 'taste' })
  row?: string;

  /**
   * What the columns are: `cohort`, `platform`, `version`, `cell:` with the name of a quota, or the
   * key or the position of a question with at most 26 answers.
   */
  @Text({ maximum: COLUMNS_LENGTH, example: 'cohort' })
  columns!: string;

  /** How much a response of each cohort counts: five numbers from 0 to 1, separated by commas. */
  @WeightsParameter()
  weights?: string;
}

export class CrosstabDto extends PickType(ResultsDto, ['post_id', 'as_of_seq', 'behind', 'as_of']) {
  /** The version of the questions. */
  @ResponseInteger({ minimum: 1 })
  version!: number;

  /** The cohorts whose responses are counted. */
  @ResponseIntegers({ minimum: 1, maximum: 5, items: COHORT })
  cohorts_counted!: number[];

  /** The question whose answers are the rows. */
  @ResponseObject(() => TableQuestionDto)
  question!: TableQuestionDto;

  @ResponseEnum(COLUMNS_BY, 'ColumnsBy')
  columns_by!: ColumnsBy;

  /** The question whose answers are the columns; absent for other columns. */
  @ResponseObject(() => TableQuestionDto)
  column_question?: TableQuestionDto;

  /** Whether the columns are one of the campaign's `banners`, which are counted already. */
  @ResponseFlag()
  is_banner!: boolean;

  /** Responses that answered the question of the rows, whatever the column, without weights. */
  @ResponseInteger()
  answered!: number;

  /** Those of them that are in no column. */
  @ResponseInteger()
  without_column!: number;

  /** Whether a response can be in several columns: then they are not compared with each other. */
  @ResponseFlag()
  overlapping!: boolean;

  @ResponseList(() => TableColumnDto, { maximum: COLUMNS_MAXIMUM })
  columns!: TableColumnDto[];

  @ResponseList(() => TableRowDto, { maximum: OPTIONS_MAXIMUM })
  rows!: TableRowDto[];
}
