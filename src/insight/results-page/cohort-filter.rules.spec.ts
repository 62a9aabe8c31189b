import fc from 'fast-check';
import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { SHOWN_FROM } from '../crosstab/suppression.rules';
import { groupsToShow } from './cohort-filter.rules';

describe('groups that are shown by themselves', () => {
  const sizes = fc.array(fc.oneof(fc.nat(7), fc.nat(100)), { maxLength: 5 });

  it('have no or enough respondents, and so have those that are left when they are taken out', () => {
    fc.assert(
      fc.property(sizes, (all) => {
        const shown = groupsToShow(all);
        const left = sumOf(all.filter((_, index) => !shown[index]));
        for (const size of [left, ...all.filter((_, index) => shown[index])]) {
          expect(size === 0 || size >= SHOWN_FROM || size === sumOf(all)).toBe(true);
        }
      }),
    );
  });

  it.each([
    [
      [40, 30, 20],
      [true, true, true],
    ],
    [
      [40, 0, 20],
      [true, true, true],
    ],
    [
      [40, 4, 20],
      [true, false, false],
    ],
    [
      [40, 4, 1],
      [true, false, false],
    ],
    [
      [40, 3, 1],
      [false, false, false],
    ],
    [[4], [false]],
  ])('of %j are %j', (all, expected) => {
    expect(groupsToShow(all)).toEqual(expected);
  });
});
