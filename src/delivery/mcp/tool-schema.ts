import type { OpenAPIObject } from '@nestjs/swagger';
import { isObject, Schema, Schemas, SCHEMAS } from '../../platform/openapi/json-schema';

/** Keywords that say little to a model: the operation itself checks what they demand. */
const LEFT_OUT = new Set([
  'pattern',
  'format',
  'minLength',
  'example',
  'examples',
  'discriminator',
  'title',
]);

const NULL = { type: 'null' };

const isNull = (schema: unknown) => isObject(schema) && schema.type === 'null';

/** The first sentence of a description. */
function shorten(description: string): string {
  const [first = ''] = description.replaceAll('\n', ' ').split(/(?<=\.) /);
  return first;
}

/**
 * Makes schemas of the OpenAPI document short enough for the context of a model: without
 * references, with one sentence for each field, and with the alternatives of an object merged into
 * one object with the fields of all.
 */
export class ToolSchemas {
  private readonly schemas: Schemas;

  /** @param instead shorter schemas of fields that would take too much room, by name */
  constructor(
    private readonly document: OpenAPIObject,
    private readonly instead: Schemas = {},
  ) {
    this.schemas = (document.components?.schemas ?? {}) as Schemas;
  }

  /** Returns a schema of the document with the types of its fields only. */
  outline(name: string): Schema {
    const { properties, required } = this.inline(this.named(name));
    const fields = Object.entries(properties as Schemas).map(([field, { type }]) => [
      field,
      type === undefined ? {} : { type },
    ]);
    return { type: 'object', properties: Object.fromEntries(fields) as Schemas, required };
  }

  /** Returns parameters of a read, by name. */
  parameters(path: string, ...names: string[]): Schemas {
    const { components, paths } = this.document;
    const parameters = (paths[path]?.get?.parameters ?? []).map((each): unknown =>
      '$ref' in each ? components?.parameters?.[each.$ref.split('/').at(-1) ?? ''] : each,
    ) as { name: string; description?: string; schema: Schema }[];
    return Object.fromEntries(
      names.map((name) => {
        const { schema, description } = this.present(
          parameters.find((each) => each.name === name),
          `${path} ${name}`,
        );
        return [name, this.inline({ ...schema, ...(description && { description }) })];
      }),
    );
  }

  /** Returns a schema of the document, without some of its fields. */
  of(name: string, ...without: string[]): Schema {
    const schema = this.inline(this.named(name));
    const fields = Object.entries(schema.properties as Schemas);
    const left = fields.filter(([field]) => !without.includes(field));
    return { ...schema, properties: Object.fromEntries(left) };
  }

  private named(name: string): Schema {
    return this.present(this.schemas[name], name);
  }

  private present<T>(part: T | undefined, name: string): T {
    if (part === undefined) {
      throw new Error(`the OpenAPI document has no ${name}`);
    }
    return part;
  }

  private inline(loose: Schema): Schema {
    const { $ref, oneOf, anyOf, allOf, properties, items, additionalProperties, ...rest } = loose;
    const kept = Object.entries(rest).filter(
      ([keyword]) => !LEFT_OUT.has(keyword) && !keyword.startsWith('x-'),
    );
    const own: Schema = Object.fromEntries(kept);
    if (typeof own.description === 'string') {
      own.description = shorten(own.description);
    }
    const target =
      typeof $ref === 'string' ? this.inline(this.named($ref.slice(SCHEMAS.length))) : {};
    const variants = [oneOf, anyOf].flatMap((list) => (list ?? []) as Schema[]);
    const parts = Array.isArray(allOf)
      ? allOf.filter(isObject).map((each) => this.inline(each))
      : [];
    return {
      ...target,
      ...(variants.length > 0 ? this.merge(variants) : {}),
      ...(parts.length > 0 ? mergeObjects(parts) : {}),
      ...own,
      ...(isObject(properties)
        ? {
            properties: Object.fromEntries(
              Object.entries(properties as Schemas).map(([name, each]) => [
                name,
                this.instead[name] ?? this.inline(each),
              ]),
            ),
          }
        : {}),
      ...(isObject(items) ? { items: this.inline(items) } : {}),
      ...(isObject(additionalProperties)
        ? { additionalProperties: this.inline(additionalProperties) }
        : additionalProperties === undefined
          ? {}
          : { additionalProperties }),
    };
  }

  private merge(variants: Schema[]): Schema {
    const inlined = variants.filter((each) => !isNull(each)).map((each) => this.inline(each));
    const objects = inlined.filter(({ properties }) => properties !== undefined);
    const others = inlined.filter(({ properties }) => properties === undefined);
    const alternatives = [...others, ...(objects.length > 0 ? [mergeObjects(objects)] : [])];
    const [only = {}, ...more] = variants.some(isNull) ? [...alternatives, NULL] : alternatives;
    return more.length === 0 ? only : { anyOf: [only, ...more] };
  }
}

/** Returns an object that has the fields of all, and requires what all require. */
function mergeObjects(objects: readonly Schema[]): Schema {
  const properties: Schemas = {};
  for (const each of objects) {
    for (const [name, schema] of Object.entries((each.properties ?? {}) as Schemas)) {
      properties[name] = mergeFields(properties[name] ?? schema, schema);
    }
  }
  const required = objects.map((each) => new Set((each.required ?? []) as string[]));
  const shared = Object.keys(properties).filter((name) => required.every((set) => set.has(name)));
  return { type: 'object', properties, required: shared, additionalProperties: false };
}

const alternativesOf = ({ anyOf, ...schema }: Schema): Schema[] =>
  Array.isArray(anyOf) ? (anyOf as Schema[]) : [schema];

/** Returns a field that takes what either one takes. */
function mergeFields(one: Schema, other: Schema): Schema {
  if (JSON.stringify(one) === JSON.stringify(other)) {
    return one;
  }
  const merged: Schema[] = [];
  for (const each of [one, other].flatMap(alternativesOf)) {
    const index = merged.findIndex(({ type }) => type === each.type);
    const same = merged[index];
    if (same === undefined) {
      merged.push(each);
    } else {
      merged[index] = mergeSameType(same, each);
    }
  }
  const [only = {}, ...more] = merged;
  return more.length === 0 ? only : { ...describe(one, other), anyOf: merged };
}

/** Returns a schema with the limits that both have. */
function mergeSameType(one: Schema, other: Schema): Schema {
  if (isObject(one.properties) && isObject(other.properties)) {
    return { ...mergeObjects([one, other]), ...describe(one, other) };
  }
  const shared = Object.entries(one).filter(
    ([keyword, value]) => JSON.stringify(value) === JSON.stringify(other[keyword]),
  );
  const values = [one, other].map((each) => (each.const === undefined ? each.enum : [each.const]));
  return {
    ...Object.fromEntries(shared),
    ...describe(one, other),
    ...(isObject(one.items) && isObject(other.items)
      ? { items: mergeFields(one.items, other.items) }
      : {}),
    ...(values.every(Array.isArray) ? { enum: [...new Set(values.flat() as unknown[])] } : {}),
  };
}

/** Returns the description that says more. */
function describe(one: Schema, other: Schema): Schema {
  const [description] = [one.description, other.description]
    .filter((each) => typeof each === 'string')
    .sort((first, second) => second.length - first.length);
  return description === undefined ? {} : { description };
}
