import { checkOptionsFit, isChoice, QUESTION_TYPES, toStoredQuestion } from './question';

const CHOICES = ['single_choice', 'multiple_choice'] as const;
const OPEN = ['descriptive', 'text'] as const;

describe('the options of a question (section 2.4)', () => {
  it('are what single_choice and multiple_choice, and no others, are answered with', () => {
    expect(QUESTION_TYPES.filter(isChoice)).toEqual(CHOICES);
    expect(['SINGLE_CHOICE', '', undefined, null, ['single_choice']].some(isChoice)).toBe(false);
  });

  it.each(CHOICES)('are looked at one by one for %s, however few', (type) => {
    expect(checkOptionsFit(type, [])).toBeUndefined();
    expect(checkOptionsFit(type, ['a', 'b'])).toBeUndefined();
  });

  it.each(OPEN)('may be empty for %s', (type) => {
    expect(checkOptionsFit(type, [])).toEqual([]);
  });

  it.each(OPEN)('must not be given for %s', (type) => {
    expect(checkOptionsFit(type, ['a'])).toMatchObject([{ code: 'not_allowed' }]);
    expect(checkOptionsFit(type, [null])).toMatchObject([{ code: 'not_allowed' }]);
  });

  it.each(['single-choice', undefined, 7])('are not judged by a type that is wrong: %s', (type) => {
    expect(checkOptionsFit(type, ['a', 'b'])).toEqual([]);
  });

  it.each(CHOICES)('are stored with a %s question', (type) => {
    const question = { type, question: 'Which?', options: ['a', 'b'] };
    expect(toStoredQuestion(question)).toEqual(question);
  });

  it.each(OPEN)('are not stored with a %s question, empty or absent', (type) => {
    const stored = { type, question: 'What?' };
    expect(toStoredQuestion({ ...stored, options: [] })).toStrictEqual(stored);
    expect(toStoredQuestion({ ...stored, options: undefined })).toStrictEqual(stored);
  });
});
