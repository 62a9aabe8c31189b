import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { types } from 'pg';
import { parseTime } from './stored-time';

const parseDate = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** As PostgreSQL writes times: a fraction has up to six digits and does not end in zeros. */
const written = fc
  .tuple(
    fc.date({
      min: new Date('0001-01-02T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    }),
    fc.nat({ max: 999_999 }),
    fc.constantFrom('+00', '+00', '+01', '-03:30'),
  )
  .map(([moment, microseconds, offset]) => {
    const [day, time] = moment.toISOString().slice(0, 19).split('T');
    const fraction = String(microseconds).padStart(6, '0').replace(/0+$/, '');
    return `${day} ${time}${fraction === '' ? '' : '.'}${fraction}${offset}`;
  });

describe('a time of the database', () => {
  it('is the date that it names, to the millisecond, and printed as every date is', () => {
    fc.assert(
      fc.property(written, (text) => {
        const expected = parseDate(text);
        const time = parseTime(text);
        expect(time.getTime()).toBe(expected.getTime());
        expect(JSON.stringify(time)).toBe(JSON.stringify(expected));
        expect(time.toISOString()).toBe(expected.toISOString());
        expect(isDeepStrictEqual(time, expected)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00.1+00', '2026-01-31T12:00:00.100Z'],
    ['2026-01-31 12:00:00.123456+00', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31 12:00:00.000999+00', '2026-01-31T12:00:00.000Z'],
    ['10000-01-31 12:00:00+00', '+010000-01-31T12:00:00.000Z'],
    ['0050-01-31 12:00:00+00', '0050-01-31T12:00:00.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ])('%s is %s', (text, printed) => {
    expect(JSON.stringify(parseTime(text))).toBe(`"${printed}"`);
  });

  it.each([
    '31/01/2026 12:00:00.123456 UTC',
    '31.01.2026 12:00:00 UTC',
    'Sat Jan 31 12:00:00 2026 UTC',
    'soon',
    '',
  ])('is an error, not null, in another format: %j', (text) => {
    expect(() => parseTime(text)).toThrow('a time in an unknown format');
  });

  it('is infinite where the database says so', () => {
    expect(parseTime('infinity')).toBe(Infinity);
  });
});
