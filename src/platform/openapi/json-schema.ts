/*
 * Converts the schemas of Swagger's decorators from OpenAPI 3.0 to 3.1.
 */

export type Json = Record<string, unknown>;
export type Schema = Json;
export type Schemas = Record<string, Schema>;

export const SCHEMAS = '#/components/schemas/';

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keywords whose members are named by us, not by JSON Schema. */
const NAME_MAPS = new Set(['properties', 'schemas']);

/** Keywords that hold example or literal data. */
const DATA = new Set(['example', 'examples', 'enum', 'default']);

/** Converts every schema in a part of the document to version 3.1. */
export function modernize(node: unknown, parent = ''): unknown {
  if (Array.isArray(node)) {
    return node.map((item) => modernize(item));
  }
  if (!isObject(node) || DATA.has(parent)) {
    return node;
  }
  const entries = Object.entries(node).map(([name, value]) => {
    const inner = NAME_MAPS.has(parent) && DATA.has(name) ? '' : name;
    return [name, modernize(value, inner)] as const;
  });
  const result: Json = Object.fromEntries(entries);
  return NAME_MAPS.has(parent) ? result : modernizeSchema(result);
}

function modernizeSchema({ nullable, allOf, example, ...schema }: Json): Json {
  const [only, ...others] = (allOf ?? []) as Schema[];
  const isSchema = ['type', '$ref', 'anyOf', 'oneOf', 'enum'].some((word) => word in schema);
  return {
    // Since 3.1, references may have siblings.
    ...(only !== undefined && others.length === 0 ? only : {}),
    ...schema,
    ...(others.length > 0 ? { allOf } : {}),
    ...(nullable === true && typeof schema.type === 'string' && schema.type !== 'null'
      ? { type: [schema.type, 'null'] }
      : {}),
    ...(Array.isArray(schema.type) && schema.type.length === 1 ? { type: schema.type[0] } : {}),
    // A slash needs no escape in a pattern, and some generators do not remove it.
    ...(typeof schema.pattern === 'string'
      ? { pattern: schema.pattern.replaceAll(/(?<!\\)((?:\\\\)*)\\\//g, '$1/') }
      : {}),
    ...(example === undefined
      ? {}
      : isSchema || only !== undefined
        ? { examples: [example] }
        : { example }),
  };
}

/**
 * Adds what follows from a property's type, and states the decimal places, for which JSON Schema
 * has no keyword with exact arithmetic.
 */
function completeProperty(loose: Schema): Schema {
  const schema = withIntegerFormat(loose);
  const places = schema['x-decimal-places'];
  if (places === undefined) {
    return schema;
  }
  const { description = '' } = schema as { description?: string };
  const sentence = `At most ${places as number} decimal places.`;
  return { ...schema, description: `${description} ${sentence}`.trim() };
}

/** Adds the width that a program needs for a whole number. */
export function withIntegerFormat(schema: Schema): Schema {
  const isInteger = [schema.type].flat().includes('integer');
  if (!isInteger || 'format' in schema) {
    return schema;
  }
  const wide = typeof schema.maximum === 'number' && schema.maximum > 2_147_483_647;
  return { ...schema, format: wide ? 'int64' : 'int32' };
}

/** Completes each property of a schema. */
export function completeProperties(schema: Schema): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Schemas);
  return properties.length === 0
    ? schema
    : {
        ...schema,
        properties: Object.fromEntries(
          properties.map(([name, each]) => [name, completeProperty(each)]),
        ),
      };
}

/** The names of the schemas that a part of the document refers to, directly or indirectly. */
export function reachable(
  part: unknown,
  schemas: Schemas,
  found = new Set<string>(),
): ReadonlySet<string> {
  const text = JSON.stringify(part) as string | undefined;
  for (const [, name = ''] of (text ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!found.has(name)) {
      found.add(name);
      reachable(schemas[name], schemas, found);
    }
  }
  return found;
}

/** Converts `createSurvey` to `CreateSurvey` and `campaign_not_found` to `CampaignNotFound`. */
export function pascalCase(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
