import { toStoredQuestion } from './question.rules';
import type { Question } from './question.types';

const CHOICES = ['single_choice', 'multiple_choice'] as const;
const OPEN = ['descriptive', 'text'] as const;

const stored = (question: object) => toStoredQuestion(question as Question);

describe('a question is stored', () => {
  it.each(CHOICES)('with its options as %s (section 2.4)', (type) => {
    const question = { type, question: 'Which?', options: ['a', 'b'] };
    expect(stored(question)).toStrictEqual(question);
  });

  it.each(OPEN)('without options, empty or absent, as %s (section 2.4)', (type) => {
    const question = { type, question: 'What?' };
    expect(stored({ ...question, options: [] })).toStrictEqual(question);
    expect(stored({ ...question, options: undefined })).toStrictEqual(question);
  });

  it('without what is a default', () => {
    const question = { type: 'multiple_choice', question: 'Which?', options: ['a', 'b'] };
    const sent = { required: true, shuffle: false, comment: false, minimum_choices: 1 };
    expect(stored({ ...question, ...sent })).toStrictEqual(question);
  });

  it('with options that are only a text as texts', () => {
    const options: object[] = [
      { text: 'a' },
      { text: 'b', other: false },
      { text: 'c', key: 'c', fixed: true },
    ];
    expect(stored({ type: 'ranking', question: 'Which?', options })).toStrictEqual({
      type: 'ranking',
      question: 'Which?',
      options: ['a', 'b', options[2]],
    });
  });

  it('with a complete scale', () => {
    const question = { type: 'rating', question: 'How?', scale: { max: 5 } };
    expect(stored(question)).toStrictEqual({ ...question, scale: { min: 0, max: 5, step: 1 } });
  });

  it('as it is stored already', () => {
    const question = stored({
      type: 'matrix',
      question: 'How?',
      rows: [{ text: 'Taste', key: 'taste' }, 'Price'],
      scale: { min: 1, max: 5 },
      required: false,
      show_if: { any: [{ question: 'q1', op: 'answered' }] },
    });
    expect(stored(question)).toStrictEqual(question);
  });
});
