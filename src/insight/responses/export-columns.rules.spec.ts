import * as fc from 'fast-check';
import type { Question } from '../../campaigns/questions/question.types';
import type { Answer } from '../../campaigns/questions/answer.rules';
import { QuestionColumns } from './export-columns.rules';

interface VersionedQuestions {
  version: number;
  questions: Question[];
}

function columnsOf(...sets: VersionedQuestions[]): QuestionColumns {
  const columns = new QuestionColumns();
  for (const { version, questions } of sets) {
    questions.forEach((question) => columns.add(version, question));
  }
  return columns;
}

describe('the columns of question sets', () => {
  it('are shared by a question that stands at the same place in several sets', () => {
    const kept: Question = { type: 'text', question: 'Why?' };
    const columns = columnsOf(
      { version: 1, questions: [kept, { type: 'text', question: 'When?' }] },
      { version: 2, questions: [kept, { type: 'text', question: 'Where?' }] },
    );
    expect(columns.takeNames()).toEqual(['1. Why?', '2. When?', '2. Where?']);
    const answers = [
      { question: 1, value: 'a' },
      { question: 2, value: 'b' },
    ];
    expect(columns.cellsOf(answers, 1)).toEqual(['a', 'b', null]);
    expect(columns.cellsOf(answers, 2)).toEqual(['a', null, 'b']);
    expect(columns.cellsOf([], 2)).toEqual([null, null, null]);
  });

  it('are of one question each, even if the text of one reads like an option of another', () => {
    const columns = columnsOf(
      {
        version: 1,
        questions: [{ type: 'multiple_choice', question: 'Drinks?', options: ['Tea', 'Mate'] }],
      },
      { version: 2, questions: [{ type: 'text', question: 'Drinks? [Tea]' }] },
    );
    expect(columns.takeNames()).toEqual([
      '1. Drinks? [Tea]',
      '1. Drinks? [Mate]',
      '1. Drinks? [Tea] (version 2)',
    ]);
    expect(columns.cellsOf([{ question: 1, value: ['Tea'] }], 1)).toEqual([1, 0, null]);
    expect(columns.cellsOf([{ question: 1, value: '1' }], 2)).toEqual([null, null, '1']);
  });

  it('are one for each row, ranked option, text of their own and comment', () => {
    const columns = columnsOf({
      version: 1,
      questions: [
        { type: 'statement', question: 'Welcome.' },
        {
          type: 'single_choice',
          question: 'Milk?',
          options: ['Cow', { text: 'Other', key: 'other', other: true }],
          comment: true,
        },
        { type: 'ranking', question: 'Order?', options: ['a', { text: 'B', key: 'b' }, 'c'] },
        { type: 'matrix', question: 'Good?', rows: ['x', 'y'], options: ['Bad', 'Good'] },
        {
          type: 'matrix',
          question: 'Which?',
          rows: ['x', 'y'],
          options: ['m', 'n'],
          several: true,
        },
        { type: 'checkbox', question: 'Agree?' },
        { type: 'number', question: 'Cups?' },
      ],
    });
    const names = columns.takeNames();
    expect(names).toEqual([
      '2. Milk?',
      '2. Milk? (other)',
      '2. Milk? (comment)',
      '3. Order? [a]',
      '3. Order? [b]',
      '3. Order? [c]',
      '4. Good? [x]',
      '4. Good? [y]',
      '5. Which? [x] [m]',
      '5. Which? [x] [n]',
      '5. Which? [y] [m]',
      '5. Which? [y] [n]',
      '6. Agree?',
      '7. Cups?',
    ]);
    const answers: Answer[] = [
      { question: 2, value: 'other', other: 'Oat', comment: 'Always' },
      { question: 3, value: ['c', 'b'] },
      { question: 4, value: { y: 'Good' } },
      { question: 5, value: { x: ['n'] } },
      { question: 6, value: true },
    ];
    expect(columns.cellsOf(answers, 1, [7])).toEqual([
      ...['other', 'Oat', 'Always'],
      ...[null, 2, 1],
      ...[null, 'Good'],
      ...[0, 1, null, null],
      'true',
      'not_shown',
    ]);
    const hidden = columns.cellsOf([], 1, [2, 3, 4, 5, 6]);
    expect(hidden).toEqual([...names.slice(0, -1).map(() => 'not_shown'), null]);
  });

  it('tell an option that was not chosen from a question without an answer', () => {
    const drinks: Question = { type: 'multiple_choice', question: 'Which?', options: ['a', 'b'] };
    const columns = columnsOf({ version: 1, questions: [drinks] });
    expect(columns.takeNames()).toEqual(['1. Which? [a]', '1. Which? [b]']);
    expect(columns.cellsOf([{ question: 1, value: ['b'] }], 1)).toEqual([0, 1]);
    expect(columns.cellsOf([], 1)).toEqual([null, null]);
  });

  it('find an option that is not in NFC, as values are', () => {
    const cafe: Question = {
      type: 'multiple_choice',
      question: 'Which?',
      options: ['e\u0301', 'e'],
    };
    const columns = columnsOf({ version: 1, questions: [cafe] });
    expect(columns.cellsOf([{ question: 1, value: ['\u00e9'] }], 1)).toEqual([1, 0]);
  });

  it('have at most 200 characters of a question in the names of its options', () => {
    const choice = (question: string): Question => ({
      type: 'multiple_choice',
      question,
      options: ['a', 'b'],
    });
    const fits = '😀'.repeat(200);
    const long: Question = { type: 'text', question: 'x'.repeat(1_000) };
    const columns = columnsOf(
      { version: 1, questions: [choice(fits), choice(`${fits}x`), long] },
      { version: 2, questions: [choice(fits), choice(`${fits}y`), long] },
    );
    expect(columns.takeNames()).toEqual([
      `1. ${fits} [a]`,
      `1. ${fits} [b]`,
      `2. ${fits}… [a]`,
      `2. ${fits}… [b]`,
      `3. ${long.question}`,
      `2. ${fits}… [a] (version 2)`,
      `2. ${fits}… [b] (version 2)`,
    ]);
    expect(columns.cellsOf([{ question: 2, value: ['b'] }], 2)).toEqual([
      ...Array<null>(5).fill(null),
      0,
      1,
    ]);
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
        const columns = columnsOf(...versions);
        const names = columns.takeNames();
        expect(names).toHaveLength(columns.count);
        expect(new Set(names).size).toBe(columns.count);
        expect(columns.takeNames()).toEqual([]);
        for (const { version, questions } of versions) {
          const answers = questions.map(({ type, options }, index) => ({
            question: index + 1,
            value: type === 'text' ? `answer ${index}` : options,
          }));
          const cells = columns.cellsOf(answers, version);
          expect(cells).toHaveLength(columns.count);
          const expected = questions.flatMap(({ type, options }, index): (string | number)[] =>
            type === 'text' ? [`answer ${index}`] : options.map(() => 1),
          );
          expect(cells.filter((cell) => cell !== null).toSorted()).toEqual(expected.toSorted());
        }
      }),
    );
  });
});
