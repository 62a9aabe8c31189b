import { Big } from 'big.js';
import type { TallyRow } from '../results/tally.rules';

/** Sums by column, added up from portions. */
export class Amounts {
  /** By column, then by kind and item, then by key: the amounts of the five cohorts. */
  private readonly columns = new Map<string, Map<string, Map<string, Big[]>>>();
  /** How many amounts there are. */
  size = 0;

  get names(): string[] {
    return [...this.columns.keys()];
  }

  add(column: string, { kind, item, keys, amounts }: TallyRow): void {
    const places = this.columns.get(column) ?? new Map<string, Map<string, Big[]>>();
    this.columns.set(column, places);
    const place = JSON.stringify([kind, item]);
    const found = places.get(place) ?? new Map<string, Big[]>();
    places.set(place, found);
    for (const [index, byCohort] of amounts.split(',').entries()) {
      const key = String(keys[index]);
      const added = byCohort.split(' ').map((each) => new Big(each));
      const before = found.get(key);
      this.size += before === undefined ? 1 : 0;
      found.set(key, before?.map((each, cohort) => each.plus(added[cohort] ?? 0)) ?? added);
    }
  }

  /** The rows of a column, as the tally has them. */
  *rowsOf(column: string): Generator<TallyRow> {
    for (const [place, found] of this.columns.get(column) ?? []) {
      const [kind, item] = JSON.parse(place) as [string, string];
      const amounts = [...found.values()].map((each) => each.map((n) => n.toFixed()).join(' '));
      yield { kind, item, keys: [...found.keys()], amounts: amounts.join() };
    }
  }
}
