import {
  between,
  counted,
  decimal,
  duration,
  evenly,
  listed,
  percent,
  tickName,
} from './figures.rules';

describe('figures', () => {
  it('have a dash in place of what does not exist', () => {
    expect([decimal(null), percent(undefined), duration(null), between(null, percent)]).toEqual(
      Array(4).fill('–'),
    );
  });

  it('are rounded and grouped, whatever the language of the machine', () => {
    expect(decimal(21034.567)).toBe('21,034.57');
    expect([decimal(-0.004), decimal(-0.5)]).toEqual(['0', '-0.5']);
    expect(percent(0.6041)).toBe('60.4%');
    expect(between([0.55, 0.6549], percent)).toBe('55.0% to 65.5%');
  });

  it.each([
    [0.01, '0.01 s'],
    [119, '119 s'],
    [120, '2 min 0 s'],
    [179.6, '3 min 0 s'],
    [3_700, '61 min 40 s'],
  ])('show %s seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text);
  });

  it('of a column have as many decimals as one of them needs', () => {
    const written = (...values: number[]) => values.map(evenly(values));
    expect(written(1, 2, 1_000)).toEqual(['1', '2', '1,000']);
    expect(written(1, 2.5, -0.04)).toEqual(['1.00', '2.50', '-0.04']);
    expect(written(0, 0.2, 0.4)).toEqual(['0.0', '0.2', '0.4']);
    expect(evenly([null])(null)).toBe('–');
  });

  it('join words as a sentence does', () => {
    expect([[], [3], [3, 4], [3, 4, 5]].map(listed)).toEqual(['', '3', '3 and 4', '3, 4 and 5']);
    expect([counted(1, 'answer'), counted(0, 'answer')]).toEqual(['1 answer', '0 answers']);
  });

  it.each([
    ['2026-11-22T18:00:00Z', 1, '18:00'],
    ['2026-11-22T00:00:00Z', 4, '22 Nov'],
    ['2026-11-01T00:00:00Z', 400, 'Nov 2026'],
  ])('name the tick %s of an axis of %s days %s', (time, days, text) => {
    expect(tickName(new Date(time), days * 86_400_000)).toBe(text);
  });
});
