import { accept, refuse } from '../../../../test/support/validate';
import { DecimalParameter, WordsParameter } from './query.fields';

class Sample {
  @WordsParameter({ values: ['a.one', 'two'], example: 'two' })
  words?: string;

  @DecimalParameter({ minimum: 0, maximum: 10, places: 2 })
  score?: number;
}

describe('a decimal number', () => {
  it('has no more digits than it may, and no exponent', async () => {
    for (const [score, value] of [
      ['0', 0],
      ['7.25', 7.25],
      ['10.0', 10],
    ] as const) {
      expect(await accept(Sample, { score })).toMatchObject({ score: value });
    }
    for (const [score, code] of [
      ['7.255', 'too_precise'],
      ['-0.01', 'too_small'],
      ['10.01', 'too_large'],
      ['1e1', 'invalid_type'],
      ['', 'invalid_type'],
      [' 5', 'invalid_type'],
      ['0x5', 'invalid_type'],
    ]) {
      expect(await refuse(Sample, { score })).toEqual([`score ${code}`]);
    }
  });
});

describe('words separated by commas', () => {
  it('are from the closed list', async () => {
    for (const words of ['two', 'a.one', 'a.one,two,two', ' two ']) {
      expect(await accept(Sample, { words })).toMatchObject({ words: words.trim() });
    }
    for (const words of ['', ',', 'two,', ',two', 'two, two', 'a-one', 'three', 5, ['two']]) {
      expect(await refuse(Sample, { words })).toEqual(['words not_allowed']);
    }
    expect(await refuse(Sample, { words: 'two,'.repeat(300) + 'two' })).toEqual([
      'words not_allowed',
    ]);
  });
});
