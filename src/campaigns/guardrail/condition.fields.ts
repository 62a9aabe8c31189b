import type { ApiPropertyOptions } from '@nestjs/swagger';
import { pascalCase, Schema } from '../../platform/openapi/json-schema';
import { oneOf, Refinement } from '../../platform/openapi/schema-refinements';
import { Field, Problem, problem } from '../../platform/validation/fields/field';
import { METRIC_NAMES } from './condition.rules';
import { Metric, METRICS } from './metrics.rules';

/** The fields that only some metrics have. */
type OwnField = (typeof OWN_FIELDS)[number];

const OWN_FIELDS = [
  'cohorts',
  'signal',
  'question',
  'option',
  'row',
  'bounds',
  'quota',
  'last',
  'confidence',
] as const;

/** The definition of a condition's metric; `undefined` if there is no such metric. */
export function metricOf(condition: object): Metric | undefined {
  const { metric } = condition as { metric?: unknown };
  const name = METRIC_NAMES.find((each) => each === metric);
  return name && METRICS[name];
}

/** A field that only the conditions of some metrics have. */
export function OwnField(
  field: OwnField,
  check: (value: unknown, metric?: Metric) => Problem[],
  documentation: ApiPropertyOptions,
): PropertyDecorator {
  return Field(
    (value, condition) => {
      const metric = metricOf(condition);
      return metric !== undefined && metric[field] === undefined
        ? problem('not_allowed', 'is not a parameter of this metric')
        : check(value, metric);
    },
    documentation,
    { optional: (condition) => metricOf(condition)?.[field] !== 'required' },
  );
}

/** The schema of a metric's `confidence`. */
function confidenceOf(
  { defaultConfidence, leastConfidence }: Partial<Metric>,
  { confidence }: Record<string, Schema>,
): Schema {
  return {
    ...confidence,
    ...(leastConfidence !== undefined && { minimum: leastConfidence }),
    ...(defaultConfidence !== undefined && {
      default: defaultConfidence,
      examples: [defaultConfidence],
    }),
  };
}

/** One schema for each metric, with its parameters and its range of values. */
export const byMetric: Refinement = ({ properties, required: _, description: __, ...schema }) =>
  oneOf(
    METRIC_NAMES.map((name) => {
      const { values, ...metric } = METRICS[name];
      const own = OWN_FIELDS.filter((field) => metric[field] !== undefined);
      const needed = own.filter((field) => metric[field] === 'required');
      const variant = {
        ...schema,
        properties: {
          metric: { type: 'string', enum: [name] },
          op: metric.operators ? { type: 'string', enum: [...metric.operators] } : properties.op,
          value: {
            ...properties.value,
            minimum: values.minimum,
            maximum: values.maximum,
            examples: [values.example],
            ...(values.places === 0 ? { type: 'integer' } : { 'x-decimal-places': values.places }),
          },
          ...Object.fromEntries(own.map((field) => [field, properties[field]])),
          ...(own.includes('confidence') && { confidence: confidenceOf(metric, properties) }),
          minimum_responses: properties.minimum_responses,
        },
        required: ['metric', 'op', 'value', ...needed],
      };
      return [`${pascalCase(name)}Condition`, variant, name];
    }),
    'metric',
  );
