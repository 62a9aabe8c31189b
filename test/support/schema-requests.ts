import fc from 'fast-check';
import { isVisible, toNfc } from '../../src/platform/validation/fields/unicode';

/*
 * Values that a schema of the OpenAPI document allows, and values that it forbids, for the keywords
 * that the document uses. The test itself handles cross-field rules, which JSON Schema cannot
 * express.
 */

export interface Schema extends Record<string, any> {
  minLength?: number;
  maxLength: number;
  minimum: number;
  maximum: number;
  minItems?: number;
  maxItems: number;
  pattern?: string;
}

export interface Document {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, any>>;
}

/** Values for a field that no schema can know, such as a stored identifier. */
export type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** The beginning of the patterns that most texts match. */
const TEXT = '^[^';

const NOT_BLANK = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const URLS = fc
  .tuple(
    fc.constantFrom('http', 'https', 'HTTPS'),
    fc.constantFrom(
      'example.com',
      'my_bucket.example',
      '127.0.0.1',
      '[2001:db8::1]',
      'bücher.example',
      'x.y:8080',
    ),
    fc.constantFrom('', '/', '/a?b=c#d', '/%20', '?q=ü'),
  )
  .map(([scheme, host, rest]) => `${scheme}://${host}${rest}`);
const MOMENTS = fc
  .date({ min: new Date('2090-01-01'), max: new Date('2098-01-01'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom('Z', '+00:00', '-11:30').map((zone) => date.toISOString().replace('Z', zone)),
  );

const matchingTexts = new Map<string, fc.Arbitrary<string>>();

/** Texts that match a pattern. fast-check takes tens of milliseconds to make this of a pattern. */
function matching(pattern: string, maxLength: number): fc.Arbitrary<string> {
  const key = `${maxLength} ${pattern}`;
  const texts = matchingTexts.get(key) ?? fc.stringMatching(new RegExp(pattern), { maxLength });
  matchingTexts.set(key, texts);
  return texts;
}

export class Requests {
  constructor(
    private readonly document: Document,
    private readonly known: Known,
  ) {}

  resolve(schema: Schema): Schema {
    return schema.$ref === undefined
      ? schema
      : this.document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]!;
  }

  /** Values that a schema allows. */
  allowed(given: Schema, name = ''): fc.Arbitrary<any> {
    const known = this.known[name];
    if (known !== undefined) {
      return known;
    }
    const schema = this.resolve(given);
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices !== undefined) {
      return fc.oneof(...(choices as Schema[]).map((each) => this.allowed(each)));
    }
    if (schema.enum !== undefined) {
      return fc.constantFrom(...schema.enum);
    }
    const [type, ...others] = [schema.type].flat() as string[];
    const value = this.ofType(type!, schema);
    return others.includes('null') ? fc.option(value, { nil: null }) : value;
  }

  private ofType(type: string, schema: Schema): fc.Arbitrary<unknown> {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.oneof(
          fc.integer({ min: schema.minimum, max: schema.maximum }),
          fc.constantFrom(schema.minimum, schema.maximum),
        );
      case 'number':
        return this.decimals(schema);
      case 'string':
        return this.strings(schema);
      case 'array':
        return this.arrays(schema);
      default:
        return this.objects(schema);
    }
  }

  private decimals({ minimum, maximum, 'x-decimal-places': places = 0 }: Schema) {
    const unit = 10 ** places;
    return fc
      .integer({ min: Math.round(minimum * unit), max: Math.round(maximum * unit) })
      .map((units) => Number((units / unit).toFixed(places)));
  }

  private strings({ format, pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<string> {
    if (String(pattern).includes('[Hh][Tt][Tt][Pp]')) {
      return URLS;
    }
    switch (format) {
      case 'email':
        return fc.uuid().map((id) => `${id}@example.com`);
      case 'date-time':
        return MOMENTS;
    }
    if (maxLength === 0) {
      return fc.constant('');
    }
    if (pattern !== undefined && !pattern.startsWith(TEXT)) {
      return matching(pattern, Math.min(maxLength, minLength + 50)).filter(
        (text) => text.length >= minLength && text.length <= maxLength,
      );
    }
    const fits = (text: string) =>
      [...text].length >= minLength &&
      (pattern === undefined || new RegExp(pattern, 'u').test(text));
    return (
      fc
        .oneof(
          NOT_BLANK,
          fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 20) }),
          fc.constantFrom(
            'x'.repeat(maxLength),
            '😀'.repeat(maxLength),
            'x'.repeat(Math.max(minLength, 1)),
          ),
        )
        .filter((text) => fits(text) && [...text].length <= maxLength)
        // No schema says what is visible, and how long a text is in NFC.
        .filter(
          (text) => isVisible(text) && fits(toNfc(text)) && [...toNfc(text)].length <= maxLength,
        )
    );
  }

  private arrays({ items, minItems = 0, maxItems, uniqueItems }: Schema) {
    const limits = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
    const item = this.allowed(items);
    // Strings are compared after trimming and in NFC; images by their URL, options by their name.
    const selector = (each: any) =>
      typeof each === 'string' ? toNfc(each.trim()) : (each.url ?? each.key ?? each.text ?? each);
    const byUrl = this.resolve(items).properties?.url !== undefined;
    return uniqueItems === true || byUrl
      ? fc.uniqueArray(byUrl ? this.images(items) : item, { ...limits, selector })
      : fc.array(item, limits);
  }

  /** Enough distinct URLs. */
  private images(items: Schema) {
    return fc
      .tuple(this.allowed(items), fc.nat())
      .map(([image, n]) => ({ ...image, url: `https://example.com/${n}` }));
  }

  private objects({
    properties = {},
    required = [],
    minProperties = 0,
    maxProperties = Infinity,
  }: Schema) {
    const members = Object.entries<Schema>(properties).map(
      ([name, property]) => [name, this.allowed(property, name)] as const,
    );
    return fc.record(Object.fromEntries(members), { requiredKeys: required }).filter((value) => {
      const { length } = Object.keys(value);
      return length >= minProperties && length <= maxProperties;
    });
  }

  /** Values that a schema forbids, each with the mistake it contains. */
  forbidden(given: Schema): fc.Arbitrary<{ value: unknown; wrong: string }> {
    const schema = this.resolve(given);
    const choices: Schema[] = schema.oneOf ?? schema.anyOf ?? [schema];
    const parts = choices.map((each) => this.resolve(each));
    const wrong: [string, fc.Arbitrary<unknown>][] = parts.flatMap((part) => this.wrongOnes(part));
    const types = parts.flatMap(({ type }) => type as string | string[] | undefined);
    const others = {
      string: 'x',
      number: 5,
      boolean: true,
      array: ['x'],
      object: { x: 1 },
      null: null,
    };
    for (const [type, value] of Object.entries(others)) {
      const fits = types.includes(type) || (type === 'number' && types.includes('integer'));
      if (!fits) {
        wrong.push([`a ${type}`, fc.constant(value)]);
      }
    }
    return fc.oneof(
      ...wrong.map(([what, values]) => values.map((value) => ({ value, wrong: what }))),
    );
  }

  /** Values of a schema's own type that it forbids. */
  private wrongOnes(schema: Schema): [string, fc.Arbitrary<unknown>][] {
    const wrong: [string, fc.Arbitrary<unknown>][] = [];
    const types = [schema.type].flat() as (string | undefined)[];
    if (schema.enum !== undefined) {
      wrong.push(['no word of the list', NOT_BLANK.filter((text) => !schema.enum.includes(text))]);
    } else if (types.includes('string')) {
      wrong.push(...this.wrongStrings(schema));
    }
    if (types.includes('integer') || types.includes('number')) {
      wrong.push(...this.wrongNumbers(schema, types.includes('integer')));
    }
    if (types.includes('array')) {
      wrong.push(...this.wrongArrays(schema));
    }
    if (types.includes('object')) {
      wrong.push(['wrong within', this.forbiddenBody(schema).map(({ value }) => value)]);
    }
    return wrong;
  }

  private wrongStrings({
    minLength,
    maxLength,
    pattern,
  }: Schema): [string, fc.Arbitrary<unknown>][] {
    const matches = new RegExp(pattern ?? '', 'u');
    return [
      ...((minLength ?? 0) > 0
        ? [['empty', fc.constant('')] as [string, fc.Arbitrary<unknown>]]
        : []),
      ['too long', fc.nat(20).map((more) => 'x'.repeat(maxLength + 1 + more))],
      ...(pattern === undefined
        ? []
        : [
            [
              'of another pattern',
              fc
                .oneof(
                  fc.constantFrom(' ', '\n\t', 'a\0', '\0', 'http://', '2099-02-30'),
                  fc.string(),
                )
                // Surrounding whitespace is trimmed before the pattern is checked.
                .filter((text) => !matches.test(text) && !matches.test(text.trim())),
            ] as [string, fc.Arbitrary<unknown>],
          ]),
    ];
  }

  private wrongNumbers(
    { minimum, maximum, 'x-decimal-places': places }: Schema,
    whole: boolean,
  ): [string, fc.Arbitrary<unknown>][] {
    const precise = Number(`0.${'0'.repeat(Number(places ?? 0))}1`) + minimum;
    const limits: [string, fc.Arbitrary<unknown>][] = [
      ['too small', fc.integer({ min: 1, max: 1e6 }).map((n) => minimum - n)],
      ['too large', fc.integer({ min: 1, max: 1e6 }).map((n) => maximum + n)],
    ];
    if (whole) {
      return [...limits, ['not whole', fc.constantFrom(1.5, 2.25)]];
    }
    return places === undefined ? limits : [...limits, ['too precise', fc.constant(precise)]];
  }

  private wrongArrays({
    items,
    minItems = 0,
    maxItems,
    uniqueItems,
  }: Schema): [string, fc.Arbitrary<unknown>][] {
    const one = this.allowed(items);
    // Few are drawn, since there may be thousands; texts are numbered, so that they differ.
    const of = (length: number) =>
      fc
        .array(one, { minLength: 1, maxLength: 3 })
        .map((few) =>
          Array.from({ length }, (_, index) =>
            typeof few[0] === 'string' ? `${index}` : few[index % few.length],
          ),
        );
    return [
      ...(minItems > 0 ? [['too few', of(minItems - 1)] as [string, fc.Arbitrary<unknown>]] : []),
      ['too many', of(maxItems + 1)],
      ...(uniqueItems === true
        ? [['twice the same', one.map((each) => [each, each])] as [string, fc.Arbitrary<unknown>]]
        : []),
      [
        'a wrong entry',
        this.forbidden(items).map(({ value }) => Array(Math.max(minItems, 1)).fill(value)),
      ],
    ];
  }

  /** Strings that a parameter's schema forbids. */
  forbiddenText(given: Schema): fc.Arbitrary<{ value: string; wrong: string }> {
    const schema = this.resolve(given);
    const wrong: [string, fc.Arbitrary<unknown>][] =
      schema.type === 'boolean'
        ? [['no flag', fc.constantFrom('yes', '1', 'TRUE', '')]]
        : schema.type === 'integer'
          ? [
              ['no whole number', fc.constantFrom('x', '1.5', '', '1e1')],
              ...this.wrongNumbers(schema, true),
            ]
          : schema.enum !== undefined
            ? [['no word of the list', NOT_BLANK.filter((text) => !schema.enum.includes(text))]]
            : this.wrongStrings(schema);
    return fc.oneof(
      ...wrong.map(([what, values]) =>
        values.map((value) => ({ value: String(value), wrong: what })),
      ),
    );
  }

  /** Objects with fewer fields than a schema requires, and with more than it allows. */
  private wrongCounts({ properties, required = [], minProperties, maxProperties }: Schema) {
    const members = Object.entries<Schema>(properties).map(
      ([name, property]) => [name, this.allowed(property, name)] as const,
    );
    const of = (names: readonly string[]) =>
      fc.record(Object.fromEntries(members.filter(([name]) => names.includes(name))));
    return [
      ...(minProperties > required.length ? [of(required)] : []),
      ...(maxProperties < members.length ? [of(members.map(([name]) => name))] : []),
    ];
  }

  /** Bodies that an object schema forbids in one place. */
  forbiddenBody(given: Schema): fc.Arbitrary<{ value: unknown; wrong: string }> {
    const schema = this.resolve(given);
    if (schema.oneOf !== undefined) {
      return fc.oneof(...(schema.oneOf as Schema[]).map((each) => this.forbiddenBody(each)));
    }
    if (schema.properties === undefined) {
      return this.forbidden(schema.additionalProperties).map(({ value, wrong }) => ({
        value: { name: value },
        wrong: `an entry: ${wrong}`,
      }));
    }
    const body = this.allowed(schema);
    const properties = Object.entries<Schema>(schema.properties);
    const breaks = [
      ...((schema.required ?? []) as string[]).map((name) =>
        body.map(({ [name]: _, ...value }) => ({ value, wrong: `without ${name}` })),
      ),
      ...properties.map(([name, property]) =>
        fc.tuple(body, this.forbidden(property)).map(([value, { value: bad, wrong }]) => ({
          value: { ...value, [name]: bad },
          wrong: `${name}: ${wrong}`,
        })),
      ),
      body.map((value) => ({ value: { ...value, unknown_field: 1 }, wrong: 'an unknown field' })),
      ...this.wrongCounts(schema).map((values) =>
        values.map((value) => ({ value, wrong: 'too few or too many fields' })),
      ),
      fc.constantFrom(null, [], 'text', 5).map((value) => ({ value, wrong: 'no object' })),
    ];
    return fc.oneof(...breaks);
  }
}
