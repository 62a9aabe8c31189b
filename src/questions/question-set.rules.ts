import { Problem, problem } from '../validation/fields/field';
import { checkCondition, findPaths, Paths } from './condition.rules';
import { beginsSection, rowsIn, scaleOf, untranslated } from './languages.rules';
import { cellsOf, identityOf, optionsIn } from './option.rules';
import { keysIn } from './piping.rules';
import {
  CELLS_MAXIMUM,
  Question,
  QuestionTranslation,
  Section,
  SetContent,
} from './question.types';
import { keyOf } from './shown.rules';

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
  return problems.length + conditions.length > 0 || !isConditional(questions)
    ? [...problems, ...conditions]
    : checkPaths(questions);
}

/** Whether the answers decide what is shown. */
export function isConditional(questions: readonly Question[]): boolean {
  return questions.some(({ show_if }) => show_if !== undefined);
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
  return questions.flatMap((question, index) => {
    const { show_if: showIf } = question;
    const at = `questions[${index}]`;
    const list = showIf?.all === undefined ? 'any' : 'all';
    const conditions = (showIf?.all ?? showIf?.any ?? []).flatMap((condition, place) => {
      const path = `${at}.show_if.${list}[${place}]`;
      const why = whyNot(condition.question, index);
      const source = questions[(positions.get(condition.question) ?? 0) - 1];
      return why === undefined && source !== undefined
        ? checkCondition(condition, source).map((wrong) => ({
            ...wrong,
            at: path + (wrong.at ?? ''),
          }))
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
  const { reachable, unseen } = findPaths(questions, pipesOf(questions));
  return questions.flatMap((_, index) => {
    const at = `questions[${index}]`;
    if (reachable[index] !== true) {
      return problem('unreachable', 'must let a respondent reach the question', `${at}.show_if`);
    }
    return (unseen[index] ?? []).flatMap((key) =>
      problem(
        'not_allowed',
        `must not show {{${key}}}, which not all who see this question are asked`,
        `${at}.question`,
      ),
    );
  });
}

function checkTranslations(
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

/** A doubt about a set that can be asked, but perhaps not as it is meant. */
export interface Doubt {
  code: 'condition_always_holds' | 'condition_never_holds' | 'untranslated';
  message: string;
}

/** What the author of a set may not know about it. */
export interface SetReview {
  doubts: Doubt[];
  paths: Pick<Paths, 'shortest' | 'longest' | 'exact'>;
}

/** How many doubts of a kind, and texts in one, are named. */
const NAMED = 20;

/** Returns the doubts about a stored set, and how long its paths are. */
export function reviewSet({ questions, translations }: SetContent): SetReview {
  const { always, conditions, ...paths } = findPaths(questions, pipesOf(questions));
  const found = questions.flatMap((question, index) => {
    const { show_if: showIf } = question;
    if (showIf === undefined) {
      return [];
    }
    const at = `questions[${index}].show_if`;
    if (always[index] === true) {
      return [doubt('condition_always_holds', `${at} holds for every respondent.`)];
    }
    const list = showIf.all === undefined ? 'any' : 'all';
    return (conditions[index] ?? []).flatMap((outcome, place) =>
      outcome === undefined
        ? []
        : [
            outcome === 'always'
              ? doubt('condition_always_holds', `${at}.${list}[${place}] always holds.`)
              : doubt('condition_never_holds', `${at}.${list}[${place}] never holds.`),
          ],
    );
  });
  const languages = Object.entries(translations ?? {}).flatMap(([tag, byKey]) => {
    const left = untranslated(questions, byKey);
    const others = left.length > NAMED ? ` and ${left.length - NAMED} more` : '';
    return left.length === 0
      ? []
      : [
          doubt(
            'untranslated',
            `Not translated into ${tag}: ${left.slice(0, NAMED).join(', ')}${others}.`,
          ),
        ];
  });
  const { shortest, longest, exact } = paths;
  return { doubts: [...found.slice(0, NAMED), ...languages], paths: { shortest, longest, exact } };
}

const doubt = (code: Doubt['code'], message: string): Doubt => ({ code, message });
