import fc from 'fast-check';
import { checkSet } from '../../src/campaigns/questions/question-set.rules';
import { Question, QUESTION_TYPES } from '../../src/campaigns/questions/question.types';
import type { Fields, Given } from './question-kind';
import { fieldsOf, kindOf } from './question-kinds';

/*
 * Random sets of questions of all types, with answers, and a plain interpreter of the rules in
 * docs/questionnaires.md. It shares no code with the service.
 */

const placed = fc.record({ about: fc.nat(99), which: fc.nat(99), group: fc.nat(3) });

const drawn = fc.record({
  fields: fc.constantFrom(...QUESTION_TYPES).chain(fieldsOf),
  isOptional: fc.boolean(),
  isKeyed: fc.boolean(),
  mode: fc.constantFrom('all', 'any'),
  conditions: fc.array(placed, { maxLength: 3 }),
});

/** Sets of questions as they are stored, which the service also takes, with conditions. */
export const questionSets = (maxLength: number): fc.Arbitrary<Question[]> =>
  fc
    .array(drawn, { minLength: 1, maxLength })
    .map((all) => {
      const questions: Fields[] = [];
      for (const [index, { fields, isOptional, isKeyed, mode, conditions }] of all.entries()) {
        const list = conditions.flatMap(({ about, which, group }) => {
          const source = questions[about % Math.max(1, index)];
          const choices = source ? kindOf(source as Question).conditions(source) : [];
          const condition = choices[which % Math.max(1, choices.length)];
          const position = (about % Math.max(1, index)) + 1;
          const whole = { question: source?.key ?? `q${position}`, ...condition };
          return condition ? [[whole, group] as const] : [];
        });
        questions.push({
          question: `Question ${index + 1}?`,
          ...JSON.parse(JSON.stringify(fields)),
          ...(isKeyed ? { key: `key_${index}` } : {}),
          ...(isOptional && fields.type !== 'statement' ? { required: false } : {}),
          ...(list.length === 0 ? {} : { show_if: { [mode]: grouped(list) } }),
        });
      }
      return questions as unknown as Question[];
    })
    .filter(
      (questions) =>
        checkSet({ questions, language: null, translations: null, sections: null }).length === 0,
    );

/** Conditions by themselves, or those of a group together, one of which must hold, or all. */
function grouped(list: (readonly [condition: object, group: number])[]): object[] {
  const isIn = (wanted: number) =>
    list.filter(([, group]) => group === wanted).map(([condition]) => condition);
  return [
    ...isIn(0),
    ...isIn(1),
    ...(isIn(2).length === 0 ? [] : [{ any: isIn(2) }]),
    ...(isIn(3).length === 0 ? [] : [{ all: isIn(3) }]),
  ];
}

/** A question that is answered, with what is answered, and whether that is right by itself. */
export interface Chosen extends Given {
  position: number;
  isRight: boolean;
}

/** An answer as a platform sends it. */
export interface Answered extends Given {
  question: number;
}

/** Answers to a set: some right, some wrong, some to what is hidden. */
export function answersTo(questions: readonly Question[]): fc.Arbitrary<Chosen[]> {
  const each = questions.map((question, index) => {
    const { right, wrong } = kindOf(question);
    const as = (isRight: boolean) => (given: Given) => ({
      ...given,
      position: index + 1,
      isRight,
    });
    const rights = right(question).map(as(true));
    return fc.record({
      // Mostly what a respondent would do, so that whole submissions are often right.
      way: fc.nat(39),
      right: rights.length === 0 ? fc.constant(undefined) : fc.constantFrom(...rights),
      wrong: fc.constantFrom(...wrong(question).map(as(false))),
    });
  });
  return fc.tuple(...each).map((picks) => {
    const chosen: Chosen[] = [];
    for (const [index, { way, right, wrong }] of picks.entries()) {
      const question = questions[index]!;
      const values = valuesByKey(questions, chosen);
      const isAsked = isShown(question, values);
      const answers = way === 0 ? wrong : right;
      const isLeftOut =
        way === 1 || (question as Fields).required === false ? way % 3 === 1 : false;
      if (answers !== undefined && !isLeftOut && (isAsked || way === 2)) {
        chosen.push(answers);
      }
    }
    return chosen;
  });
}

/** Answers to what a respondent is shown, all of them right, which follow from a number. */
export function answersFrom(questions: readonly Question[], n: number): Answered[] {
  const answers: Answered[] = [];
  const values = new Map<string, unknown>();
  for (const [index, question] of questions.entries()) {
    const rights = kindOf(question).right(question);
    const given = rights[(n + 7 * index) % rights.length];
    const isLeftOut = (question as Fields).required === false && (n >> index) % 3 === 0;
    if (given !== undefined && !isLeftOut && isShown(question, values)) {
      values.set(keyAt(questions, index + 1), given.value);
      answers.push({ question: index + 1, ...given });
    }
  }
  return answers;
}

const keyAt = (questions: readonly Question[], position: number) =>
  questions[position - 1]?.key ?? `q${position}`;

function valuesByKey(questions: readonly Question[], answers: readonly Chosen[]) {
  return new Map(answers.map(({ position, value }) => [keyAt(questions, position), value]));
}

/** Whether a question is shown, as the table in docs/questionnaires.md says. */
function isShown({ show_if: showIf }: Fields, values: ReadonlyMap<string, any>): boolean {
  if (showIf === undefined) {
    return true;
  }
  const entries: Fields[] = showIf.all ?? showIf.any;
  const results = entries.map((entry): boolean => {
    if (entry.op === undefined) {
      return isShown({ show_if: entry }, values);
    }
    const { question, row, op, value } = entry;
    const answer = values.get(question);
    const given = row === undefined ? answer : answer?.[row];
    const isGiven = given !== undefined;
    const outcomes: Record<string, boolean> = {
      answered: isGiven,
      not_answered: !isGiven,
      is: isGiven && given === value,
      is_not: !(isGiven && given === value),
      includes: isGiven && given.includes?.(value) === true,
      excludes: !(isGiven && given.includes?.(value) === true),
      at_least: isGiven && given >= value!,
      at_most: isGiven && given <= value!,
    };
    return outcomes[op]!;
  });
  return showIf.all ? !results.includes(false) : results.includes(true);
}

/** Returns whether answers are accepted, as docs/questionnaires.md says. */
export function areAccepted(questions: readonly Question[], answers: readonly Chosen[]): boolean {
  const shown = new Map<string, unknown>();
  return (
    answers.every(({ isRight }) => isRight) &&
    questions.every((question, index) => {
      const answer = answers.find(({ position }) => position === index + 1);
      if (!isShown(question, shown)) {
        return answer === undefined;
      }
      if (answer === undefined) {
        return question.type === 'statement' || question.required === false;
      }
      shown.set(keyAt(questions, index + 1), answer.value);
      return true;
    })
  );
}
