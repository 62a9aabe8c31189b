import { isObject, Json, Schema, SCHEMAS } from './json-schema';

type Document = object;

/** A schema with everything it refers to. */
function resolve(document: Document, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') {
    return schema;
  }
  const { components } = document as { components: { schemas: Record<string, Schema> } };
  const target = components.schemas[$ref.slice(SCHEMAS.length)];
  if (target === undefined) {
    throw new Error(`the document has no ${$ref}`);
  }
  return { ...target, ...own };
}

/** Builds an example from the examples of a schema's parts; fields without one are left out. */
function exampleOf(document: Document, schema: Schema): unknown {
  const whole = resolve(document, schema);
  const [example] = [whole.examples ?? []].flat();
  if (example !== undefined) {
    return example;
  }
  const [variant] = [whole.oneOf ?? []].flat() as Schema[];
  if (variant !== undefined) {
    return exampleOf(document, variant);
  }
  if (isObject(whole.properties)) {
    const members = Object.entries(whole.properties) as [string, Schema][];
    return Object.fromEntries(
      members
        .map(([name, each]) => [name, exampleOf(document, each)] as const)
        .filter(([, value]) => value !== undefined),
    );
  }
  return undefined;
}

export interface RequestBody {
  content: Record<
    string,
    { schema: Schema; example?: Json; examples?: Record<string, { value: Json }> }
  >;
}

/** Gives a body an example if some of its fields have none: pages would invent values for these. */
export function addExample(document: Document, body: RequestBody): void {
  for (const media of Object.values(body.content)) {
    const fields = Object.keys(resolve(document, media.schema).properties ?? {});
    const example = exampleOf(document, media.schema);
    if (
      media.examples === undefined &&
      isObject(example) &&
      fields.some((field) => !(field in example))
    ) {
      media.example = example;
    }
  }
}

/** Returns the examples of a request body by name; an unnamed one is `default`. */
export function requestExamples(document: Document, body: RequestBody): Record<string, Json> {
  const { schema, examples } = Object.values(body.content)[0] ?? { schema: {} };
  return examples === undefined
    ? { default: exampleOf(document, schema) as Json }
    : Object.fromEntries(Object.entries(examples).map(([name, { value }]) => [name, value]));
}
