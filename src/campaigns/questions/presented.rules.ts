import { servedLanguage, translated } from './languages.rules';
import { pagesOf } from './question-set.rules';
import type { Question, SetContent } from './question.types';
import { keyOf } from './shown.rules';
import { isFixed, shuffled } from './shuffle.rules';

/** A set as one respondent sees it. */
export interface PresentedSet {
  /** In their positions, whatever the order; texts and options as they are shown. */
  questions: readonly Question[];
  /** The language of the texts; `null` if the set does not say. */
  language: string | null;
  /** The positions, from 1, in the order in which to show them; `null` if that is their own. */
  order: number[] | null;
}

/**
 * Returns a set as a respondent sees it: in the language that fits best, shuffled, and without the
 * right answers.
 *
 * @param wanted the language that the respondent reads, in its canonical form
 * @param seedOf 16 bytes that depend on the respondent and a name, and decide the order of what has
 *   that name
 */
export function present(
  set: SetContent,
  wanted: string | undefined,
  seedOf: (name: string) => Buffer,
): PresentedSet {
  const language = servedLanguage(set, wanted);
  const translation = language === null ? undefined : set.translations?.[language];
  const questions =
    translation === undefined ? set.questions : translated(set.questions, translation);
  return {
    questions: questions
      .map(withoutCorrect)
      .map((question, index) =>
        'shuffle' in question && question.shuffle === true
          ? withShuffledOptions(question, seedOf(`options ${keyOf(question, index + 1)}`))
          : question,
      ),
    language,
    order: orderOf(set, seedOf),
  };
}

/** A question without its right answer. */
function withoutCorrect(question: Question): Question {
  if (!('correct' in question)) {
    return question;
  }
  const { correct: _, ...others } = question;
  return others;
}

function withShuffledOptions(question: Question, seed: Buffer): Question {
  if (question.type === 'matrix') {
    return { ...question, rows: shuffled(question.rows, seed, isFixed) };
  }
  return 'options' in question
    ? { ...question, options: shuffled(question.options, seed, isFixed) }
    : question;
}

function orderOf(
  { questions, sections }: SetContent,
  seedOf: (name: string) => Buffer,
): number[] | null {
  const names = new Set(
    (sections ?? []).filter(({ shuffle }) => shuffle === true).map(({ section }) => section),
  );
  if (names.size === 0) {
    return null;
  }
  const pageOf = pagesOf(questions);
  const byPage = new Map<number, number[]>();
  pageOf.forEach((page, index) => {
    byPage.set(page, [...(byPage.get(page) ?? []), index + 1]);
  });
  return [...byPage].flatMap(([page, positions]) => {
    const { section } = questions[(positions[0] ?? 1) - 1] ?? {};
    return section !== undefined && names.has(section)
      ? shuffled(positions, seedOf(`section ${page}`))
      : positions;
  });
}
