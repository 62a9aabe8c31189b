/** The median, the minimum and the maximum of some numbers. */
export interface Spread {
  median: number;
  least: number;
  most: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    least: at(0),
    most: at(sorted.length - 1),
  };
}
