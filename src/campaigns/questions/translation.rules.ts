import { Problem, problem } from '../../platform/validation/fields/field';
import { beginsSection, scaleOf } from './languages.rules';
import { identityOf, optionsIn, rowsIn } from './option.rules';
import type { Question, QuestionTranslation, SetContent } from './question.types';

/**
 * Returns what is wrong with the translations of a set, with paths from the request.
 *
 * @param positions the position of each question, from 1, by its key
 */
export function checkTranslations(
  { language, translations, questions }: SetContent,
  positions: ReadonlyMap<string, number>,
): Problem[] {
  if (translations === null) {
    return [];
  }
  if (language === null) {
    return problem('required', 'is required with translations', 'language');
  }
  return Object.entries(translations).flatMap(([tag, byKey]) => {
    const at = `translations.${tag}`;
    if (tag === language) {
      return problem('duplicate', 'is the language of the questions themselves', at);
    }
    return Object.entries(byKey).flatMap(([key, translation]) => {
      const position = positions.get(key);
      return position === undefined
        ? problem('not_allowed', 'is not the key of a question', `${at}.${key}`)
        : checkTranslation(questions, position - 1, translation, `${at}.${key}`);
    });
  });
}

function checkTranslation(
  questions: readonly Question[],
  index: number,
  translation: QuestionTranslation,
  at: string,
): Problem[] {
  const question = questions[index];
  if (question === undefined) {
    return [];
  }
  const scale = scaleOf(question);
  const exists: Readonly<Record<keyof QuestionTranslation, boolean>> = {
    question: true,
    section: beginsSection(questions, index),
    options: optionsIn(question).length > 0,
    rows: rowsIn(question).length > 0,
    min_label: scale?.min_label !== undefined,
    max_label: scale?.max_label !== undefined,
    unit: 'unit' in question && question.unit !== undefined,
  };
  const fields = Object.keys(translation) as (keyof QuestionTranslation)[];
  return fields.flatMap((field) => {
    if (!exists[field]) {
      return problem(
        'not_allowed',
        field === 'section'
          ? 'is only for the first question of a section'
          : 'must not be there, because the question has nothing of the kind',
        `${at}.${field}`,
      );
    }
    if (field !== 'options' && field !== 'rows') {
      return [];
    }
    const options = field === 'rows' ? rowsIn(question) : optionsIn(question);
    const known = new Set(options.map(identityOf));
    return Object.keys(translation[field] ?? {})
      .filter((key) => !known.has(key))
      .flatMap((key) =>
        problem(
          'not_allowed',
          'is neither the key nor the text of one of them',
          `${at}.${field}[${JSON.stringify(key.slice(0, 100))}]`,
        ),
      );
  });
}
