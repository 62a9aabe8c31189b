import { completeScale, ScaleDto } from '../campaign/image-survey.dto';
import { checkScale } from '../campaign/image-survey.rules';
import { SCHEMAS } from '../openapi/json-schema';
import { RefineSchema } from '../openapi/schema-refinements';
import { NestedObject } from '../validation/fields/array.fields';
import { Flag, OneOf } from '../validation/fields/choice.fields';
import { DtoRule, VariantsBy } from '../validation/dto-rules';
import { Field, Problem, problem } from '../validation/fields/field';
import { Decimal, WholeNumber } from '../validation/fields/number.fields';
import { Text } from '../validation/fields/text.fields';
import { DESCRIPTIVE_MAXIMUM, NUMBER_MAXIMUM, TEXT_MAXIMUM } from './answer-value.rules';
import { ShowIfDto } from './show-if.dto';
import { Key, Options } from './option.field';
import {
  DATE_PRECISIONS,
  DatePrecision,
  Option,
  OPTIONS_MAXIMUM,
  OPTIONS_MINIMUM,
  QUESTION_TYPES,
  QuestionType,
  RATING_DISPLAYS,
  RatingDisplay,
  TEXT_FORMATS,
  TextFormat,
} from './question.types';

export const QUESTION_LENGTH = 1_000;
export const SECTION_LENGTH = 200;
export const UNIT_LENGTH = 40;
export const DECIMALS_MAXIMUM = 6;

/** The type of a variant in the document, by which generators tell the variants apart. */
function ofType(type: QuestionType): ClassDecorator {
  return RefineSchema(({ properties, ...schema }) => ({
    ...schema,
    properties: { ...properties, type: { type: 'string', enum: [type] } },
  }));
}

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
export class QuestionDto {
  /** Decides what else the question has. */
  @OneOf(QUESTION_TYPES, 'QuestionType', { example: 'single_choice' })
  type!: QuestionType;

  /** The question's text. `{{key}}` in it shows an earlier answer, if the set has keys. */
  @Text({ maximum: QUESTION_LENGTH, example: 'How many cups do you drink a day?' })
  question!: string;

  /**
   * Your own name for the question, unique in the set. Answers, conditions and translations can name it;
   * by default it is `q1`, `q2`, … by its position.
   */
  @Key({ optional: true })
  key?: string;

  /** A heading. Consecutive questions with the same one are one page. */
  @Text({ maximum: SECTION_LENGTH, optional: true, example: 'About you' })
  section?: string;

  /** When the question is shown; always, by default. */
  @NestedObject(() => ShowIfDto, { optional: true })
  show_if?: ShowIfDto;
}

/** A question that has an answer. */
class AnswerableDto extends QuestionDto {
  /** Whether respondents must answer the question if it is shown; `true` by default. */
  @Flag({ optional: true })
  required?: boolean;
}

function checkOrder(low: number | undefined, high: number | undefined, at: string): Problem[] {
  return low !== undefined && high !== undefined && low > high
    ? problem('too_small', 'must not be below its minimum', at)
    : [];
}

class OpenQuestionDto extends AnswerableDto {
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

const openRule = ({
  minimum_length,
  maximum_length,
}: {
  minimum_length?: number;
  maximum_length?: number;
}) => checkOrder(minimum_length, maximum_length, 'maximum_length');

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

class ChoiceQuestionDto extends AnswerableDto {
  /** Whether each respondent sees the options in another order. */
  @Flag({ optional: true })
  shuffle?: boolean;

  /** Whether respondents can add a text to their choice. */
  @Flag({ optional: true })
  comment?: boolean;
}

const CHOICES = {
  minimum: OPTIONS_MINIMUM,
  maximum: OPTIONS_MAXIMUM,
  example: ['None', 'One or two', 'More'],
} as const;

/** A question with radio buttons. */
@ofType('single_choice')
export class SingleChoiceQuestionDto extends ChoiceQuestionDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], flags: ['other', 'fixed'] })
  options!: Option[];
}

