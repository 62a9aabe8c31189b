import { completeScale, ScaleDto } from '../campaign/image-survey.dto';
import { checkScale } from '../campaign/image-survey.rules';
import { SCHEMAS } from '../../platform/openapi/json-schema';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Flag, OneOf } from '../../platform/validation/fields/choice.fields';
import { DtoRule, VariantsBy } from '../../platform/validation/dto-rules';
import { Field, problem } from '../../platform/validation/fields/field';
import { Decimal, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import {
  DESCRIPTIVE_MAXIMUM,
  NPS_SCALE,
  NUMBER_MAXIMUM,
  numberScale,
  TEXT_MAXIMUM,
} from './answer-value.rules';
import {
  MatrixQuestionDto,
  MultipleChoiceQuestionDto,
  RankingQuestionDto,
  SingleChoiceQuestionDto,
} from './choice-questions.dto';
import { checkCorrect, Correct } from './correct.field';
import { checkDate } from './date.rules';
import { FORMAT_LENGTHS } from './open-answer.rules';
import {
  AnswerableDto,
  checkOrder,
  DECIMALS_MAXIMUM,
  ofType,
  QuestionFieldsDto,
  UNIT_LENGTH,
} from './question-fields.dto';
import {
  DATE_PRECISIONS,
  DatePrecision,
  QUESTION_TYPES,
  QuestionType,
  RATING_DISPLAYS,
  RatingDisplay,
  TEXT_FORMATS,
  TextFormat,
} from './question.types';

export class OpenQuestionDto extends AnswerableDto {
  /** Absent or empty. */
  @Field(
    (options) => {
      if (!Array.isArray(options)) {
        return problem('invalid_type', 'must be an array');
      }
      return options.length === 0
        ? []
        : problem('not_allowed', 'must be absent or empty for a question that is not a choice');
    },
    { type: 'array', items: { type: 'string', maxLength: 0 }, maxItems: 0 },
    { optional: true },
  )
  options?: string[];

  /** What the text must be; anything by default. */
  @OneOf(TEXT_FORMATS, 'TextFormat', { optional: true, example: 'email' })
  format?: TextFormat;
}

const NUMBERS = { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM } as const;

interface OpenLimits {
  format?: TextFormat;
  minimum_length?: number;
  maximum_length?: number;
}

const openRule = ({ format, minimum_length = 1, maximum_length }: OpenLimits) => {
  const [shortest, longest] = format === undefined ? [1, Infinity] : FORMAT_LENGTHS[format];
  return minimum_length > longest
    ? problem('too_large', `must be at most ${longest} with this format`, 'minimum_length')
    : checkOrder(Math.max(minimum_length, shortest), maximum_length, 'maximum_length');
};

/** A question for open text. */
@ofType('descriptive')
@DtoRule(openRule)
export class DescriptiveQuestionDto extends OpenQuestionDto {
  /** The fewest characters of an answer. */
  @WholeNumber({ minimum: 1, maximum: DESCRIPTIVE_MAXIMUM, optional: true })
  minimum_length?: number;

  /** The most characters of an answer; 5,000 by default. */
  @WholeNumber({ minimum: 1, maximum: DESCRIPTIVE_MAXIMUM, optional: true })
  maximum_length?: number;
}

/** A question for short text. */
@ofType('text')
@DtoRule(openRule)
export class TextQuestionDto extends OpenQuestionDto {
  /** The fewest characters of an answer. */
  @WholeNumber({ minimum: 1, maximum: TEXT_MAXIMUM, optional: true })
  minimum_length?: number;

  /** The most characters of an answer; 1,000 by default. */
  @WholeNumber({ minimum: 1, maximum: TEXT_MAXIMUM, optional: true })
  maximum_length?: number;
}

/** A question for a number on a scale. */
@ofType('rating')
@DtoRule(checkCorrect)
export class RatingQuestionDto extends AnswerableDto {
  /** The scale; 0 to 10 in steps of 1 as far as it does not say otherwise. */
  @NestedObject(() => ScaleDto, { rule: (scale) => checkScale(completeScale(scale)) })
  scale!: ScaleDto;

  /** How the scale is drawn; `buttons` by default. */
  @OneOf(RATING_DISPLAYS, 'RatingDisplay', { optional: true, example: 'stars' })
  display?: RatingDisplay;

  /** The right rating, of a trap. Respondents and platforms never receive it. */
  @Correct({ type: 'number', ...NUMBERS, example: 1 })
  correct?: number;
}

/** How likely somebody is to recommend something, from 0 to 10: the question of the net promoter score. */
@ofType('nps')
@DtoRule(checkCorrect)
export class NpsQuestionDto extends AnswerableDto {
  /** The right answer, of a trap. Respondents and platforms never receive it. */
  @Correct({ type: 'integer', minimum: NPS_SCALE.min, maximum: NPS_SCALE.max, example: 0 })
  correct?: number;
}

/** A question for a number. */
@ofType('number')
@DtoRule((question: NumberQuestionDto) => {
  const { min, max } = numberScale(question);
  return [...checkOrder(min, max, 'maximum'), ...checkCorrect(question)];
})
export class NumberQuestionDto extends AnswerableDto {
  /** The smallest number. */
  @Decimal({ ...NUMBERS, places: DECIMALS_MAXIMUM, optional: true, example: 0 })
  minimum?: number;

  /** The largest number. */
  @Decimal({ ...NUMBERS, places: DECIMALS_MAXIMUM, optional: true, example: 120 })
  maximum?: number;

  /** How many decimal places an answer can have; 0 by default. */
  @WholeNumber({ minimum: 0, maximum: DECIMALS_MAXIMUM, optional: true })
  decimals?: number;

  /** What is counted or measured. */
  @Text({ maximum: UNIT_LENGTH, optional: true, example: 'years' })
  unit?: string;

  /** The right number, of a fact or a trap. Respondents and platforms never receive it. */
  @Correct({ type: 'number', ...NUMBERS, example: 7 })
  correct?: number;
}

/** A limit of dates, of the same precision. */
function DateLimit(): PropertyDecorator {
  return Field(
    (value, { precision = 'day' }: { precision?: DatePrecision }) =>
      DATE_PRECISIONS.includes(precision) ? checkDate({ precision }, value) : [],
    { type: 'string', minLength: 4, maxLength: 10, example: '2026-11' },
    { optional: true },
  );
}

/** A question for a date. */
@ofType('date')
@DtoRule(({ minimum, maximum }: DateQuestionDto) => checkOrder(minimum, maximum, 'maximum'))
export class DateQuestionDto extends AnswerableDto {
  /** What a date consists of; `day` by default. */
  @OneOf(DATE_PRECISIONS, 'DatePrecision', { optional: true, example: 'month' })
  precision?: DatePrecision;

  /** The first date, of the same precision. */
  @DateLimit()
  minimum?: string;

  /** The last date, of the same precision. */
  @DateLimit()
  maximum?: string;
}

/** One box to tick. */
@ofType('checkbox')
export class CheckboxQuestionDto extends AnswerableDto {
  /** Whether it must be ticked, as for a consent; `false` by default. */
  @Flag({ optional: true })
  must_be_true?: boolean;
}

/** A text without an answer. */
@ofType('statement')
export class StatementDto extends QuestionFieldsDto {}

/** The class of each type of question. */
export const QUESTION_DTOS = {
  descriptive: DescriptiveQuestionDto,
  text: TextQuestionDto,
  single_choice: SingleChoiceQuestionDto,
  multiple_choice: MultipleChoiceQuestionDto,
  rating: RatingQuestionDto,
  nps: NpsQuestionDto,
  number: NumberQuestionDto,
  date: DateQuestionDto,
  ranking: RankingQuestionDto,
  matrix: MatrixQuestionDto,
  checkbox: CheckboxQuestionDto,
  statement: StatementDto,
} as const satisfies Record<QuestionType, new () => QuestionFieldsDto>;

const schemaOf = (type: QuestionType) => SCHEMAS + QUESTION_DTOS[type].name.replace(/Dto$/, '');

/** A question. Its type decides what else it has. */
@VariantsBy('type', () => QUESTION_DTOS)
@RefineSchema(({ description }) => ({
  description,
  oneOf: QUESTION_TYPES.map((type) => ({ $ref: schemaOf(type) })),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(QUESTION_TYPES.map((type) => [type, schemaOf(type)])),
  },
}))
export class QuestionDto extends QuestionFieldsDto {}
