import { CONDITIONS_MAXIMUM } from '../../campaigns/guardrail/guardrail.types';
import { NUMBER_MAXIMUM } from '../../campaigns/questions/answer-value.rules';
import { OPTION_LENGTH } from '../../campaigns/questions/option.dto';
import { DECIMALS_MAXIMUM } from '../../campaigns/questions/question-fields.dto';
import { checkQuestionName, QUESTION_NAME } from '../../campaigns/questions/question-name.field';
import { oneOfVariants, RefineSchema } from '../../platform/openapi/schema-refinements';
import { DtoRule } from '../../platform/validation/dto-rules';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { Field, problem } from '../../platform/validation/fields/field';
import { Decimal } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';

const VALUE = { maximum: NUMBER_MAXIMUM, places: DECIMALS_MAXIMUM, optional: true } as const;

/** The answers to expect to a question that a guardrail waits to know. */
@RefineSchema(
  oneOfVariants({
    ExpectedShare: { description: 'The share of an option.', fields: ['option', 'share'] },
    ExpectedMean: { description: 'The mean of a scale.', fields: ['mean', 'spread'] },
  }),
)
@DtoRule(({ option, share, mean, spread }: ExpectedAnswerDto) => {
  const isShare = option !== undefined && share !== undefined;
  const isMean = mean !== undefined && spread !== undefined;
  return isShare !== isMean && (isShare ? (mean ?? spread) : (option ?? share)) === undefined
    ? []
    : problem('not_allowed', 'must have either option and share, or mean and spread');
})
export class ExpectedAnswerDto {
  /** The question, as the condition names it. */
  @Field(checkQuestionName, QUESTION_NAME)
  question!: number | string;

  /** The option, as the condition names it. */
  @Text({ maximum: OPTION_LENGTH, optional: true, example: 'Yes' })
  option?: string;

  /** The row of a matrix, as the condition names it. */
  @Text({ maximum: OPTION_LENGTH, optional: true, example: 'Taste' })
  row?: string;

  /** The part of the answers that have the option. */
  @Decimal({ minimum: 0, maximum: 1, places: 4, optional: true, example: 0.3 })
  share?: number;

  /** The mean of the answers. */
  @Decimal({ ...VALUE, minimum: -NUMBER_MAXIMUM, example: 3.8 })
  mean?: number;

  /** Their standard deviation; with this mean, some are impossible. */
  @Decimal({ ...VALUE, minimum: 0.000001, example: 0.9 })
  spread?: number;
}

/** The answers to expect to the questions that guardrails wait to know. */
export function ExpectedAnswers(): PropertyDecorator {
  return ObjectArray(() => ExpectedAnswerDto, 0, CONDITIONS_MAXIMUM, { optional: true });
}
