export type Matrix = readonly (readonly number[])[];

/** The product of a matrix and a vector. */
export function times(matrix: Matrix, vector: readonly number[]): number[] {
  return matrix.map((row) => dot(row, vector));
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, each, index) => sum + each * at(b, index), 0);
}

/** The inverse of a symmetric, positive definite matrix, by elimination (Gauss and Jordan). */
export function inverse(matrix: Matrix): number[][] {
  const size = matrix.length;
  const work = matrix.map((row, index) => {
    const extended = new Float64Array(2 * size);
    extended.set(row);
    extended[size + index] = 1;
    return extended;
  });
  for (const [pivot, row] of work.entries()) {
    const divisor = row[pivot] ?? 1;
    for (let column = 0; column < row.length; column++) {
      row[column] = (row[column] ?? 0) / divisor;
    }
    for (const other of work) {
      const factor = other === row ? 0 : (other[pivot] ?? 0);
      for (let column = 0; factor !== 0 && column < row.length; column++) {
        other[column] = (other[column] ?? 0) - factor * (row[column] ?? 0);
      }
    }
  }
  return work.map((row) => Array.from(row.subarray(size)));
}

/** The sum of matrices of the same size, at least one, each times its weight. */
export function weightedSum(terms: readonly [weight: number, matrix: Matrix][]): number[][] {
  const [, first] = terms[0] ?? [0, []];
  return first.map((row, i) =>
    row.map((_, j) => sumOf(terms.map(([weight, matrix]) => weight * at(rowOf(matrix, i), j)))),
  );
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** An entry that exists. */
export function at(vector: readonly number[], index: number): number {
  return vector[index] ?? 0;
}

export function rowOf(matrix: Matrix, index: number): readonly number[] {
  return matrix[index] ?? [];
}
