import { requestExamples } from '../../src/platform/openapi/example-of';
import { Client } from './client';

/** A schema of the OpenAPI document, with the keywords that the tests read. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
  additionalProperties?: boolean;
  examples?: unknown[];
  description?: string;
}

/** An operation of the OpenAPI document, with the bodies that it takes. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  credential: 'api_key' | 'account_token' | 'platform_key' | undefined;
  scopes: readonly string[];
  /** Whether it is for platforms, and a company can try it with a test key. */
  takesTestKeys: boolean;
  /**
   * The parameters of the query that it requires, with their examples; empty, or begins with `?`.
   */
  query: string;
  /** Every example of a body; empty for an operation without one. */
  bodies: Record<string, unknown>[];
  /** The first example. */
  body: Record<string, unknown> | undefined;
  /** The names of all fields of a body. */
  fields: readonly string[];
}

/** A part of the document, with its references resolved. */
export function resolve<T extends { $ref?: string }>(document: any, part: T): T {
  const { $ref, ...own } = part;
  if ($ref === undefined) {
    return part;
  }
  const target = $ref
    .slice('#/'.length)
    .split('/')
    .reduce((node, name) => node?.[name], document);
  if (target === undefined) {
    throw new Error(`the document refers to ${$ref}, which it does not have`);
  }
  return { ...target, ...own };
}

/** Returns the properties of a schema, including those of the schemas it consists of. */
export function propertiesOf(document: any, schema: Schema): Record<string, Schema> {
  const { properties = {}, allOf = [] } = resolve(document, schema);
  return Object.assign(
    {},
    ...allOf.map((part) => propertiesOf(document, part)),
    properties,
  ) as Record<string, Schema>;
}

/** Every operation of a service, as its OpenAPI document describes it. */
export async function readOperations(client: Client): Promise<DocumentedOperation[]> {
  const document = (await client.get('/openapi.json')).body as any;
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId, requestBody, security, parameters = [] } = operation;
      const bodies =
        requestBody === undefined ? [] : Object.values(requestExamples(document, requestBody));
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        credential: Object.keys(security?.[0] ?? {})[0] as never,
        scopes: operation['x-required-scopes'] ?? [],
        takesTestKeys: 'x-test-key-scope' in operation,
        query: queryOf(parameters.map((each: Parameter) => resolve(document, each))),
        bodies,
        body: bodies[0],
        fields: Object.keys(
          propertiesOf(document, requestBody?.content['application/json']?.schema ?? {}),
        ),
      };
    }),
  );
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  example?: string;
}

function queryOf(parameters: readonly Parameter[]): string {
  const search = new URLSearchParams();
  for (const { name, in: place, required, example = '' } of parameters) {
    if (place === 'query' && required === true) {
      search.append(name, example);
    }
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
