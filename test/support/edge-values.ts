import fc from 'fast-check';
import type { Requests, Schema } from './schema-requests';

/*
 * Requests with a time or a number at the edge of what the service or PostgreSQL accepts, for every
 * time and number in a schema.
 */

/** A place in a value: the names of fields and the positions in arrays that lead to it. */
export type Place = readonly (string | number)[];

const isTime = ({ format }: Schema) => format === 'date-time';
const isNumber = ({ type }: Schema) =>
  [type].flat().some((each) => each === 'integer' || each === 'number');

/** Whether values of a schema are times or numbers. */
export const isMeasured = (schema: Schema) => isTime(schema) || isNumber(schema);

const variantsOf = (make: Requests, given: Schema): Schema[] => {
  const schema = make.resolve(given);
  return schema.oneOf === undefined
    ? [schema]
    : (schema.oneOf as Schema[]).map((each) => make.resolve(each));
};

/** Every time and number in a schema, each with the schema of its values. */
export function measuredPlaces(make: Requests, given: Schema): [Place, Schema][] {
  return variantsOf(make, given).flatMap((schema) => {
    if (isMeasured(schema)) {
      return [[[], schema] as [Place, Schema]];
    }
    const parts: [string | number, Schema][] =
      schema.items === undefined ? Object.entries(schema.properties ?? {}) : [[0, schema.items]];
    return parts.flatMap(([name, part]) =>
      measuredPlaces(make, part).map(([place, found]): [Place, Schema] => [
        [name, ...place],
        found,
      ]),
    );
  });
}

/** Without its optional fields, an object has room for another one. */
const onlyRequired = (value: object, { required = [] }: Schema): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name)));

const partAt = ({ items, properties }: Schema, next: string | number): Schema | undefined =>
  typeof next === 'number' ? items : properties?.[next];

/** Whether values of a schema can have a place. */
function reaches(make: Requests, given: Schema, [next, ...rest]: Place): boolean {
  return (
    next === undefined ||
    variantsOf(make, given).some((schema) => {
      const part = partAt(schema, next);
      return part !== undefined && reaches(make, part, rest);
    })
  );
}

/** Returns a function that puts a value in a place of one value of a schema. */
export function placing(
  make: Requests,
  given: Schema,
  [next, ...rest]: Place,
  name = '',
): (value: unknown) => unknown {
  if (next === undefined) {
    return (value) => value;
  }
  const schema = variantsOf(make, given).find((each) => {
    const part = partAt(each, next);
    return part !== undefined && reaches(make, part, rest);
  })!;
  const [value] = fc.sample(make.allowed(schema, name), 1);
  const base = schema.maxProperties === undefined ? value : onlyRequired(value, schema);
  const inner = partAt(schema, next)!;
  const within = placing(make, inner, rest, String(next));
  return (edge) => {
    const part = within(edge);
    if (!Array.isArray(base)) {
      return { ...(base as object), [next]: part };
    }
    const others = base.slice(1);
    return [part, ...(schema.uniqueItems ? others.filter((each) => each !== part) : others)];
  };
}

const two = (max: number, min = 0) => fc.integer({ min, max }).map((n) => `${n}`.padStart(2, '0'));

/** Times as RFC 3339 allows them, most of which no other test sends. */
const ANY_TIME = fc
  .tuple(
    fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 2090, max: 2098 })),
    fc.tuple(two(12, 1), two(28, 1), two(23), two(59), two(59)),
    fc.constantFrom('', '.1', '.123', '.9996', '.123456789'),
    fc.oneof(
      fc.constant('Z'),
      fc
        .tuple(fc.constantFrom('+', '-'), two(23), two(59))
        .map(([sign, h, m]) => `${sign}${h}:${m}`),
    ),
  )
  .map(
    ([year, [month, day, hour, minute, second], fraction, zone]) =>
      `${`${year}`.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`,
  );

const TIMES = [
  '0001-01-01T00:00:00Z',
  '0001-01-02T00:00:00+00:01',
  '0001-01-02T00:00:00-23:59',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59.9996-00:00',
  '9999-12-31T00:00:00-23:59',
  '2098-06-30T12:00:00+16:00',
  '2098-06-30T12:00:00-16:00',
  '2096-02-29T23:59:59.123456789+23:59',
];

/** The borders of PostgreSQL's types and of a double, and what rounds to another number. */
const NUMBERS = [-0, 0.005, 1e-7, 5e-324, 32_768, 2_147_483_648, 99_999_999.995, 2 ** 53, 2 ** 63];

/** Values at the edges of a time's or a number's schema. */
export function edgesOf(schema: Schema): (string | number)[] {
  if (isTime(schema)) {
    return [...TIMES, ...fc.sample(ANY_TIME, 3)];
  }
  const { minimum, maximum, 'x-decimal-places': places = 0 } = schema;
  const unit = 10 ** -Number(places);
  const within = NUMBERS.filter((each) => each > minimum && each < maximum);
  return [minimum, maximum, minimum - unit, maximum + unit, ...within];
}
