import fc from 'fast-check';
import { accept, refuse } from '../../../../test/support/validate';
import { Money, MONEY_MAXIMUM } from './number.fields';
import { Timestamp } from './timestamp.field';

class Amounts {
  @Money({ minimum: 0, optional: true, example: 1 })
  cohort?: number;

  @Money({ minimum: 0.01, optional: true, example: 1 })
  reward?: number;

  @Money({ minimum: 1, whole: true, optional: true, example: 1 })
  whole?: number;
}

describe('an amount of money', () => {
  it('accepts every whole cent up to 1,000,000,000 unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: MONEY_MAXIMUM * 100 }), async (cents) => {
        const cohort = Number(`${cents}e-2`);
        expect(await accept(Amounts, { cohort })).toMatchObject({ cohort });
      }),
    );
  });

  it('refuses every value between two cents', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 999_999_999_999 }).filter((mills) => mills % 10 !== 0),
        async (mills) => {
          expect(await refuse(Amounts, { cohort: Number(`${mills}e-3`) })).toEqual([
            'cohort too_precise',
          ]);
        },
      ),
    );
  });

  it.each([
    [0.1 + 0.2, 'too_precise'],
    [0.005, 'too_precise'],
    [1e-7, 'too_precise'],
    [Number.MIN_VALUE, 'too_precise'],
    [999_999_999.999, 'too_precise'],
    [NaN, 'too_precise'],
    [-0.01, 'too_small'],
    [-1e300, 'too_small'],
    [MONEY_MAXIMUM + 0.01, 'too_large'],
    [1e300, 'too_large'],
    ['5', 'invalid_type'],
    [true, 'invalid_type'],
    [[5], 'invalid_type'],
  ])('refuses %j: %s', async (cohort, code) => {
    expect(await refuse(Amounts, { cohort })).toEqual([`cohort ${code}`]);
  });

  it.each([0, -0, 0.01, 1.1, 1.15, 4.35, 1e9])('accepts %d', async (cohort) => {
    expect(await accept(Amounts, { cohort })).toMatchObject({ cohort });
  });

  it.each([0, -0, 0.005, 1e-7, -5])('refuses as a reward: %d', async (reward) => {
    expect(await refuse(Amounts, { reward })).toEqual(['reward too_small']);
  });

  it('accepts one cent as a reward', async () => {
    expect(await accept(Amounts, { reward: 0.01 })).toMatchObject({ reward: 0.01 });
  });

  it.each([
    [1.5, 'not_an_integer'],
    [1.005, 'not_an_integer'],
    [0.99, 'not_an_integer'],
    [0, 'too_small'],
    [1_000_000_001, 'too_large'],
  ])('refuses as a reward at creation: %d', async (whole, code) => {
    expect(await refuse(Amounts, { whole })).toEqual([`whole ${code}`]);
  });
});

class Expiry {
  @Timestamp({ future: true, example: '2099-12-31T23:59:59Z' })
  at!: Date;
}

class Range {
  @Timestamp({ roundUp: true })
  before!: Date;
}

describe('a time in the future', () => {
  it.each([
    ['2096-02-29T00:00:00Z', '2096-02-29T00:00:00.000Z'],
    ['2099-01-31T12:00:00.123Z', '2099-01-31T12:00:00.123Z'],
    ['2099-01-31T12:00:00.123999999Z', '2099-01-31T12:00:00.123Z'],
    ['2099-01-31T23:59:59-11:30', '2099-02-01T11:29:59.000Z'],
    ['2099-01-01T00:00:00+14:00', '2098-12-31T10:00:00.000Z'],
    ['2099-01-01T00:00:00-23:59', '2099-01-01T23:59:00.000Z'],
    ['2099-01-01T23:59:00+23:59', '2099-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
  ])('accepts %s as the moment %s', async (at, moment) => {
    expect(await accept(Expiry, { at })).toMatchObject({ at: new Date(moment) });
  });

  it.each([
    ['a day that no month has', '2099-02-31T00:00:00Z'],
    ['29 February of a common year', '2097-02-29T00:00:00Z'],
    ['31 April with an offset', '2099-04-31T00:00:00+02:00'],
    ['month 13', '2099-13-01T00:00:00Z'],
    ['month 0', '2099-00-01T00:00:00Z'],
    ['day 0', '2099-01-00T00:00:00Z'],
    ['24:00', '2099-01-01T24:00:00Z'],
    ['minute 60', '2099-01-01T00:60:00Z'],
    ['second 60', '2099-06-30T23:59:60Z'],
    ['an offset of a day', '2099-01-01T00:00:00+24:00'],
    ['a moment of the year 10000', '9999-12-31T23:59:59-00:01'],
    ['a year of six digits', '+010000-01-01T00:00:00Z'],
    ['no zone', '2099-01-01T00:00:00'],
    ['no time', '2099-01-01'],
    ['words', 'tomorrow'],
    ['a number in a string', '4102444800'],
    ['nothing', ''],
    ['a NUL', '2099-01-01T00:00:00Z\0'],
  ])('refuses %s', async (_, at) => {
    expect(await refuse(Expiry, { at })).toEqual(['at invalid_timestamp']);
  });

  it('refuses a time in the past and a number', async () => {
    expect(await refuse(Expiry, { at: '2020-01-01T00:00:00Z' })).toEqual(['at in_the_past']);
    expect(await refuse(Expiry, { at: '0000-01-01T00:00:00Z' })).toEqual(['at invalid_timestamp']);
    expect(await refuse(Expiry, { at: 4_102_444_800 })).toEqual(['at invalid_type']);
  });

  it.each([
    ['2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00.123000Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31T12:00:00.1230001Z', '2026-01-31T12:00:00.124Z'],
    ['2026-01-31T23:59:59.9999+00:30', '2026-01-31T23:30:00.000Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
  ])('ends a range before %s at the millisecond %s', async (before, moment) => {
    expect(await accept(Range, { before })).toMatchObject({ before: new Date(moment) });
  });

  it('accepts every time that a Date can represent up to the year 9999', async () => {
    const min = new Date('2090-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59.999Z');
    await fc.assert(
      fc.asyncProperty(fc.date({ min, max, noInvalidDate: true }), async (date) => {
        expect(await accept(Expiry, { at: date.toISOString() })).toBeDefined();
      }),
    );
  });
});
