import fc from 'fast-check';
import { MONEY_MAXIMUM } from '../../platform/validation/fields/number.fields';
import { defaultCohortRewards, toDecimal } from './cohort-ladder.rules';

const MAXIMUM_CENTS = BigInt(MONEY_MAXIMUM) * 100n;

const decimal = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Any valid reward, in cents; small amounts and the bounds are as likely as large ones. */
const rewardCents = fc.oneof(
  fc.bigInt({ min: 1n, max: 1000n }),
  fc.bigInt({ min: 1n, max: MAXIMUM_CENTS }),
  fc.constant(MAXIMUM_CENTS),
);

/** A percentage in whole cents, rounded half up: the rule in integer arithmetic. */
function share(cents: bigint, percent: bigint): string {
  return decimal((cents * percent + 50n) / 100n);
}

it('stores every amount with its two places', () => {
  fc.assert(
    fc.property(rewardCents, (cents) => {
      expect(toDecimal(Number(decimal(cents)))).toBe(decimal(cents));
    }),
    { numRuns: 2000 },
  );
});

describe('the default ladder of cohort rewards (section 2.3)', () => {
  it('pays 100, 80, 60 and 40 percent of the reward, rounded half up, and a fixed 3', () => {
    fc.assert(
      fc.property(rewardCents, (cents) => {
        expect(defaultCohortRewards(decimal(cents), 'EUR')).toEqual([
          '3.00',
          share(cents, 40n),
          share(cents, 60n),
          share(cents, 80n),
          decimal(cents),
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the notation of the reward', () => {
    const written = defaultCohortRewards('5.50', 'EUR');
    expect(defaultCohortRewards('5.5', 'EUR')).toEqual(written);
    expect(defaultCohortRewards('5.500', 'EUR')).toEqual(written);
  });

  it.each([
    ['100', '40.00', '60.00', '80.00', '100.00'],
    ['0.01', '0.00', '0.01', '0.01', '0.01'],
    // 0.4 * 0.11 = 0.044, 0.6 * 0.11 = 0.066 and 0.8 * 0.11 = 0.088
    ['0.11', '0.04', '0.07', '0.09', '0.11'],
    ['99.99', '40.00', '59.99', '79.99', '99.99'],
    ['1000000000', '400000000.00', '600000000.00', '800000000.00', '1000000000.00'],
  ])('computes for %s: %s, %s, %s and %s', (reward, second, third, fourth, fifth) => {
    expect(defaultCohortRewards(reward, 'EUR')).toEqual(['3.00', second, third, fourth, fifth]);
  });
});
