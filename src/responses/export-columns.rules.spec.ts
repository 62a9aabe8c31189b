import * as fc from 'fast-check';
import type { Question } from '../questions/question.rules';
import { questionColumns } from './export-columns.rules';

describe('the columns of question sets', () => {
  it('are shared by a question that stands at the same place in several sets', () => {
    const kept: Question = { type: 'text', question: 'Why?' };
    const { names, cellsOf } = questionColumns([
      { version: 1, questions: [kept, { type: 'text', question: 'When?' }] },
      { version: 2, questions: [kept, { type: 'text', question: 'Where?' }] },
    ]);
    expect(names).toEqual(['1. Why?', '2. When?', '2. Where?']);
    const answers = [
      { question: 1, value: 'a' },
      { question: 2, value: 'b' },
    ];
    expect(cellsOf(answers, 1)).toEqual(['a', 'b', null]);
    expect(cellsOf(answers, 2)).toEqual(['a', null, 'b']);
    expect(cellsOf([], 2)).toEqual([null, null, null]);
  });

  it('are of one question each, even if the text of one reads like an option of another', () => {
    const { names, cellsOf } = questionColumns([
      {
        version: 1,
        questions: [{ type: 'multiple_choice', question: 'Drinks?', options: ['Tea', 'Mate'] }],
      },
      { version: 2, questions: [{ type: 'text', question: 'Drinks? [Tea]' }] },
    ]);
    expect(names).toEqual([
      '1. Drinks? [Tea]',
      '1. Drinks? [Mate]',
      '1. Drinks? [Tea] (version 2)',
    ]);
    expect(cellsOf([{ question: 1, value: ['Tea'] }], 1)).toEqual([1, 0, null]);
    expect(cellsOf([{ question: 1, value: '1' }], 2)).toEqual([null, null, '1']);
  });

  it('tell an option that was not chosen from a question without an answer', () => {
    const drinks: Question = { type: 'multiple_choice', question: 'Which?', options: ['a', 'b'] };
    const { names, cellsOf } = questionColumns([{ version: 1, questions: [drinks] }]);
    expect(names).toEqual(['1. Which? [a]', '1. Which? [b]']);
    expect(cellsOf([{ question: 1, value: ['b'] }], 1)).toEqual([0, 1]);
    expect(cellsOf([], 1)).toEqual([null, null]);
  });

  it('have unique names, and a cell for each of them', () => {
    const text = fc.string({ minLength: 1, maxLength: 3 });
    const question = fc.record({
      type: fc.constantFrom('text' as const, 'multiple_choice' as const),
      question: text,
      options: fc.uniqueArray(text, { minLength: 2, maxLength: 4 }),
    });
    const sets = fc.array(fc.array(question, { minLength: 1, maxLength: 4 }), { maxLength: 3 });
    fc.assert(
      fc.property(sets, (each) => {
        const versions = each.map((questions, index) => ({ version: index + 1, questions }));
        const { names, cellsOf } = questionColumns(versions);
        expect(new Set(names).size).toBe(names.length);
        for (const { version, questions } of versions) {
          const answers = questions.map(({ type, options }, index) => ({
            question: index + 1,
            value: type === 'text' ? `answer ${index}` : options,
          }));
          const cells = cellsOf(answers, version);
          expect(cells).toHaveLength(names.length);
          const expected = questions.flatMap(({ type, options }, index): (string | number)[] =>
            type === 'text' ? [`answer ${index}`] : options.map(() => 1),
          );
          expect(cells.filter((cell) => cell !== null).toSorted()).toEqual(expected.toSorted());
        }
      }),
    );
  });
});
