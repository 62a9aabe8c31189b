import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { SHOWN_FROM } from '../crosstab/suppression.rules';

/**
 * Tells which groups can be shown by themselves beside the results of all of them. A group has no
 * respondents or at least {@link SHOWN_FROM}, and so have all those together that are not shown:
 * otherwise the difference between all and the groups that are shown would be the answers of a few.
 *
 * @param sizes of groups that have no respondent in common
 */
export function groupsToShow(sizes: readonly number[]): boolean[] {
  const isShown = sizes.map((size) => size === 0 || size >= SHOWN_FROM);
  const smallest = sizes
    .map((size, index) => ({ size, index }))
    .toSorted((a, b) => a.size - b.size);
  let hidden = sumOf(sizes.filter((_, index) => isShown[index] === false));
  for (const { size, index } of smallest) {
    if (hidden > 0 && hidden < SHOWN_FROM && size >= SHOWN_FROM) {
      isShown[index] = false;
      hidden += size;
    }
  }
  return isShown;
}
