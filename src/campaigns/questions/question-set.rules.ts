import { sumOf } from '../../platform/statistics/linear-algebra.rules';
import { placed, Problem, problem } from '../../platform/validation/fields/field';
import { checkCondition } from './condition.rules';
import { beginsSection } from './languages.rules';
import { logicOf } from './logic.rules';
import { cellsOf } from './option.rules';
import { findPaths } from './paths.rules';
import { keysIn } from './piping.rules';
import { CELLS_MAXIMUM, Question, Section, SetContent } from './question.types';
import { isConditional, keyOf } from './shown.rules';
import { checkTranslations } from './translation.rules';

/** Maximum number of conditions in a set. */
const SET_CONDITIONS_MAXIMUM = 15_000;

/**
 * Returns what is wrong with a set whose questions are valid in themselves, with paths from the
 * request. A set whose conditions are wrong is not searched for questions that cannot be reached.
 */
export function checkSet(set: SetContent): Problem[] {
  const { questions, sections } = set;
  const positions = new Map<string, number>();
  const problems = [
    ...checkKeys(questions, positions),
    ...checkCells(questions),
    ...checkSections(questions, sections ?? []),
    ...checkTranslations(set, positions),
  ];
  const conditions = checkConditions(questions, sections ?? [], positions);
  return problems.length + conditions.length > 0 || !questions.some(isConditional)
    ? [...problems, ...conditions]
    : checkPaths(questions);
}

/** Whether questions have keys of their own, so that `{{key}}` in a text shows an answer. */
function isKeyed(questions: readonly Question[]): boolean {
  return questions.some(({ key }) => key !== undefined);
}

/** The keys of the answers that each text shows. A set without keys shows its texts as they are. */
export function pipesOf(questions: readonly Question[]): string[][] {
  const keyed = isKeyed(questions);
  return questions.map(({ question }) => (keyed ? keysIn(question) : []));
}

/** @param positions is filled with the position of each question, from 1, by its key */
function checkKeys(questions: readonly Question[], positions: Map<string, number>): Problem[] {
  return questions.flatMap((question, index) => {
    const position = index + 1;
    const key = keyOf(question, position);
    const first = positions.get(key);
    if (first === undefined) {
      positions.set(key, position);
      return [];
    }
    const at =
      question.key === undefined ? `questions[${first - 1}].key` : `questions[${index}].key`;
    return problem('duplicate', `is also the key of question ${first}`, at);
  });
}

function checkCells(questions: readonly Question[]): Problem[] {
  const cells = questions.reduce((sum, question) => sum + cellsOf(question), 0);
  return cells > CELLS_MAXIMUM
    ? problem(
        'too_many',
        `must have at most ${CELLS_MAXIMUM} options in all, those of each row of a matrix included`,
        'questions',
      )
    : [];
}

function checkSections(questions: readonly Question[], sections: readonly Section[]): Problem[] {
  const known = new Set(questions.map(({ section }) => section));
  return sections.flatMap(({ section }, index) =>
    known.has(section)
      ? []
      : problem('not_allowed', 'is not the section of a question', `sections[${index}].section`),
  );
}

function checkConditions(
  questions: readonly Question[],
  sections: readonly Section[],
  positions: ReadonlyMap<string, number>,
): Problem[] {
  const shuffledSections = new Set(
    sections.filter(({ shuffle }) => shuffle === true).map(({ section }) => section),
  );
  const pageOf = pagesOf(questions);
  const whyNot = (key: string, index: number): string | undefined => {
    const position = positions.get(key);
    if (position === undefined) {
      return 'must be the key of a question of the set';
    }
    if (position > index) {
      return 'must be the key of an earlier question';
    }
    const { section } = questions[index] ?? {};
    return section !== undefined &&
      shuffledSections.has(section) &&
      pageOf[position - 1] === pageOf[index]
      ? 'must not be a question of the same shuffled section'
      : undefined;
  };
  const pipes = pipesOf(questions);
  const logics = questions.map(logicOf);
  if (sumOf(logics.map(({ conditions }) => conditions.length)) > SET_CONDITIONS_MAXIMUM) {
    const most = `must have at most ${SET_CONDITIONS_MAXIMUM} conditions in all`;
    return problem('too_many', most, 'questions');
  }
  return questions.flatMap((_, index) => {
    const at = `questions[${index}]`;
    const conditions = (logics[index]?.conditions ?? []).flatMap(({ condition, path: place }) => {
      const path = `${at}.${place}`;
      const why = whyNot(condition.question, index);
      const source = questions[(positions.get(condition.question) ?? 0) - 1];
      return why === undefined && source !== undefined
        ? placed(path, checkCondition(condition, source))
        : problem('not_allowed', why ?? '', `${path}.question`);
    });
    const piped = (pipes[index] ?? []).flatMap((key) => {
      const why = whyNot(key, index);
      const source = questions[(positions.get(key) ?? 0) - 1];
      if (why === undefined) {
        return source?.type === 'statement'
          ? problem(
              'not_allowed',
              `must not show {{${key}}}, which has no answer`,
              `${at}.question`,
            )
          : [];
      }
      return problem('not_allowed', `has {{${key}}}, which ${why}`, `${at}.question`);
    });
    return [...conditions, ...piped];
  });
}

/** The number of the page of each question: consecutive questions of the same section share one. */
export function pagesOf(questions: readonly Question[]): number[] {
  let page = 0;
  return questions.map(({ section }, index) => {
    page += index > 0 && (section === undefined || beginsSection(questions, index)) ? 1 : 0;
    return page;
  });
}

function checkPaths(questions: readonly Question[]): Problem[] {
  const { reachable, unseen, hidden } = findPaths(questions, pipesOf(questions));
  return questions.flatMap((question, index) => {
    const at = `questions[${index}]`;
    if (reachable[index] !== true && question.show_if !== undefined) {
      return problem('unreachable', 'must let a respondent reach the question', `${at}.show_if`);
    }
    return [
      ...(hidden[index] ?? []).flatMap((path) =>
        problem('unreachable', 'must let a respondent reach it', `${at}.${path}`),
      ),
      ...(unseen[index] ?? []).flatMap((key) =>
        problem(
          'not_allowed',
          `must not show {{${key}}}, which not all who see this question are asked`,
          `${at}.question`,
        ),
      ),
    ];
  });
}
