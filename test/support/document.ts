import { Client } from './client';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  oneOf?: Schema[];
  examples?: unknown[];
}

interface Content {
  schema: Schema;
  examples?: Record<string, { value: Record<string, unknown> }>;
}

/** An operation of the OpenAPI document, with a body that it takes. */
export interface DocumentedOperation {
  id: string;
  method: string;
  path: string;
  credential: 'api_key' | 'account_token' | undefined;
  scope: string | undefined;
  body: Record<string, unknown> | undefined;
}

/** Every operation of a service, as its OpenAPI document tells. */
export async function readOperations(client: Client): Promise<DocumentedOperation[]> {
  const document = (await client.get('/openapi.json')).body as any;

  const resolve = (schema: Schema): Schema => {
    const { $ref } = schema.allOf?.[0] ?? schema;
    return $ref === undefined ? schema : document.components.schemas[$ref.split('/').at(-1)!];
  };

  const exampleOf = (schema: Schema): unknown => {
    const { oneOf, properties, items, examples, enum: values } = resolve(schema);
    const [example] = schema.examples ?? examples ?? [];
    if (example !== undefined) {
      return example;
    }
    if (oneOf !== undefined) {
      return exampleOf(oneOf[0]!);
    }
    if (properties !== undefined) {
      const members = Object.entries(properties);
      return Object.fromEntries(members.map(([name, each]) => [name, exampleOf(each)]));
    }
    return items === undefined ? values?.[0] : [exampleOf(items)];
  };

  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const content: Content | undefined = operation.requestBody?.content['application/json'];
      const [first] = Object.values(content?.examples ?? {});
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        credential: Object.keys(operation.security?.[0] ?? {})[0] as never,
        scope: operation['x-required-scope'],
        body: content && (first?.value ?? (exampleOf(content.schema) as Record<string, unknown>)),
      };
    }),
  );
}
