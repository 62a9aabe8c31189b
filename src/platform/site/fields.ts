import { isObject, Schema, Schemas, SCHEMAS } from '../openapi/json-schema';

/** A field of a body, with the fields within it. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  /** In Markdown. */
  description: string;
  /** Limits and possible values, one sentence fragment each. */
  limits: string[];
  within: Shape;
  /** The fragment of the field that shows what is within this one too. */
  sameAs?: string;
}

/** The fields of an object; `variants` are alternatives that have further fields. */
export interface Shape {
  fields: Field[];
  variants: { name: string; fields: Field[] }[];
}

/** From this many fields on, what is within a field is shown once only. */
const LARGE = 10;

const NOTHING: Shape = { fields: [], variants: [] };

/** The fragment of a field on its page. */
export function fieldId(parent: string, name: string): string {
  return `${parent}.${name.replaceAll(' ', '-')}`;
}

const fieldsIn = ({ fields, variants }: Shape): number =>
  [fields, ...variants.map((variant) => variant.fields)]
    .flat()
    .reduce((sum, { within }) => sum + 1 + fieldsIn(within), 0);

/** Returns a shape in which the same many fields within two others stand once only. */
function withoutRepeats(
  { fields, variants }: Shape,
  parent: string,
  shown = new Map<string, string>(),
): Shape {
  const once = (each: readonly Field[], above: string) =>
    each.map((field): Field => {
      const id = fieldId(above, field.name);
      const key = fieldsIn(field.within) < LARGE ? '' : JSON.stringify(field.within);
      const sameAs = shown.get(key);
      if (sameAs !== undefined) {
        return { ...field, within: NOTHING, sameAs };
      }
      if (key !== '') {
        shown.set(key, id);
      }
      return { ...field, within: withoutRepeats(field.within, id, shown) };
    });
  return {
    fields: once(fields, parent),
    variants: variants.map(({ name, fields: own }) => ({
      name,
      fields: once(own, fieldId(parent, name)),
    })),
  };
}

const list = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

/** Returns a text of the document. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads the fields of schemas. */
export class FieldReader {
  constructor(private readonly schemas: Schemas) {}

  /** Returns the fields of an object, or of the items of an array. */
  shapeOf(loose: Schema): Shape {
    const schema = this.whole(loose);
    if (isObject(schema.items)) {
      return this.shapeOf(schema.items);
    }
    if (isObject(schema.additionalProperties)) {
      return this.shapeOf(schema.additionalProperties);
    }
    const variants = list(schema.oneOf ?? schema.anyOf)
      .filter(isObject)
      .map((variant) => ({ name: nameOf(variant), fields: this.shapeOf(variant).fields }));
    return shareFields(this.fieldsOf(schema), variants);
  }

  /** Returns the {@link shapeOf} a schema as a page shows it below a fragment, without repeats. */
  shapeAt(parent: string, schema: Schema): Shape & { parent: string } {
    return { parent, ...withoutRepeats(this.shapeOf(schema), parent) };
  }

  /** The type of a value, in words. */
  typeOf(loose: Schema): string {
    const schema = this.whole(loose);
    if (isObject(schema.items)) {
      return `array of ${this.typeOf(schema.items)}${list(schema.type).includes('null') ? ' or null' : ''}`;
    }
    const types = list(schema.type);
    if (types.length === 0) {
      const names = list(schema.oneOf ?? schema.anyOf)
        .filter(isObject)
        .map((each) => this.typeOf(each));
      return [...new Set(names)].join(' or ') || 'any value';
    }
    const text = schema.format === 'date-time' ? 'time' : 'string';
    return types.map((type) => (type === 'string' ? text : String(type))).join(' or ');
  }

