import { IMAGES_MAXIMUM } from '../campaign/image-survey.rules';
import { OPTIONS_MAXIMUM, QUESTIONS_MAXIMUM } from '../questions/question.rules';
import { Field, Problem, problem } from '../validation/fields/field';
import { WholeNumber } from '../validation/fields/number.fields';
import { checkText, Normalized, TEXT_PATTERN } from '../validation/fields/text.fields';
import { AnswerValue, DESCRIPTIVE_MAXIMUM } from './answer-value.rules';

/** The most answers that one campaign asks for: every pair of its images. */
export const ANSWERS_MAXIMUM = (IMAGES_MAXIMUM * (IMAGES_MAXIMUM - 1)) / 2;

/** The bounds of a rating. */
const NUMBER_LIMITS = { minimum: -1_000_000, maximum: 1_000_000 } as const;

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
  if (!Array.isArray(value)) {
    return problem('invalid_type', 'must be a string, an array of strings or a number');
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
  ],
};

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

/** An answer. It names what it is about by its position, from 1. */
export class AnswerDto {
  /** The question, in a survey or the feedback to an advertisement. */
  @WholeNumber({ minimum: 1, maximum: QUESTIONS_MAXIMUM, optional: true, example: 1 })
  question?: number;

  /** The image that is rated, in an `image_slider` survey. */
  @WholeNumber({ minimum: 1, maximum: IMAGES_MAXIMUM, optional: true })
  image?: number;

  /** The two images that are compared, in a `round_robin` survey. */
  @ImagePair()
  images?: number[];

  /**
   * Text; one option; an array of options; the rating of an image; or the position of the preferred
   * image.
   */
  @Normalized()
  @Field(checkValue, { ...ANSWER_VALUE_SCHEMA, example: 'One or two' })
  value!: AnswerValue;
}
