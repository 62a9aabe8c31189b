import type { ApiPropertyOptions } from '@nestjs/swagger';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { Field, Problem, problem } from '../../platform/validation/fields/field';
import { checkWholeNumbers } from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import {
  checkDecimal,
  checkWholeNumber,
  MONEY_MAXIMUM,
  WholeNumber,
} from '../../platform/validation/fields/number.fields';
import { checkText, Normalized, TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { NUMBER_MAXIMUM } from '../questions/answer-value.rules';
import { OPTION_LENGTH } from '../questions/option.dto';
import { checkQuestionName, QUESTION_NAME } from '../questions/question-name.field';
import { DECIMALS_MAXIMUM } from '../questions/question-fields.dto';
import { QUOTA_NAME_LENGTH } from '../targeting/targeting.types';
import { QUALITY_SIGNALS, QualitySignal } from '../questions/quality-signals.types';
import {
  Condition,
  CONFIDENCE_DEFAULT,
  LAST_MAXIMUM,
  METRIC_NAMES,
  MetricName,
  MINIMUM_RESPONSES,
  Operator,
  OPERATORS,
} from './condition.rules';
import { byMetric, metricOf, OwnField } from './condition.fields';
import { Metric, METRICS } from './metrics.rules';

const CONFIDENCE = { minimum: 0, maximum: 0.99999, places: 5 } as const;
const COHORTS = { minimum: 1, maximum: 4, items: { minimum: 1, maximum: 5 } } as const;
const OPTION = {
  type: 'string' as const,
  minLength: 1,
  maxLength: OPTION_LENGTH,
  pattern: TEXT_PATTERN,
};

function checkBounds(value: unknown): Problem[] {
  if (!Array.isArray(value) || value.length !== 2) {
    return problem('invalid_type', 'must be an array of two numbers');
  }
  const limits = { minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM, places: DECIMALS_MAXIMUM };
  const problems = value.flatMap((bound) => checkDecimal(bound, limits));
  return problems.length > 0 || value[0] < value[1]
    ? problems
    : problem('not_allowed', 'must have the least value first');
}

function checkConfidence(value: unknown, metric?: Metric): Problem[] {
  return checkDecimal(value, {
    ...CONFIDENCE,
    minimum: metric?.leastConfidence ?? CONFIDENCE.minimum,
  });
}

const LAST = { minimum: 1, maximum: LAST_MAXIMUM } as const;

/** A metric of a campaign, compared with a value. */
@RefineSchema(byMetric)
export class ConditionDto {
  @OneOf(METRIC_NAMES, 'GuardrailMetric', { example: 'cohort_share' })
  metric!: MetricName;

  /** Greater, greater or equal, less, less or equal. */
  @Field(
    (value, condition) => {
      const operators = metricOf(condition)?.operators ?? OPERATORS;
      return operators.includes(value as Operator)
        ? []
        : problem('not_allowed', `must be one of ${operators.join(', ')}`);
    },
    { enum: [...OPERATORS], enumName: 'GuardrailOperator', example: 'gt' },
  )
  op!: Operator;

  /** What the metric is compared with, in the metric's unit. */
  @Field(
    (value, condition) => {
      const { minimum, maximum, places } = metricOf(condition)?.values ?? {
        minimum: 0,
        maximum: MONEY_MAXIMUM,
        places: 6,
      };
      return places === 0
        ? checkWholeNumber(value, { minimum, maximum })
        : checkDecimal(value, { minimum, maximum, places });
    },
    { type: 'number', minimum: 0, maximum: MONEY_MAXIMUM, example: 0.3 },
  )
  value!: number;

  /** `cohort_share`: the cohorts whose share it is. */
  @OwnField('cohorts', (value) => checkWholeNumbers(value, COHORTS), {
    type: 'array',
    items: { type: 'integer', format: 'int32', ...COHORTS.items },
    minItems: COHORTS.minimum,
    maxItems: COHORTS.maximum,
    uniqueItems: true,
    example: [1, 2],
  })
  cohorts?: number[];

  /** `flagged_share`: the signal whose flags are counted. */
  @OwnField(
    'signal',
    (value) =>
      QUALITY_SIGNALS.includes(value as QualitySignal)
        ? []
        : problem('not_allowed', `must be one of ${QUALITY_SIGNALS.join(', ')}`),
    { enum: [...QUALITY_SIGNALS], enumName: 'QualitySignal', example: 'straight_lining' },
  )
  signal?: QualitySignal;

  /** The question that answers are looked at of, by its position from 1 or by its key. */
  @OwnField('question', checkQuestionName, QUESTION_NAME)
  question?: number | string;

  /** The option whose share it is, by its key, or by its text if it has none. */
  @Normalized()
  @OwnField('option', (value) => checkText(value, OPTION_LENGTH), { ...OPTION, example: 'Bad' })
  option?: string;

  /** Of a matrix: the row, by its key, or by its text if it has none. */
  @Normalized()
  @OwnField('row', (value) => checkText(value, OPTION_LENGTH), { ...OPTION, example: 'Taste' })
  row?: string;

  /**
   * Of a mean: the least and the largest value that can be answered, on which the interval depends;
   * those of the question by default.
   */
  @OwnField('bounds', checkBounds, {
    type: 'array',
    items: { type: 'number', minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM },
    minItems: 2,
    maxItems: 2,
    example: [1, 5],
  })
  bounds?: [low: number, high: number];

  /**
   * Looks only at responses that count in this quota of the campaign, by its name. For a guardrail of
   * one campaign.
   */
  @Normalized()
  @OwnField('quota', (value) => checkText(value, QUOTA_NAME_LENGTH), {
    ...OPTION,
    maxLength: QUOTA_NAME_LENGTH,
    example: 'women 18 to 34',
  })
  quota?: string;

  /** Looks at this many of the latest responses; without it, at all since it began to watch. */
  @OwnField('last', (value) => checkWholeNumber(value, LAST), {
    type: 'integer',
    ...LAST,
    example: 200,
  })
  last?: number;

  /**
   * The condition does not hold before it counts so many responses, or `last` of them if that is
   * fewer; 30 by default, and 1 for `spent` and `interval_width`.
   */
  @WholeNumber({ minimum: 1, maximum: 10_000_000, example: 50, optional: true })
  minimum_responses?: number;

  /**
   * The condition holds only if the interval with this confidence passes the value as a whole: its
   * lower bound for `gt` and `gte`, its upper bound for `lt` and `lte`. 0 compares the value itself.
   * `interval_width`: the confidence of the interval whose width it is.
   */
  @OwnField('confidence', checkConfidence, {
    type: 'number',
    minimum: CONFIDENCE.minimum,
    maximum: CONFIDENCE.maximum,
    'x-decimal-places': CONFIDENCE.places,
    default: CONFIDENCE_DEFAULT,
    example: CONFIDENCE_DEFAULT,
  } as ApiPropertyOptions)
  confidence?: number;
}

/** A condition as it is stored, with every default. */
export function toCondition(dto: ConditionDto): Condition {
  const { metric, op, value, cohorts, signal, last, minimum_responses, confidence } = dto;
  const { question, option, row, bounds, quota } = dto;
  return {
    metric,
    op,
    // JSON can have -0, which the database stores as 0.
    value: value + 0,
    ...(cohorts && { cohorts: cohorts.toSorted() }),
    ...(signal && { signal }),
    ...(question !== undefined && { question }),
    ...(option !== undefined && { option }),
    ...(row !== undefined && { row }),
    ...(bounds && { bounds }),
    ...(quota !== undefined && { quota }),
    ...(last && { last }),
    minimum_responses: minimum_responses ?? METRICS[metric].minimumResponses ?? MINIMUM_RESPONSES,
    ...(METRICS[metric].confidence && {
      confidence: confidence ?? METRICS[metric].defaultConfidence ?? CONFIDENCE_DEFAULT,
    }),
  };
}
