import fc from 'fast-check';
import { isConditional, keyOf, shownQuestions } from '../../src/campaigns/questions/shown.rules';
import { answersFrom, questionSets } from '../support/question-sets';
import { service } from '../support/service';

describe('the functions is_shown and is_question_shown', () => {
  it('show the questions that respondents are shown', async () => {
    const sets = fc.sample(questionSets(12), 40);
    const expected: boolean[] = [];
    const conditions: unknown[] = [];
    for (const questions of sets) {
      for (let n = 0; n < 40; n += 1) {
        const answers = answersFrom(questions, n);
        const shown = shownQuestions({ questions }, answers);
        const answered = Object.fromEntries(
          answers.map(({ question, value }) => [keyOf(questions[question - 1]!, question), value]),
        );
        for (const [index, question] of questions.entries()) {
          if (isConditional(question)) {
            expected.push(shown.includes(index + 1));
            conditions.push({ question, answered });
          }
        }
      }
    }
    const rows = await service.dataSource.query<{ shown: boolean }[]>(
      `SELECT is_question_shown(c -> 'question', c -> 'answered') AS shown
       FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS s (c, position)
       ORDER BY position`,
      [JSON.stringify(conditions)],
    );
    expect(rows.map(({ shown }) => shown)).toEqual(expected);
    expect(new Set(expected)).toEqual(new Set([true, false]));
  });

  it.each([
    ['answered', undefined, undefined, false],
    ['answered', undefined, '', false],
    ['answered', undefined, false, true],
    ['not_answered', undefined, [], true],
    ['is_not', 'a', undefined, true],
    ['excludes', 'a', undefined, true],
    ['excludes', 'a', ['a', 'b'], false],
    ['includes', 'a', ['a', 'b'], true],
    ['at_least', 5, 5, true],
    ['at_least', 5, 4.99, false],
    ['at_most', 5, undefined, false],
    ['at_most', '2021-06', '2021-06', true],
    ['at_least', '2021-06', '2021-05', false],
    ['is', 'x', { row: 'x' }, true, 'row'],
    ['is', 'x', { other: 'x' }, false, 'row'],
    ['includes', 'x', { row: ['x', 'y'] }, true, 'row'],
    ['at_least', 3, { row: 4, other: 1 }, true, 'row'],
    ['not_answered', undefined, { other: 4 }, true, 'row'],
    ['not_answered', undefined, undefined, true, 'row'],
    ['answered', undefined, { row: 'x' }, true, 'row'],
  ])('decides %s %j of %j', async (op, value, given, expected, ...[row]) => {
    const condition = { question: 'k', op, value, row };
    const groups = [{ all: [condition] }, { any: [condition] }];
    for (const showIf of [
      ...groups,
      ...groups.flatMap((group) => [{ all: [group] }, { any: [group] }]),
    ]) {
      const [{ shown }] = await service.dataSource.query<[{ shown: boolean }]>(
        'SELECT is_shown($1::jsonb, $2::jsonb) AS shown',
        [showIf, given === undefined ? {} : { k: given }],
      );
      expect(shown).toBe(expected);
    }
  });
});
