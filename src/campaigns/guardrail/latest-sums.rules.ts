import { Kept, LogEntry, valueOf, WatchState } from './watch-state.rules';

/** What is added up of each response, from what the window keeps of it: a whole number. */
export type Addend = (value: number) => number;

/**
 * What the latest responses of a window add up to. Each response is added and the one that it
 * replaces is subtracted, so that a response costs the same however many of them count.
 */
export class LatestSums {
  /** How many responses were added up, `last` at most. */
  count: number;
  readonly sums: number[];
  /** The sum of the squares, which can be larger than what a number holds exactly. */
  squares = 0n;

  /**
   * @param last how many of the latest responses count
   * @param isSquared whether squares are added up too
   */
  constructor(
    private readonly kept: Kept,
    private readonly last: number,
    private readonly addends: readonly Addend[],
    private readonly isSquared: boolean,
    { window }: WatchState,
  ) {
    this.sums = addends.map(() => 0);
    const latest = (window[kept] ?? []).slice(-last);
    this.count = latest.length;
    for (const value of latest) {
      this.change(value ?? 0, 1);
    }
  }

  /** Adds a response, before the window remembers it. */
  add({ window }: WatchState, response: LogEntry): void {
    const values = window[this.kept] ?? [];
    this.change(valueOf(response, this.kept) ?? 0, 1);
    if (this.count < this.last) {
      this.count += 1;
    } else {
      this.change(values[values.length - this.last] ?? 0, -1);
    }
  }

  private change(value: number, sign: 1 | -1): void {
    for (let index = 0; index < this.addends.length; index += 1) {
      const term = this.addends[index]?.(value) ?? 0;
      this.sums[index] = (this.sums[index] ?? 0) + sign * term;
      if (this.isSquared) {
        this.squares += BigInt(sign * term) * BigInt(term);
      }
    }
  }
}
