import { createHash } from 'node:crypto';
import { Answer } from '../../campaigns/questions/answer.rules';
import type { PresentedSet } from '../../campaigns/questions/presented.rules';
import type { Question, SetContent } from '../../campaigns/questions/question.types';
import { logicOf } from '../../campaigns/questions/logic.rules';
import { identitiesOf, optionsIn, rowsIn } from '../../campaigns/questions/option.rules';
import { keysIn } from '../../campaigns/questions/piping.rules';
import { keyOf, showInTurn } from '../../campaigns/questions/shown.rules';
import type { Problem } from '../../platform/validation/fields/field';
import { Fields, Form, problemsOf, readAnswer } from './form.rules';

/** Where a respondent is, after a button was pressed. */
export interface Place {
  /** The index of the page; the number of pages after the last one. */
  page: number;
  /** How many pages there are. */
  pages: number;
  /** The positions of the questions on the page, in the order in which they are shown. */
  positions: readonly number[];
  /** The questions that are shown, with the options and rows that are, by position. */
  shown: ReadonlyMap<number, Question>;
  /** What is shown on the page, as the next form says. */
  seen: string;
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
  const shown = showInTurn(questions, (part, position) => {
    const question = questions[position - 1] ?? part;
    const answer = readAnswer(part, new Fields(form, position, question));
    const problems = problemsOf(part, answer);
    if (problems.length > 0) {
      wrong.set(position, problems);
      return undefined;
    }
    if (answer !== undefined) {
      const key = question.key === undefined ? {} : { key: question.key };
      answers.set(position, { question: position, ...key, ...answer });
    }
    return answer?.value;
  });
  const shownOn = (page: number) => (pages[page] ?? []).filter((position) => shown.has(position));
  const at = (page: number, problems: Place['problems'] = new Map()): Place => ({
    page,
    pages: pages.length,
    positions: shownOn(page),
    problems,
    shown,
    seen: shownOn(page).map(nameOf).join(),
    isLive: isLive(questions, pages[page] ?? []),
    answers,
  });
  const nameOf = (position: number) => nameOfPart(position, questions, shown);
  const isVisible = (page: number) => shownOn(page).length > 0;
  const indexes = [...pages.keys()].filter(isVisible);
  const [sent = '0'] = form.get('page') ?? [];
  const page = /^\d{1,3}$/.test(sent) ? Math.min(Number(sent), pages.length) : 0;
  switch (form.get('step')?.[0]) {
    case 'next': {
      const seen = new Set(form.get('seen')?.[0]?.split(','));
      const problems = new Map(
        shownOn(page).flatMap((position) => {
          const found = seen.has(nameOf(position)) ? wrong.get(position) : undefined;
          return found === undefined ? [] : [[position, found] as const];
        }),
      );
      // Questions and options that the answers on this page have brought up are to be seen first.
      const isComplete = shownOn(page).every((position) => seen.has(nameOf(position)));
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

/** What tells a question, and the part of it that is shown, from others. */
function nameOfPart(
  position: number,
  questions: readonly Question[],
  shown: ReadonlyMap<number, Question>,
): string {
  const part = shown.get(position);
  if (part === undefined || part === questions[position - 1]) {
    return String(position);
  }
  const names = [optionsIn(part), rowsIn(part)].map(identitiesOf);
  const hash = createHash('sha256').update(JSON.stringify(names)).digest('hex');
  return `${position}-${hash.slice(0, 8)}`;
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
