import type { ApiPropertyOptions } from '@nestjs/swagger';
import { pascalCase } from '../../platform/openapi/json-schema';
import { oneOf, RefineSchema, Refinement } from '../../platform/openapi/schema-refinements';
import { Field, Problem, problem } from '../../platform/validation/fields/field';
import { checkWholeNumbers } from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import {
  checkDecimal,
  checkWholeNumber,
  MONEY_MAXIMUM,
  WholeNumber,
} from '../../platform/validation/fields/number.fields';
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
import { Metric, METRICS } from './metrics.rules';

/** The fields that only some metrics have. */
type OwnField = 'last' | 'cohorts' | 'signal' | 'confidence';

const OWN_FIELDS: readonly OwnField[] = ['last', 'cohorts', 'signal', 'confidence'];

const CONFIDENCE = { minimum: 0, maximum: 0.99999, places: 5 } as const;
const COHORTS = { minimum: 1, maximum: 4, items: { minimum: 1, maximum: 5 } } as const;
const LAST = { minimum: 1, maximum: LAST_MAXIMUM } as const;

/** The definition of a condition's metric; `undefined` if there is no such metric. */
function metricOf(condition: object): Metric | undefined {
  const { metric } = condition as { metric?: unknown };
  const name = METRIC_NAMES.find((each) => each === metric);
  return name && METRICS[name];
}

/** A field that only the conditions of some metrics have. */
function OwnField(
  field: OwnField,
  check: (value: unknown) => Problem[],
  documentation: ApiPropertyOptions,
): PropertyDecorator {
  return Field(
    (value, condition) => {
      const metric = metricOf(condition);
      return metric !== undefined && metric[field] === undefined
        ? problem('not_allowed', 'is not a parameter of this metric')
        : check(value);
    },
    documentation,
    { optional: (condition) => metricOf(condition)?.[field] !== 'required' },
  );
}

/** One schema for each metric, with its parameters and its range of values. */
const byMetric: Refinement = ({ properties, required: _, description: __, ...schema }) =>
  oneOf(
    METRIC_NAMES.map((name) => {
      const { values, ...metric } = METRICS[name];
      const own = OWN_FIELDS.filter((field) => metric[field] !== undefined);
      const needed = own.filter((field) => metric[field] === 'required');
      const variant = {
        ...schema,
        properties: {
          metric: { type: 'string', enum: [name] },
          op: properties.op,
          value: {
            ...properties.value,
            maximum: values.maximum,
            examples: [values.example],
            ...(values.places === 0 ? { type: 'integer' } : { 'x-decimal-places': values.places }),
          },
          ...Object.fromEntries(own.map((field) => [field, properties[field]])),
          minimum_responses: properties.minimum_responses,
        },
        required: ['metric', 'op', 'value', ...needed],
      };
      return [`${pascalCase(name)}Condition`, variant, name];
    }),
    'metric',
  );

/** A metric of a campaign, compared with a value. */
@RefineSchema(byMetric)
export class ConditionDto {
  @OneOf(METRIC_NAMES, 'GuardrailMetric', { example: 'cohort_share' })
  metric!: MetricName;

  /** Greater, greater or equal, less, less or equal. */
  @OneOf(OPERATORS, 'GuardrailOperator', { example: 'gt' })
  op!: Operator;

  /** What the metric is compared with, in the metric's unit. */
  @Field(
    (value, condition) => {
      const { maximum, places } = metricOf(condition)?.values ?? {
        maximum: MONEY_MAXIMUM,
        places: 6,
      };
      return places === 0
        ? checkWholeNumber(value, { minimum: 0, maximum })
        : checkDecimal(value, { minimum: 0, maximum, places });
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

  /** Looks at this many of the latest responses; without it, at all since it began to watch. */
  @OwnField('last', (value) => checkWholeNumber(value, LAST), {
    type: 'integer',
    ...LAST,
    example: 200,
  })
  last?: number;

  /**
   * The condition does not hold before it counts so many responses, or `last` of them if that is
   * fewer; 30 by default, and 1 for `spent`.
   */
  @WholeNumber({ minimum: 1, maximum: 10_000_000, example: 50, optional: true })
  minimum_responses?: number;

  /**
   * The condition holds only if the interval with this confidence passes the value as a whole: its
   * lower bound for `gt` and `gte`, its upper bound for `lt` and `lte`. 0 compares the value itself.
   */
  @OwnField('confidence', (value) => checkDecimal(value, CONFIDENCE), {
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
  return {
    metric,
    op,
    // JSON can have -0, which the database stores as 0.
    value: value + 0,
    ...(cohorts && { cohorts: cohorts.toSorted() }),
    ...(signal && { signal }),
    ...(last && { last }),
    minimum_responses: minimum_responses ?? METRICS[metric].minimumResponses ?? MINIMUM_RESPONSES,
    ...(METRICS[metric].confidence && { confidence: confidence ?? CONFIDENCE_DEFAULT }),
  };
}