  /** The limits of a value, in words. */
  limitsOf(loose: Schema): string[] {
    const schema = this.whole(loose);
    const inner = isObject(schema.items) ? this.whole(schema.items) : schema;
    const values = list(inner.enum).filter((value) => value !== null);
    return [
      schema.format === 'date-time'
        ? undefined
        : range(schema.minLength, schema.maxLength, 'characters', 0),
      range(schema.minimum, schema.maximum, ''),
      range(schema.minItems, schema.maxItems, 'items', 0),
      schema.uniqueItems === true ? 'no duplicates' : undefined,
      values.length > 0
        ? `one of ${values.map((value) => `\`${textOf(value) || JSON.stringify(value)}\``).join(', ')}`
        : undefined,
      schema.default === undefined ? undefined : `\`${JSON.stringify(schema.default)}\` by default`,
    ].filter((limit) => limit !== undefined);
  }

  /** Follows references, and merges the parts of a schema. */
  whole(loose: Schema): Schema {
    const { $ref, allOf, ...own } = loose;
    const target = typeof $ref === 'string' ? this.schemas[$ref.slice(SCHEMAS.length)] : undefined;
    const parts = [target, ...list(allOf)].filter(isObject).map((part) => this.whole(part));
    const merged: Schema = Object.assign({}, ...parts, own) as Schema;
    const properties = [...parts, own].map((part) => part.properties).filter(isObject);
    const required = [...parts, own].flatMap((part) => list(part.required));
    return this.withoutNull({
      ...merged,
      ...(properties.length > 0 ? { properties: Object.assign({}, ...properties) as Schema } : {}),
      ...(required.length > 0 ? { required } : {}),
    });
  }

  /** Turns `anyOf` of something and null into a type that may be null. */
  private withoutNull(schema: Schema): Schema {
    const parts = list(schema.anyOf).filter(isObject);
    const others = parts.filter(({ type }) => type !== 'null');
    const [only] = others;
    if (parts.length !== 2 || others.length !== 1 || only === undefined) {
      return schema;
    }
    const { anyOf: _, ...rest } = schema;
    const inner = this.whole(only);
    const type = [...list(inner.type), 'null'];
    return { ...inner, ...rest, ...(inner.type === undefined ? {} : { type }) };
  }

  private fieldsOf({ properties = {}, required }: Schema): Field[] {
    return Object.entries(properties as Schemas).map(([name, schema]) => ({
      name,
      type: this.typeOf(schema),
      required: list(required).includes(name),
      description: textOf(this.whole(schema).description),
      limits: this.limitsOf(schema),
      within: this.shapeOf(schema),
    }));
  }
}

/** The name of a schema that is referred to, in words. */
function nameOf({ $ref }: Schema): string {
  const name = textOf($ref).slice(SCHEMAS.length);
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** Moves the fields that all variants have to the object itself. */
function shareFields(fields: Field[], variants: Shape['variants']): Shape {
  const [first, ...others] = variants;
  if (first === undefined) {
    return { fields, variants };
  }
  const keyOf = (field: Field) => JSON.stringify(field);
  const keys = others.map((variant) => new Set(variant.fields.map(keyOf)));
  const shared = new Set(
    first.fields.map(keyOf).filter((key) => keys.every((known) => known.has(key))),
  );
  return {
    fields: [...fields, ...first.fields.filter((field) => shared.has(keyOf(field)))],
    variants: variants
      .map(({ name, fields: own }) => ({
        name,
        fields: own.filter((field) => !shared.has(keyOf(field))),
      }))
      .filter((variant) => variant.fields.length > 0),
  };
}

function range(low: unknown, high: unknown, unit: string, trivial?: number): string | undefined {
  const number = (value: unknown) => Number(value).toLocaleString('en-US');
  const from = low === undefined || low === trivial ? undefined : number(low);
  const to = high === undefined ? undefined : number(high);
  const span =
    from !== undefined && to !== undefined
      ? from === to
        ? from
        : `${from} to ${to}`
      : from !== undefined
        ? `at least ${from}`
        : to !== undefined
          ? `at most ${to}`
          : undefined;
  return span === undefined ? undefined : `${span} ${unit}`.trim();
}
