import fc from 'fast-check';
import { accept, refuse } from '../../../../test/support/validate';
import { findWrongFields, toInstance } from '../dto-rules';
import { Flag, OneOf } from './choice.fields';
import { WholeNumber } from './number.fields';
import { Email, Secret, Text } from './text.fields';
import { isVisible, normalizeText } from './unicode';
import { HttpUrl } from './url.field';

class Sample {
  @Text({ maximum: 5, optional: true })
  text?: string;

  @Text({ maximum: 5, optional: true, nullable: true })
  clearable?: string | null;

  @Secret(3, 5)
  secret = 'abc';

  @WholeNumber({ minimum: 1, maximum: 10, optional: true })
  count?: number;

  @Flag({ optional: true })
  flag?: boolean;

  @OneOf(['one', 'two'], 'Word', { optional: true })
  word?: string;
}

class Long {
  @Text({ maximum: 5_000, optional: true })
  text?: string;

  @Secret(3, 128)
  secret = 'abc';
}

class Required {
  @Text({ maximum: 5 })
  text!: string;

  @Flag()
  flag!: boolean;
}

describe('an absent field or null', () => {
  it('is refused where the field is required', async () => {
    expect(await accept(Sample, {})).toMatchObject({ secret: 'abc' });
    expect(await refuse(Required, {})).toEqual(['text required', 'flag required']);
  });

  it('is refused as null, except where null clears the field', async () => {
    expect(await refuse(Required, { text: null, flag: null })).toEqual([
      'text null_not_allowed',
      'flag null_not_allowed',
    ]);
    expect(await refuse(Sample, { text: null, count: null, word: null })).toEqual([
      'text null_not_allowed',
      'count null_not_allowed',
      'word null_not_allowed',
    ]);
    expect(await accept(Sample, { clearable: null })).toMatchObject({ clearable: null });
  });
});

