import { checkOptionsFit, isChoice, QUESTION_TYPES, toStoredQuestion } from './question.rules';

const CHOICES = ['single_choice', 'multiple_choice'] as const;
const OPEN = ['descriptive', 'text'] as const;

describe('a question with options (section 2.4)', () => {
  it('is accepted as single_choice and multiple_choice only', () => {
    expect(QUESTION_TYPES.filter(isChoice)).toEqual(CHOICES);
    expect(['SINGLE_CHOICE', '', undefined, null, ['single_choice']].some(isChoice)).toBe(false);
  });

  it.each(CHOICES)(
    'has its options checked one by one as %s, even if there are too few',
    (type) => {
      expect(checkOptionsFit(type, [])).toBeUndefined();
      expect(checkOptionsFit(type, ['a', 'b'])).toBeUndefined();
    },
  );

  it.each(OPEN)('can have empty options as %s', (type) => {
    expect(checkOptionsFit(type, [])).toEqual([]);
  });

  it.each(OPEN)('is refused as %s', (type) => {
    expect(checkOptionsFit(type, ['a'])).toMatchObject([{ code: 'not_allowed' }]);
    expect(checkOptionsFit(type, [null])).toMatchObject([{ code: 'not_allowed' }]);
  });

  it.each(['single-choice', undefined, 7])(
    'has its options unchecked if its type is unknown: %s',
    (type) => {
      expect(checkOptionsFit(type, ['a', 'b'])).toEqual([]);
    },
  );

  it.each(CHOICES)('is stored with its options as %s', (type) => {
    const question = { type, question: 'Which?', options: ['a', 'b'] };
    expect(toStoredQuestion(question)).toEqual(question);
  });

  it.each(OPEN)('is stored without options, empty or absent, as %s', (type) => {
    const stored = { type, question: 'What?' };
    expect(toStoredQuestion({ ...stored, options: [] })).toStrictEqual(stored);
    expect(toStoredQuestion({ ...stored, options: undefined })).toStrictEqual(stored);
  });
});
