import { Big } from 'big.js';
import fc from 'fast-check';
import { ApiError } from './api-error';
import { MIB } from '../limits/body-limit';
import { parseJsonBody } from './json-body';

const parse = (text: string): any => parseJsonBody(Buffer.from(text));

function refusal(body: string | Buffer): ApiError {
  try {
    parseJsonBody(Buffer.from(body as string));
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).code).toBe('malformed_json');
    return error as ApiError;
  }
  throw new Error('the body was accepted');
}

/** The whole part of a JSON number: digits without leading zeros. */
const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,29})$/);

const decimalLiteral = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^[0-9]{1,30}$/)),
    fc.option(fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent ?? ''}`,
  );

describe('numbers in a request body', () => {
  const closeToDouble = fc
    .tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('', '0', '00', '1'))
    .map(([value, more]) =>
      /^-?\d+\.\d+$/.test(String(value)) ? `${value}${more}` : JSON.stringify(value),
    );

  it('are exactly what was sent, and NaN where a double cannot be: never silently another number', () => {
    fc.assert(
      fc.property(fc.oneof(decimalLiteral, closeToDouble), (literal) => {
        const { amount } = parse(`{"amount":${literal}}`);
        const value = Number(literal);
        // A double stands for the shortest decimal that reads back as it.
        const isExact = Number.isFinite(value) && new Big(value).eq(literal);
        expect(amount).toBe(isExact ? value : NaN);
      }),
      { numRuns: 3000 },
    );
  });

  it('are accepted with up to 15 significant digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.nat(15), (whole, places) => {
        const literal = new Big(`${whole}e-${places}`).toFixed(places);
        expect(parse(`[${literal}]`)).toEqual([Number(literal)]);
      }),
    );
  });

  it.each([
    '0.1000000000000000055511151231257827',
    '9007199254740993',
    '100.00000000000000001',
    '1e400',
    '-1e400',
    '1e-400',
    '1e-999999999',
    `1e-${'9'.repeat(5000)}`,
    '0.'.padEnd(400, '0') + '1',
  ])('are parsed as NaN if a double would be another number: %.40s', (literal) => {
    expect(parse(`{"amount":${literal}}`)).toEqual({ amount: NaN });
  });

  it.each([
    ['100.00000000000000000', 100],
    ['1E2', 100],
    ['2.50e1', 25],
    ['0e999999999', 0],
    ['9007199254740992', 9_007_199_254_740_992],
  ])('are exact in every notation: %s', (literal, value) => {
    expect(parse(literal)).toBe(value);
  });
});

describe('JSON of a request body', () => {
  const shallow = fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' });

  it('is parsed as JSON.parse parses it', () => {
    fc.assert(
      fc.property(shallow, (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is parsed as JSON.parse parses it, beside a number that needs a closer look', () => {
    fc.assert(
      fc.property(shallow, (value) => {
        const text = JSON.stringify(value);
        expect(parse(`[1.50e1,${text}]`)).toEqual([15, JSON.parse(text)]);
      }),
    );
  });

  it('is the same beside an inexact number', () => {
    fc.assert(
      fc.property(shallow, (value) => {
        const text = JSON.stringify(value);
        expect(parse(`[0.1000000000000000055,${text},1e400]`)).toEqual([
          NaN,
          JSON.parse(text),
          NaN,
        ]);
      }),
    );
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'has a field with the name of a built-in member as its own: %s',
    (name) => {
      for (const text of [`{"${name}":1}`, `{"${name}":1e400}`]) {
        const body = parse(text);
        expect(Object.keys(body)).toEqual([name]);
        expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
      }
    },
  );

  it('does not count brackets, quotes and backslashes inside strings as nesting', () => {
    const value = { title: '[{"\\'.repeat(50), description: '\\\\"' };
    expect(parse(JSON.stringify(value))).toEqual(value);
  });

  it('can begin with a byte-order mark', () => {
    expect(parse('\ufeff{"a":"\ufeff"}')).toEqual({ a: '\ufeff' });
    expect(parse('\ufeff[1e400]')).toEqual([NaN]);
  });

  it('is undefined where the body is empty', () => {
    expect(parse('')).toBeUndefined();
    expect(parse('\ufeff')).toBeUndefined();
  });
});

describe('a request body that is refused as malformed_json', () => {
  it.each([
    ...[' ', '{', '{"a":1,}', "{'a':1}", '[01]', '[NaN]', 'undefined', '{} {}', '\ufeff\ufeff{}'],
    ...[
      '"',
      '"\\',
      '"\\"',
      '{"a":"}',
      '[1e5.5]',
      '[00000000000000000001]',
      '[1.0.00000000000000001]',
    ],
    ...[
      '[-]',
      '[1e]',
      '[--0000000000000000001]',
      '[+00000000000000000001]',
      '[0x1234567890123456]',
    ],
    `[${'1'.repeat(200)}e]`,
  ])('is no JSON: %.60j', (text) => {
    expect(refusal(text).message).toBe('The request body is not valid JSON.');
  });

  it.each([
    ['a stray byte', [0x22, 0xff, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a character that is cut off', [0x22, 0xe2, 0x82, 0x22]],
  ])('is not UTF-8: %s', (_, bytes) => {
    expect(refusal(Buffer.from(bytes)).message).toBe('The request body is not valid UTF-8.');
  });

  it('is nested deeper than 16 levels', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parse(nested(16))).toBeDefined();
    expect(refusal(nested(17)).message).toContain('16 levels');
    expect(refusal(nested(MIB)).message).toContain('16 levels');
    expect(refusal('['.repeat(2 * MIB)).message).toContain('16 levels');
    expect(refusal('['.repeat(16)).message).toContain('not valid JSON');
    expect(refusal(']'.repeat(2 * MIB)).message).toContain('not valid JSON');
  });

  it.each([
    '{"a":1,"b":2,"a":3}',
    '{"a":1,"\\u0061":1}',
    '{"__proto__":1,"__proto__":2}',
    '[{"a":{"b":[{"c":1,"c":2e0}]}}]',
    '[{"0":1,"0":1e400}]',
  ])('repeats a member of an object: %s', (text) => {
    expect(refusal(text).message).toContain('two members of the same name');
  });

  it('is nested too deeply in a repeated field', () => {
    const deep = '['.repeat(500_000) + ']'.repeat(500_000);
    expect(refusal(`{"a":${deep},"a":1e0}`).message).toContain('16 levels');
  });

  it('has so many fields that parsing them would delay other requests', () => {
    const fields = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, 1])));
    expect(Object.keys(parse(fields(1999)))).toHaveLength(1999);
    expect(refusal(fields(120_000)).message).toContain('more fields or entries');
  });

  it('has so many objects, arrays or entries that parsing them would delay other requests', () => {
    const array = (item: string, count: number) => `[${Array(count).fill(item).join()}]`;
    expect(parse(array('0', 50_000))).toHaveLength(50_000);
    expect(refusal(array('0', 50_001)).message).toContain('more fields or entries');
    expect(refusal(array('{}', 120_000)).message).toContain('more fields or entries');
    expect(refusal(array('[]', 120_000)).message).toContain('more fields or entries');
  });

  it('is not the largest possible set of questions (100 questions of 250 options)', () => {
    const options = Array.from({ length: 250 }, (_, i) => `option ${i}`);
    const questions = Array(100).fill({ type: 'single_choice', question: 'Which?', options });
    expect(parse(JSON.stringify({ post_id: 'p', questions })).questions).toHaveLength(100);
  });
});