describe('text', () => {
  it('is trimmed before it is measured', async () => {
    expect(await accept(Sample, { text: ' \t\n\u00a0 12345 \r\n' })).toMatchObject({
      text: '12345',
    });
    expect(await refuse(Sample, { text: ' \t\n\u00a0\u2003\ufeff' })).toEqual(['text empty']);
    expect(await refuse(Sample, { text: '' })).toEqual(['text empty']);
  });

  it('is in NFC before it is measured and compared (UAX #15)', async () => {
    expect(await accept(Sample, { text: 'Cafe\u0301s' })).toMatchObject({ text: 'Caf\u00e9s' });
    expect(await accept(Sample, { text: '\u1112\u1161\u11ab' })).toMatchObject({ text: '\ud55c' });
    expect(await accept(Sample, { secret: 'a\u030aa\u030aa\u030a' })).toMatchObject({
      secret: '\u00e5\u00e5\u00e5',
    });
    expect(await refuse(Sample, { text: '\u0958'.repeat(3) })).toEqual(['text too_long']);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 5 }), async (text) => {
        const stored: { text: string } = await accept(Sample, { text }).catch(() => ({ text: '' }));
        expect(stored.text).toBe(stored.text.normalize('NFC'));
        if (stored.text !== '') {
          const decomposed = text.normalize('NFD');
          expect(await accept(Sample, { text: decomposed })).toMatchObject(stored);
        }
      }),
    );
  });

  it('has \\n for \\r\\n and \\r', async () => {
    expect(await accept(Sample, { text: 'a\r\nb\rc' })).toMatchObject({ text: 'a\nb\nc' });
    expect(await accept(Sample, { text: '1\r\n\r\n2' })).toMatchObject({ text: '1\n\n2' });
    expect(await accept(Sample, { secret: 'a\r\nb' })).toMatchObject({ secret: 'a\r\nb' });
  });

  it('has at most 30 combining marks in a row, which take quadratic time to sort', async () => {
    expect(await accept(Long, { text: `a${'\u0316\u0301'.repeat(15)}` })).toBeDefined();
    const marks = '\u0301'.repeat(31);
    expect(await refuse(Long, { text: `a${marks}` })).toEqual(['text invalid_characters']);
    expect(await refuse(Long, { secret: marks })).toEqual(['secret invalid_characters']);
    const many = '\u0301\u0316'.repeat(1_000_000);
    expect(await refuse(Long, { text: many, secret: many })).toEqual([
      'text too_long',
      'secret too_long',
    ]);
  });

  it.each([
    '\u200b',
    '\u00ad\u2060 \ufeff',
    '\u3164',
    '\u034f\ufe0f',
    '\u202e',
    '\u{e0041}',
    '\u0001',
  ])('is empty if nothing of it is visible: %j', async (text) => {
    expect(await refuse(Sample, { text })).toEqual(['text empty']);
    expect(await accept(Sample, { text: `${text}x`.slice(-5) })).toBeDefined();
  });

  it('is measured in code points, as in PostgreSQL', async () => {
    expect(await accept(Sample, { text: '😀'.repeat(5) })).toMatchObject({ text: '😀'.repeat(5) });
    expect(await refuse(Sample, { text: '😀'.repeat(6) })).toEqual(['text too_long']);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), async (text) => {
        const stored = normalizeText(text.trim());
        fc.pre(isVisible(stored) && !stored.includes('\0'));
        const outcome = accept(Sample, { text });
        await ([...stored].length <= 5
          ? expect(outcome).resolves.toMatchObject({ text: stored })
          : expect(outcome).rejects.toMatchObject({ details: [{ code: 'too_long' }] }));
      }),
    );
  });

  it.each(['a\0', '\0', '\ud800', 'a\udc00b', '\udc00\ud800', '😀\ud83d'])(
    'is refused if PostgreSQL cannot store it: %j',
    async (text) => {
      expect(await refuse(Sample, { text })).toEqual(['text invalid_characters']);
      expect(await refuse(Sample, { secret: text })).toEqual(['secret invalid_characters']);
    },
  );

  it.each(['a\u0001', 'a\u007f', '\ufffe', 'a\nb', '\u{10ffff}', '\ud83d\udc68\u200d\ud83d\udc69'])(
    'is accepted unchanged if PostgreSQL can store it: %j',
    async (text) => {
      expect(await accept(Sample, { text })).toMatchObject({ text });
    },
  );

  it.each([[5], [true], [['a']], [{}], [NaN]])('is not coerced from %j', async (text) => {
    expect(await refuse(Sample, { text })).toEqual(['text invalid_type']);
    expect(await refuse(Sample, { secret: text })).toEqual(['secret invalid_type']);
  });
});

describe('a secret', () => {
  it('is accepted unchanged, whitespace included', async () => {
    expect(await accept(Sample, { secret: '   ' })).toMatchObject({ secret: '   ' });
  });

  it.each([
    ['', 'empty'],
    ['ab', 'too_short'],
    ['😀😀', 'too_short'],
    ['123456', 'too_long'],
  ])('reports %j as %s', async (secret, code) => {
    expect(await refuse(Sample, { secret })).toEqual([`secret ${code}`]);
  });
});

describe('a whole number, flag or word, without coercion', () => {
  it.each([
    [1.5, 'not_an_integer'],
    [NaN, 'too_precise'],
    [0, 'too_small'],
    [11, 'too_large'],
    ['5', 'invalid_type'],
    [true, 'invalid_type'],
  ])('refuses %j as a whole number from 1 to 10', async (count, code) => {
    expect(await refuse(Sample, { count })).toEqual([`count ${code}`]);
  });

  it.each([1, 10])('accepts %j as a whole number from 1 to 10', async (count) => {
    expect(await accept(Sample, { count })).toMatchObject({ count });
  });

  it.each(['true', 'false', 0, 1, '', [true]])('refuses %j as a flag', async (flag) => {
    expect(await refuse(Sample, { flag })).toEqual(['flag invalid_type']);
  });

  it.each(['ONE', '', 1, ['one'], 'toString'])('refuses %j as a word of the list', async (word) => {
    expect(await refuse(Sample, { word })).toEqual(['word not_allowed']);
  });
});

