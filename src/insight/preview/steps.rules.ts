import { Answer } from '../../campaigns/questions/answer.rules';
import type { PresentedSet } from '../../campaigns/questions/presented.rules';
import type { Question, SetContent } from '../../campaigns/questions/question.types';
import { logicOf } from '../../campaigns/questions/logic.rules';
import { keysIn } from '../../campaigns/questions/piping.rules';
import { keyOf, shownQuestions } from '../../campaigns/questions/shown.rules';
import type { Problem } from '../../platform/validation/fields/field';
import { Fields, Form, nameOf, problemsOf, readAnswer } from './form.rules';

/** Where a respondent is, after a button was pressed. */
export interface Place {
  /** The index of the page; the number of pages after the last one. */
  page: number;
  /** How many pages there are. */
  pages: number;
  /** The positions of the questions on the page, in the order in which they are shown. */
  positions: readonly number[];
  /** What is wrong with the answers on the page, by the position of the question. */
  problems: ReadonlyMap<number, readonly Problem[]>;
  /** Whether answers on the page decide what else is on it. */
  isLive: boolean;
  /** The valid answers to all questions that are shown, by position. */
  answers: ReadonlyMap<number, Answer>;
}

/**
 * Returns the positions of the questions on each page, in the order in which they are shown.
 * Consecutive questions of one section are a page, and so are consecutive ones without a section.
 */
export function pagesIn({ questions }: SetContent, order: readonly number[] | null): number[][] {
  const pages: number[][] = [];
  let previous: string | undefined;
  for (const position of order ?? questions.map((_, index) => index + 1)) {
    const section = questions[position - 1]?.section;
    if (pages.length === 0 || section !== previous) {
      pages.push([]);
    }
    pages.at(-1)?.push(position);
    previous = section;
  }
  return pages;
}

/** Returns the next place of a respondent who sends a form. */
export function takeStep(set: SetContent, { questions, order }: PresentedSet, form: Form): Place {
  const pages = pagesIn(set, order);
  const answers = new Map<number, Answer>();
  const wrong = new Map<number, Problem[]>();
  questions.forEach((question, index) => {
    const position = index + 1;
    const answer = readAnswer(question, new Fields(form, nameOf(position)));
    const problems = problemsOf(question, answer);
    if (problems.length > 0) {
      wrong.set(position, problems);
    } else if (answer !== undefined) {
      const key = question.key === undefined ? {} : { key: question.key };
      answers.set(position, { question: position, ...key, ...answer });
    }
  });
  const shown = new Set(shownQuestions({ questions }, [...answers.values()]));
  for (const position of answers.keys()) {
    if (!shown.has(position)) {
      answers.delete(position);
    }
  }
  const shownOn = (page: number) => (pages[page] ?? []).filter((position) => shown.has(position));
  const at = (page: number, problems: Place['problems'] = new Map()): Place => ({
    page,
    pages: pages.length,
    positions: shownOn(page),
    problems,
    isLive: isLive(questions, pages[page] ?? []),
    answers,
  });
  const isVisible = (page: number) => shownOn(page).length > 0;
  const indexes = [...pages.keys()].filter(isVisible);
  const [sent = '0'] = form.get('page') ?? [];
  const page = /^\d{1,3}$/.test(sent) ? Math.min(Number(sent), pages.length) : 0;
  switch (form.get('step')?.[0]) {
    case 'next': {
      const seen = new Set(form.get('seen')?.[0]?.split(',').map(Number));
      const problems = new Map(
        shownOn(page).flatMap((position) => {
          const found = seen.has(position) ? wrong.get(position) : undefined;
          return found === undefined ? [] : [[position, found] as const];
        }),
      );
      // Questions that the answers on this page have brought up stay to be answered first.
      const isComplete = shownOn(page).every((position) => seen.has(position));
      return isComplete && problems.size === 0
        ? at(indexes.find((index) => index > page) ?? pages.length)
        : at(page, problems);
    }
    case 'back':
      return at(indexes.findLast((index) => index < page) ?? indexes[0] ?? 0);
    default:
      return at(isVisible(page) ? page : (indexes[0] ?? pages.length));
  }
}

function isLive(questions: readonly Question[], positions: readonly number[]): boolean {
  const page = positions.flatMap((position) => {
    const question = questions[position - 1];
    return question === undefined ? [] : [{ question, key: keyOf(question, position) }];
  });
  const keys = new Set(page.map(({ key }) => key));
  return page.some(({ question }) =>
    [
      ...logicOf(question).conditions.map(({ condition }) => condition.question),
      ...keysIn(question.question),
    ].some((key) => keys.has(key)),
  );
}
