import { accept, refuse } from '../../../test/support/validate';
import { WordsParameter } from './query.fields';

class Sample {
  @WordsParameter({ values: ['a.one', 'two'], example: 'two' })
  words?: string;
}

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
