import type { OpenAPIObject } from '@nestjs/swagger';
import { completeAnswerField } from './answer-fields';
import { ERROR_EXTENSION } from './api-docs';
import { ERROR_STATUS, ErrorCode } from './error-codes';
import {
  commonHeaders,
  errorExample,
  errorResponses,
  header,
  HEADERS,
  Response,
} from './openapi-errors';
import { refineSchema } from './schema-refinements';

/*
 * Swagger's decorators make a document that is right but loose, and in places still of version
 * 3.0. This makes it the one that is served: version 3.1 throughout, a named schema for every
 * answer, and for every error status the codes that it can carry there.
 */

type Json = Record<string, unknown>;
type Schema = Json;
type Schemas = Record<string, Schema>;

interface Operation extends Json {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

interface Parameter {
  in: string;
  schema: Schema;
  example?: unknown;
}

const JSON_TYPE = 'application/json';
const SCHEMAS = '#/components/schemas/';

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Members whose own members are names, not keywords. */
const NAME_MAPS = new Set(['properties', 'schemas']);

/** Members that hold a caller's data. */
const DATA = new Set(['example', 'examples', 'enum', 'default']);

/** Everything in the document that is a schema or holds one, in the words of version 3.1. */
function modernise(node: unknown, parent = ''): unknown {
  if (Array.isArray(node)) {
    return node.map((item) => modernise(item));
  }
  if (!isObject(node) || DATA.has(parent)) {
    return node;
  }
  const entries = Object.entries(node).map(([name, value]) => {
    const inner = NAME_MAPS.has(parent) && DATA.has(name) ? '' : name;
    return [name, modernise(value, inner)] as const;
  });
  const result: Json = Object.fromEntries(entries);
  return NAME_MAPS.has(parent) ? result : moderniseSchema(result);
}

function moderniseSchema({ nullable, allOf, example, ...schema }: Json): Json {
  const [only, ...others] = (allOf ?? []) as Schema[];
  const isSchema = ['type', '$ref', 'anyOf', 'oneOf', 'enum'].some((word) => word in schema);
  return {
    // References may have neighbours since 3.1.
    ...(only !== undefined && others.length === 0 ? only : {}),
    ...schema,
    ...(others.length > 0 ? { allOf } : {}),
    ...(nullable === true && typeof schema.type === 'string' && schema.type !== 'null'
      ? { type: [schema.type, 'null'] }
      : {}),
    ...(Array.isArray(schema.type) && schema.type.length === 1 ? { type: schema.type[0] } : {}),
    ...(example === undefined
      ? {}
      : isSchema || only !== undefined
        ? { examples: [example] }
        : { example }),
  };
}

/** The names of the schemas that a part of the document refers to, and all that those refer to. */
function reachable(part: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  const text = JSON.stringify(part) as string | undefined;
  for (const [, name = ''] of (text ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (!found.has(name)) {
      found.add(name);
      reachable(schemas[name], schemas, found);
    }
  }
  return found;
}

function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The errors an operation was declared with, and the operation without the declaration. */
function takeErrors(operation: Operation): { codes: ErrorCode[]; operation: Operation } {
  const declared = (name: string) => name.startsWith(ERROR_EXTENSION);
  return {
    codes: (Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
      (code) => ERROR_EXTENSION + code in operation,
    ),
    operation: Object.fromEntries(
      Object.entries(operation).filter(([name]) => !declared(name)),
    ) as Operation,
  };
}

/** An operation with a named success schema and its errors. */
function finishOperation(declared: Operation, schemas: Schemas): Operation {
  const { codes, operation } = takeErrors(declared);
  const name = `${pascalCase(operation.operationId)}Answer`;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const content = response.content?.[JSON_TYPE];
    if (status === '200' && content !== undefined) {
      schemas[name] = content.schema;
      content.schema = { $ref: SCHEMAS + name };
    }
    const headers = {
      ...commonHeaders(codes),
      ...(operation.requestBody === undefined
        ? {}
        : { 'Idempotency-Replayed': header('IdempotencyReplayed') }),
      ...response.headers,
    };
    return [status, { ...response, headers }] as const;
  });
  return {
    ...operation,
    // An empty list says that it needs no credential; none would say that nobody thought of it.
    security: operation.security ?? [],
    responses: { ...Object.fromEntries(responses), ...errorResponses(codes) },
  };
}

/** Decimals, with what no keyword of JSON Schema says in a way that every validator can reckon. */
function withPlaces(schema: Schema): Schema {
  const places = schema['x-decimal-places'];
  return places === undefined
    ? schema
    : {
        ...schema,
        description:
          `${(schema.description as string | undefined) ?? ''} At most ${places as number} decimal places.`.trim(),
      };
}

/** Whole numbers, with the width that a program needs for them. */
function withIntegerFormat(schema: Schema): Schema {
  const isInteger = [schema.type].flat().includes('integer');
  if (!isInteger || 'format' in schema) {
    return schema;
  }
  const wide = typeof schema.maximum === 'number' && schema.maximum > 2_147_483_647;
  return { ...schema, format: wide ? 'int64' : 'int32' };
}

function mapProperties(schema: Schema, change: (property: Schema, name: string) => Schema): Schema {
  return isObject(schema.properties)
    ? {
        ...schema,
        properties: Object.fromEntries(
          Object.entries(schema.properties).map(([name, each]) => [
            name,
            change(each as Schema, name),
          ]),
        ),
      }
    : schema;
}

function only<T>(names: ReadonlySet<string>, map: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => names.has(name)));
}

function sorted<T>(map: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Makes the document that is served of the one that Swagger's decorators make. */
export function finishDocument(raw: OpenAPIObject): OpenAPIObject {
  // Clients see the names of the schemas; that they are classes of ours is nothing to them.
  const named = JSON.parse(
    JSON.stringify(raw).replaceAll(/(#\/components\/schemas\/\w+?)Dto"/g, '$1"'),
  ) as OpenAPIObject;
  const schemas: Schemas = {};
  for (const [name, loose] of Object.entries(named.components?.schemas ?? {})) {
    const { $defs = {}, ...schema } = refineSchema(name, modernise(loose, 'schema') as Schema);
    Object.assign(schemas, { [name.replace(/Dto$/, '')]: schema }, $defs);
  }
  const paths = modernise(named.paths, 'paths') as Record<string, Record<string, Operation>>;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const requested = reachable(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const answered = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) =>
    operations.some((operation) => ERROR_EXTENSION + code in operation),
  );
  for (const item of Object.values(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      item[method] = finishOperation(operation, schemas);
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    const isRequest = requested.has(name);
    schemas[name] = mapProperties(
      isRequest && schema.type === 'object' ? { ...schema, additionalProperties: false } : schema,
      (property, field) =>
        withPlaces(withIntegerFormat(isRequest ? property : completeAnswerField(field, property))),
    );
  }
  for (const { parameters } of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const parameter of (parameters ?? []) as Parameter[]) {
      parameter.schema = withIntegerFormat(parameter.schema);
      if (parameter.in === 'path') {
        // The documentation page fills in a parameter's own example only.
        parameter.example = (parameter.schema.examples as unknown[] | undefined)?.[0];
      }
    }
  }
  return {
    ...named,
    paths: paths,
    components: {
      ...named.components,
      headers: HEADERS,
      examples: Object.fromEntries(answered.map((code) => [code, errorExample(code)])),
      schemas: only(reachable(paths, schemas), sorted(schemas)),
    },
  };
}
