import { Transform } from 'class-transformer';
import { IMAGES_MAXIMUM } from '../../campaigns/campaign/image-survey.rules';
import {
  AnswerValue,
  OPTIONS_MAXIMUM,
  QUESTIONS_MAXIMUM,
} from '../../campaigns/questions/question.types';
import { Field, isPlainObject, Problem, problem } from '../../platform/validation/fields/field';
import { checkWholeNumber, WholeNumber } from '../../platform/validation/fields/number.fields';
import { checkText, Text, TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { normalizeText } from '../../platform/validation/fields/unicode';
import {
  DESCRIPTIVE_MAXIMUM,
  NUMBER_MAXIMUM,
  OWN_TEXT_MAXIMUM,
} from '../../campaigns/questions/answer-value.rules';
import { KEY_PATTERN } from '../../campaigns/questions/option.dto';
import { checkKey } from '../../campaigns/questions/option.field';

/** The most answers that one campaign asks for: to every question, or every pair of its images. */
export const ANSWERS_MAXIMUM = Math.max(
  QUESTIONS_MAXIMUM,
  (IMAGES_MAXIMUM * (IMAGES_MAXIMUM - 1)) / 2,
);

/** The bounds of a number. */
const NUMBER_LIMITS = { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM } as const;

const PAIR = 2;

function checkValue(value: unknown): Problem[] {
  if (typeof value === 'number') {
    return Number.isNaN(value)
      ? problem('too_precise', 'has more digits than can be kept exactly')
      : [];
  }
  if (typeof value === 'string') {
    return checkText(value, DESCRIPTIVE_MAXIMUM);
  }
  if (typeof value === 'boolean') {
    return [];
  }
  if (isPlainObject(value)) {
    return checkRows(value);
  }
  if (!Array.isArray(value)) {
    return problem(
      'invalid_type',
      'must be a string, an array of strings, a number, a boolean or an object',
    );
  }
  if (value.length === 0) {
    return problem('too_few', 'must have at least 1 entry');
  }
  return value.length > OPTIONS_MAXIMUM
    ? problem('too_many', `must have at most ${OPTIONS_MAXIMUM} entries`)
    : value.flatMap((each, index) =>
        checkText(each, DESCRIPTIVE_MAXIMUM).map((wrong) => ({ ...wrong, at: `[${index}]` })),
      );
}

/** Checks the answer to a matrix in itself: how many rows there are, and the texts in them. */
function checkRows(value: Record<string, unknown>): Problem[] {
  const rows = Object.entries(value);
  if (rows.length > OPTIONS_MAXIMUM) {
    return problem('too_many', `must have at most ${OPTIONS_MAXIMUM} rows`);
  }
  return rows.flatMap(([row, cell]) =>
    [cell].flat().flatMap((each: unknown) =>
      typeof each === 'number' && !Number.isNaN(each)
        ? []
        : checkText(each, DESCRIPTIVE_MAXIMUM).map((wrong) => ({
            ...wrong,
            at: `[${JSON.stringify(row.slice(0, 100))}]`,
          })),
    ),
  );
}

const OPTION_SCHEMA = {
  type: 'string',
  minLength: 1,
  maxLength: DESCRIPTIVE_MAXIMUM,
  pattern: TEXT_PATTERN,
};

/** Trims the texts in a value and brings them into NFC, those in the rows of a matrix included. */
function NormalizedValue(): PropertyDecorator {
  const normal = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(normal);
    }
    return typeof value === 'string' ? normalizeText(value.trim()) : value;
  };
  return Transform(({ value }: { value: unknown }) =>
    isPlainObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([row, cell]) => [normalizeText(row.trim()), normal(cell)]),
        )
      : normal(value),
  );
}

/** The documentation of an answer's value. */
export const ANSWER_VALUE_SCHEMA = {
  oneOf: [
    { type: 'string', minLength: 1, maxLength: DESCRIPTIVE_MAXIMUM, pattern: TEXT_PATTERN },
    {
      type: 'array',
      items: {
        type: 'string',
        minLength: 1,
        maxLength: DESCRIPTIVE_MAXIMUM,
        pattern: TEXT_PATTERN,
      },
      minItems: 1,
      maxItems: OPTIONS_MAXIMUM,
    },
    { type: 'number', ...NUMBER_LIMITS },
    { type: 'boolean' },
    {
      type: 'object',
      maxProperties: OPTIONS_MAXIMUM,
      additionalProperties: {
        oneOf: [
          OPTION_SCHEMA,
          { type: 'array', items: OPTION_SCHEMA, minItems: 1, maxItems: OPTIONS_MAXIMUM },
          { type: 'number', ...NUMBER_LIMITS },
        ],
      },
    },
  ],
};

/** A question, by its position or its key. */
function QuestionName(): PropertyDecorator {
  return Field(
    (value) =>
      typeof value === 'string'
        ? checkKey(value)
        : checkWholeNumber(value, { minimum: 1, maximum: QUESTIONS_MAXIMUM }),
    {
      oneOf: [
        { type: 'integer', format: 'int32', minimum: 1, maximum: QUESTIONS_MAXIMUM },
        { type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN },
      ],
      example: 1,
    },
    { optional: true },
  );
}

/** A pair of positions of images. */
function ImagePair(): PropertyDecorator {
  const isPosition = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= IMAGES_MAXIMUM;
  return Field(
    (value) =>
      Array.isArray(value) && value.length === PAIR && value.every(isPosition)
        ? []
        : problem('invalid_type', 'must be the positions of two images'),
    {
      type: 'array',
      items: { type: 'integer', format: 'int32', minimum: 1, maximum: IMAGES_MAXIMUM },
      minItems: PAIR,
      maxItems: PAIR,
    },
    { optional: true },
  );
}

/** An answer. It names what it is about by its position, from 1, or a question by its key. */
export class AnswerDto {
  /** The question, in a survey or the feedback to an advertisement. */
  @QuestionName()
  question?: number | string;

  /** The image that is rated, in an `image_slider` survey. */
  @WholeNumber({ minimum: 1, maximum: IMAGES_MAXIMUM, optional: true })
  image?: number;

  /** The two images that are compared, in a `round_robin` survey. */
  @ImagePair()
  images?: number[];

  /**
   * Text or a date; one option; an array of options, which a ranking has from the best on; a number;
   * whether a box is ticked; an object with the rows of a matrix; or the position of the preferred image.
   */
  @NormalizedValue()
  @Field(checkValue, { ...ANSWER_VALUE_SCHEMA, example: 'One or two' })
  value!: AnswerValue;

  /** The text of one's own for the option that asks for one; required with that option. */
  @Text({ maximum: OWN_TEXT_MAXIMUM, optional: true })
  other?: string;

  /** The text beside the choice, where the question has `comment`. */
  @Text({ maximum: OWN_TEXT_MAXIMUM, optional: true })
  comment?: string;
}
