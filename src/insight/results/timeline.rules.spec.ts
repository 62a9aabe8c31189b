import fc from 'fast-check';
import { regrouped, timelineOf } from './timeline.rules';

const HOUR = 3_600_000;

/** Submissions, and what was paid for them in cents, by hours since 1970. */
const HOURS = fc.dictionary(
  fc.integer({ min: 400_000, max: 500_000 }).map(String),
  fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 100_000 })),
  { minKeys: 1 },
);

const timeline = (hours: Record<string, [number, number]>) =>
  timelineOf(
    new Map(Object.entries(hours).map(([hour, [submitted]]) => [hour, submitted])),
    new Map(Object.entries(hours).map(([hour, [, cents]]) => [hour, cents / 100])),
  );

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, each) => sum + each, 0);

describe('a timeline that is regrouped', () => {
  it('has no more periods than allowed, of one length, and loses nothing', () => {
    fc.assert(
      fc.property(HOURS, fc.integer({ min: 20, max: 100 }), (hours, maximum) => {
        const whole = timeline(hours);
        const found = regrouped(whole, maximum);
        const lengths = found.map(({ from, to }) => to.getTime() - from.getTime());
        const [length = HOUR] = lengths;
        expect(new Set(lengths).size).toBe(1);
        const ends = found.at(-1)!.to.getTime() - found[0]!.from.getTime();
        expect(ends / length).toBeLessThanOrEqual(maximum);
        for (const { from, to, submitted, spent } of found) {
          const within = Object.entries(hours)
            .filter(([hour]) => +hour >= +from / HOUR && +hour < +to / HOUR)
            .map(([, amounts]) => amounts);
          expect([submitted, Math.round(spent * 100)]).toEqual([
            sumOf(within.map(([responses]) => responses)),
            sumOf(within.map(([, cents]) => cents)),
          ]);
        }
        expect(sumOf(found.map(({ submitted }) => submitted))).toBe(
          sumOf(Object.values(hours).map(([submitted]) => submitted)),
        );
      }),
    );
  });

  it('begins weeks, and groups of weeks, on Monday', () => {
    for (const maximum of [60, 20, 3]) {
      const found = regrouped(
        timeline({ 480000: [1, 0], 485000: [2, 0], 489000: [3, 0] }),
        maximum,
      );
      expect(found[0]!.to.getTime() - found[0]!.from.getTime()).toBeGreaterThanOrEqual(168 * HOUR);
      expect(new Set(found.map(({ from }) => from.getUTCDay()))).toEqual(new Set([1]));
    }
  });

  it('stays as it is if it is short', () => {
    const short = timeline({ 500000: [2, 300], 500003: [1, 0] });
    expect(regrouped(short, 100)).toEqual(short);
  });
});
