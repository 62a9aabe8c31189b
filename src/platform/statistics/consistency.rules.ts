/**
 * How many of the triads of one respondent are circular: a is preferred to b, b to c, and c to a.
 *
 * Source: M. G. Kendall and B. Babington Smith, On the method of paired comparisons, Biometrika 31
 * (1940), 324–345: k(k − 1)(2k − 1)/12 − ½ Σ wins².
 *
 * @param wins how often the respondent preferred each image; every pair was compared once
 */
export function circularTriads(wins: readonly number[]): number {
  const { length: k } = wins;
  const squares = wins.reduce((sum, each) => sum + each * each, 0);
  return (k * (k - 1) * (2 * k - 1)) / 12 - squares / 2;
}

/** The most circular triads that comparisons of all pairs of so many images can have. */
export function circularMaximum(images: number): number {
  const least = images % 2 === 0 ? 4 : 1;
  return (images * (images * images - least)) / 24;
}

/**
 * Kendall's coefficient of consistence: 1 − circular/possible. It is 1 if no respondent contradicts
 * themselves, and 0 if all do as much as is possible. It is linear, so the coefficient of the mean
 * number of circular triads is the mean of the respondents' coefficients.
 *
 * @param circular circular triads of all responses; with weights, the weighted sum
 * @param responses the number of responses; with weights, their sum
 * @returns `null` below 3 images, and without responses
 */
export function consistency(circular: number, responses: number, images: number): number | null {
  const possible = responses * circularMaximum(images);
  return possible > 0 ? 1 - circular / possible : null;
}
