import { Json, pascalCase, Schema, withIntegerFormat } from './json-schema';

export interface Parameter extends Json {
  name: string;
  in: string;
  schema: Schema;
}

/** Makes a parameter as strict in the document as it is in the service. */
export function finishParameter(parameter: Parameter): Parameter {
  // Swagger's decorators leave it beside the schema that it belongs to.
  const { 'x-decimal-places': places, ...rest } = parameter;
  const decimals: Schema = places === undefined ? {} : { 'x-decimal-places': places };
  const schema: Schema = { ...withIntegerFormat(parameter.schema), ...decimals };
  const [example] = [schema.examples ?? []].flat();
  return {
    ...rest,
    schema,
    ...(parameter.in === 'query' ? { allowEmptyValue: false } : {}),
    // Swagger UI fills in only the example of the parameter itself.
    ...(parameter.required === true ? { example } : {}),
  };
}

/** Puts references in the place of parameters that operations share, and returns these by name. */
export function shareParameters(operations: readonly Json[]): Record<string, Parameter> {
  const uses = new Map<string, number>();
  const parametersOf = ({ parameters }: Json) => parameters as Parameter[];
  for (const parameter of operations.flatMap(parametersOf)) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const shared: Record<string, Parameter> = {};
  for (const operation of operations) {
    operation.parameters = parametersOf(operation).map((parameter) => {
      const name = pascalCase(parameter.name.replaceAll('-', '_'));
      const text = JSON.stringify(parameter);
      if ((uses.get(text) ?? 0) > 1 && JSON.stringify((shared[name] ??= parameter)) === text) {
        return { $ref: `#/components/parameters/${name}` };
      }
      return parameter;
    });
  }
  return shared;
}
