import { sampleQuantile } from './quantile.rules';

const once = (...values: number[]) => values.map((value) => ({ value, count: 1 }));

describe('a sample quantile', () => {
  // R: quantile(x, c(0.25, 0.5, 0.75))
  it.each([
    [once(1, 2, 3, 4), [1.75, 2.5, 3.25]],
    [once(1, 2, 3, 4, 5), [2, 3, 4]],
    // mtcars$mpg without its repeated values' order: summary() gives 15.43, 19.20 and 22.80.
    [
      [
        [10.4, 2],
        [13.3, 1],
        [14.3, 1],
        [14.7, 1],
        [15, 1],
        [15.2, 2],
        [15.5, 1],
        [15.8, 1],
        [16.4, 1],
        [17.3, 1],
        [17.8, 1],
        [18.1, 1],
        [18.7, 1],
        [19.2, 2],
        [19.7, 1],
        [21, 2],
        [21.4, 2],
        [21.5, 1],
        [22.8, 2],
        [24.4, 1],
        [26, 1],
        [27.3, 1],
        [30.4, 2],
        [32.4, 1],
        [33.9, 1],
      ].map(([value = 0, count = 0]) => ({ value, count })),
      [15.425, 19.2, 22.8],
    ],
    [once(7), [7, 7, 7]],
  ])('is what R computes of %j', (values, expected) => {
    const found = [0.25, 0.5, 0.75].map((part) => sampleQuantile(values, part));
    expected.forEach((each, index) => {
      expect(found[index]).toBeCloseTo(each, 9);
    });
  });

  it('does not exist without values', () => {
    expect(sampleQuantile([], 0.5)).toBeNull();
    expect(sampleQuantile([{ value: 3, count: 0 }], 0.5)).toBeNull();
  });

  it('counts values with their weights', () => {
    const weighted = [
      { value: 1, count: 0.5 },
      { value: 2, count: 2.5 },
    ];
    expect(sampleQuantile(weighted, 0.5)).toBe(2);
    expect(sampleQuantile(weighted, 0)).toBe(1);
  });
});
