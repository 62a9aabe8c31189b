import { Client } from './client';

/** A schema of the OpenAPI document, as far as the tests look at it. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  oneOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  additionalProperties?: boolean;
  examples?: unknown[];
  description?: string;
}

interface Content {
  schema: Schema;
  examples?: Record<string, { value: Record<string, unknown> }>;
}

/** An operation of the OpenAPI document, with the bodies that it takes. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  credential: 'api_key' | 'account_token' | undefined;
  scope: string | undefined;
  /** Every example of a body; none where it takes none. */
  bodies: Record<string, unknown>[];
  /** The first of them. */
  body: Record<string, unknown> | undefined;
}

/** A schema with what it refers to. */
export function resolveSchema(document: any, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  if ($ref === undefined) {
    return schema;
  }
  const target = document.components.schemas[$ref.replace('#/components/schemas/', '')];
  if (target === undefined) {
    throw new Error(`the document refers to ${$ref}, which it does not have`);
  }
  return { ...target, ...own };
}

/** The example of a schema as the documentation page puts it together. */
function exampleOf(document: any, schema: Schema): unknown {
  const { examples, oneOf, properties, items, enum: values } = resolveSchema(document, schema);
  if (examples !== undefined) {
    return examples[0];
  }
  if (oneOf !== undefined) {
    return exampleOf(document, oneOf[0]!);
  }
  if (properties !== undefined) {
    const members = Object.entries(properties);
    return Object.fromEntries(members.map(([name, each]) => [name, exampleOf(document, each)]));
  }
  return items === undefined ? values?.[0] : [exampleOf(document, items)];
}

function bodiesOf(document: any, content: Content | undefined): Record<string, unknown>[] {
  if (content === undefined) {
    return [];
  }
  const examples = Object.values(content.examples ?? {}).map(({ value }) => value);
  return examples.length > 0
    ? examples
    : [exampleOf(document, content.schema) as Record<string, unknown>];
}

/** Every operation of a service, as its OpenAPI document tells. */
export async function readOperations(client: Client): Promise<DocumentedOperation[]> {
  const document = (await client.get('/openapi.json')).body as any;
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const bodies = bodiesOf(document, operation.requestBody?.content['application/json']);
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        credential: Object.keys(operation.security?.[0] ?? {})[0] as never,
        scope: operation['x-required-scope'],
        bodies,
        body: bodies[0],
      };
    }),
  );
}