/** A question with checkboxes. */
@ofType('multiple_choice')
@DtoRule(({ options, minimum_choices, maximum_choices }: MultipleChoiceQuestionDto) => [
  ...checkOrder(minimum_choices, options.length, 'options'),
  ...checkOrder(maximum_choices, options.length, 'options'),
  ...checkOrder(minimum_choices, maximum_choices, 'maximum_choices'),
])
export class MultipleChoiceQuestionDto extends ChoiceQuestionDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], flags: ['other', 'exclusive', 'fixed'] })
  options!: Option[];

  /** The fewest options to tick; 1 by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  minimum_choices?: number;

  /** The most options to tick; all by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  maximum_choices?: number;
}

/** A question for a number on a scale. */
@ofType('rating')
export class RatingQuestionDto extends AnswerableDto {
  /** The scale; 0 to 10 in steps of 1 as far as it does not say otherwise. */
  @NestedObject(() => ScaleDto, { rule: (scale) => checkScale(completeScale(scale)) })
  scale!: ScaleDto;

  /** How the scale is drawn; `buttons` by default. */
  @OneOf(RATING_DISPLAYS, 'RatingDisplay', { optional: true, example: 'stars' })
  display?: RatingDisplay;
}

/** How likely somebody is to recommend something, from 0 to 10: the question of the net promoter score. */
@ofType('nps')
export class NpsQuestionDto extends AnswerableDto {}

const NUMBERS = { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM } as const;

/** A question for a number. */
@ofType('number')
@DtoRule(({ minimum, maximum }: NumberQuestionDto) => checkOrder(minimum, maximum, 'maximum'))
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
}

/** A question for a date. */
@ofType('date')
export class DateQuestionDto extends AnswerableDto {
  /** What a date consists of; `day` by default. */
  @OneOf(DATE_PRECISIONS, 'DatePrecision', { optional: true, example: 'month' })
  precision?: DatePrecision;
}

/** A question that puts options in an order. */
@ofType('ranking')
@DtoRule(({ options, rank_at_most }: RankingQuestionDto) =>
  checkOrder(rank_at_most, options.length, 'options'),
)
export class RankingQuestionDto extends AnswerableDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], flags: ['fixed'] })
  options!: Option[];

  /** Whether each respondent sees the options in another order at first. */
  @Flag({ optional: true })
  shuffle?: boolean;

  /** How many options can be ranked; all must be by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  rank_at_most?: number;
}

/** Several questions with the same options, or on the same scale. */
@ofType('matrix')
@DtoRule(({ options, scale, several }: MatrixQuestionDto) => {
  if ((options === undefined) === (scale === undefined)) {
    return problem('not_allowed', 'must have one of options and scale');
  }
  return several === true && options === undefined
    ? problem('not_allowed', 'is only for options', 'several')
    : [];
})
export class MatrixQuestionDto extends AnswerableDto {
  /** What is asked about, all different: each a text, or an object with more than that. */
  @Options({
    minimum: 1,
    maximum: OPTIONS_MAXIMUM,
    flags: ['fixed'],
    areMembers: true,
    example: ['Taste', 'Price'],
  })
  rows!: Option[];

  /** The columns; absent with a `scale`. */
  @Options({
    ...CHOICES,
    example: ['Bad', 'Good'],
    flags: ['fixed'],
    optional: true,
  })
  options?: Option[];

  /** Whether several options can be ticked in a row; one by default. */
  @Flag({ optional: true })
  several?: boolean;

  /** The scale on which each row is rated; absent with `options`. */
  @NestedObject(() => ScaleDto, {
    optional: true,
    rule: (scale) => checkScale(completeScale(scale)),
  })
  scale?: ScaleDto;

  /** Whether each respondent sees the rows in another order. */
  @Flag({ optional: true })
  shuffle?: boolean;
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
export class StatementDto extends QuestionDto {}

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
} as const satisfies Record<QuestionType, new () => QuestionDto>;

const schemaOf = (type: QuestionType) => SCHEMAS + QUESTION_DTOS[type].name.replace(/Dto$/, '');