class Addresses {
  @Email('a@example.com')
  email = 'a@example.com';

  @HttpUrl({ optional: true, nullable: true })
  url?: string | null;
}

describe('an email field', () => {
  it.each([
    'a@example.com',
    'First.Last+tag@sub.example.co.uk',
    "o'neil@example.org",
    'a@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', async (email) => {
    expect(await accept(Addresses, { email: ` ${email} ` })).toMatchObject({ email });
  });

  it.each([
    'a',
    '@example.com',
    'a@',
    'a@localhost',
    'a@example.c',
    'a@-example.com',
    'a@example-.com',
    'a@example..com',
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a b@example.com',
    'a@b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'ä@example.com',
    'a@127.0.0.1',
  ])('refuses %j', async (email) => {
    expect(await refuse(Addresses, { email })).toEqual(['email invalid_email']);
  });

  it('accepts at most 254 characters', async () => {
    const ofLength = (length: number) => `${'a'.repeat(length - 12)}@example.com`;
    expect(await accept(Addresses, { email: ofLength(254) })).toBeDefined();
    expect(await refuse(Addresses, { email: ofLength(255) })).toEqual(['email too_long']);
  });
});

describe('a URL field', () => {
  it.each([
    'https://example.com',
    'http://localhost:3000/a?b=c#d',
    'HTTPS://EXAMPLE.COM/A',
    'https://my_bucket.s3.example.com/x',
    'https://xn--bcher-kva.example/',
    'https://bücher.example/',
    'https://例え.テスト/道',
    'https://example.com./',
    'http://127.0.0.1/',
    'http://[2001:db8::1]:8080/x',
    'https://example.com?q=ü',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %.60s', async (url) => {
    expect(await accept(Addresses, { url: `\n${url} ` })).toMatchObject({ url });
  });

  it.each([
    'example.com',
    '//example.com',
    '/a',
    'https:example.com',
    'https:///example.com',
    'https://',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://exa mple.com',
    'https://example.com/a b',
    'https://example.com/\u0001',
    'https://example.com\\@evil.example',
    'https://user:password@example.com',
    'https://example.com:65536',
    'https://example.com:x',
    'https://256.256.256.256/',
    'http://[::1/',
    'http://[:::1]/',
    'https://xn--/',
    'https://a\u00adb\u2028.example',
  ])('refuses %j', async (url) => {
    expect(await refuse(Addresses, { url })).toEqual(['url invalid_url']);
  });

  it.each([
    'https://user:password@example.com',
    'https://user@example.com/a',
    'http://@example.com',
  ])('names the user name or password in %j', async (url) => {
    await expect(accept(Addresses, { url })).rejects.toThrow(
      'url must not contain a user name or password.',
    );
  });

  it('accepts at most 2,048 characters', async () => {
    const url = `https://example.com/${'a'.repeat(2029)}`;
    expect(await refuse(Addresses, { url })).toEqual(['url too_long']);
  });

  it('is judged alike by the 50,000th call, which V8 has compiled', () => {
    const isValid = (url: string) =>
      findWrongFields(toInstance(Addresses, { email: 'a@example.com', url })).length === 0;
    const verdicts = new Set<string>();
    for (let call = 0; call < 50_000; call += 1) {
      const valid = isValid('https://m\u00fcnchen.example/');
      // An error takes far longer than a URL.
      const invalid = call % 100 === 0 && isValid('https://\u00c3\u00a8.example/x.png');
      verdicts.add(`${valid} ${invalid}`);
    }
    expect([...verdicts]).toEqual(['true false']);
  });
});
