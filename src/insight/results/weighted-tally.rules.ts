import { Big } from 'big.js';
import { ByCohort, COHORTS, Counting, Place, Sums, Tallied } from './tally.rules';

/** Responses that count alike, and how much. */
interface Part {
  weight: number;
  tallied: Tallied;
}

const NO_SUMS: Sums = [new Big(0), new Big(0), new Big(0)];

/** The sums over responses of several groups, each with a weight of its own. */
export class WeightedTallied extends Tallied {
  constructor(
    counting: Counting,
    private readonly parts: readonly Part[],
  ) {
    super(counting);
  }

  override of(...place: Place): ByCohort {
    return this.parts.reduce<number[]>(
      (sums, { tallied }) => {
        const amounts = tallied.of(...place);
        return sums.map((sum, cohort) => sum + (amounts[cohort] ?? 0));
      },
      COHORTS.map(() => 0),
    );
  }

  override keys(kind: string, item: string | number = ''): Iterable<string> {
    return new Set(this.parts.flatMap(({ tallied }) => [...tallied.keys(kind, item)]));
  }

  override strata(...place: Place) {
    return this.parts.flatMap(({ weight, tallied }) =>
      tallied.strata(...place).map((each) => ({ ...each, weight: weight * each.weight })),
    );
  }

  override sums(counted: Place, kind: string, item: string | number = ''): Sums {
    const all = this.parts.map(({ weight, tallied }) =>
      tallied.sums(counted, kind, item).map((each) => each.times(weight)),
    );
    return NO_SUMS.map((zero, index) =>
      all.reduce((sum, each) => sum.plus(each[index] ?? 0), zero),
    ) as unknown as Sums;
  }
}
