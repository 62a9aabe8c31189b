import fc from 'fast-check';
import { checkSet } from '../../src/campaigns/questions/question-set.rules';
import { Question, QUESTION_TYPES } from '../../src/campaigns/questions/question.types';
import type { Fields, Given } from './question-kind';
import { namesIn } from './option-kinds';
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
  /** Of single options and rows. */
  parts: fc.array(fc.record({ part: fc.nat(99), condition: placed }), { maxLength: 3 }),
});

/** Sets of questions as they are stored, which the service also takes, with conditions. */
export const questionSets = (maxLength: number): fc.Arbitrary<Question[]> =>
  fc
    .array(drawn, { minLength: 1, maxLength })
    .map((all) => {
      const questions: Fields[] = [];
      for (const [index, each] of all.entries()) {
        const { fields, isOptional, isKeyed, mode, conditions, parts } = each;
        const conditionOf = ({ about, which }: { about: number; which: number }) => {
          const source = questions[about % Math.max(1, index)];
          const choices = source ? kindOf(source as Question).conditions(source) : [];
          const condition = choices[which % Math.max(1, choices.length)];
          const position = (about % Math.max(1, index)) + 1;
          return condition && { question: source!.key ?? `q${position}`, ...condition };
        };
        const list = conditions.flatMap(({ group, ...place }) => {
          const condition = conditionOf(place);
          return condition ? [[condition, group] as const] : [];
        });
        const question: Fields = {
          question: `Question ${index + 1}?`,
          ...JSON.parse(JSON.stringify(fields)),
          ...(isKeyed ? { key: `key_${index}` } : {}),
          ...(isOptional && fields.type !== 'statement' ? { required: false } : {}),
          ...(list.length === 0 ? {} : { show_if: { [mode]: grouped(list) } }),
        };
        const options: any[][] = [question.options, question.rows].filter((found) => found);
        for (const { part, condition } of parts) {
          const found = options[part % Math.max(1, options.length)];
          const place = part % (found?.length ?? 1);
          const only = conditionOf(condition);
          if (found && only) {
            const option = found[place];
            const whole = typeof option === 'string' ? { text: option } : option;
            found[place] = { ...whole, show_if: { [mode]: [only] } };
          }
        }
        questions.push(question);
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
  // Mostly what a respondent would do, so that whole submissions are often right.
  const pick = fc.record({ way: fc.nat(39), place: fc.nat(999) });
  return fc
    .array(pick, { minLength: questions.length, maxLength: questions.length })
    .map((picks) => {
      const chosen: Chosen[] = [];
      for (const [index, { way, place }] of picks.entries()) {
        const question = questions[index]!;
        const part = partShown(question, valuesByKey(questions, chosen));
        const { right, wrong } = kindOf(question);
        const asked = part ?? question;
        const answers =
          way === 0 ? [...wrong(asked), ...givenToHidden(question, asked)] : right(asked);
        const answer = answers[place % Math.max(1, answers.length)];
        const isLeftOut =
          way === 1 || (question as Fields).required === false ? way % 3 === 1 : false;
        if (answer !== undefined && !isLeftOut && (part !== undefined || way === 2)) {
          chosen.push({ ...answer, position: index + 1, isRight: way !== 0 });
        }
      }
      return chosen;
    });
}

/** Answers that would be right if all options and rows were shown, but name one that is not. */
function givenToHidden(question: Question, part: Fields): Given[] {
  const hiddenIn = (list: 'options' | 'rows') => {
    const [all, shown] = [question as Fields, part].map((each) => namesIn(each[list] ?? []));
    return all!.filter((name) => !shown!.includes(name));
  };
  const [options, rows] = [hiddenIn('options'), hiddenIn('rows')];
  return kindOf(question)
    .right(question)
    .filter(({ value }) => {
      const isMatrix = question.type === 'matrix';
      const named = isMatrix ? Object.values(value as object).flat() : [value].flat();
      return (
        named.some((name) => options.includes(name)) ||
        (isMatrix && Object.keys(value as object).some((row) => rows.includes(row)))
      );
    });
}

/** Answers to what a respondent is shown, all of them right, which follow from a number. */
export function answersFrom(questions: readonly Question[], n: number): Answered[] {
  const answers: Answered[] = [];
  const values = new Map<string, unknown>();
  for (const [index, question] of questions.entries()) {
    const part = partShown(question, values);
    const rights = part === undefined ? [] : kindOf(question).right(part);
    const given = rights[(n + 7 * index) % rights.length];
    const isLeftOut = (question as Fields).required === false && (n >> index) % 3 === 0;
    if (given !== undefined && !isLeftOut) {
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

/** The part of a question that is shown, as docs/questionnaires.md says; nothing if it is not. */
function partShown(question: Fields, values: ReadonlyMap<string, any>): Fields | undefined {
  const part: Fields = { ...question };
  for (const list of ['options', 'rows'] as const) {
    if (question[list] !== undefined) {
      part[list] = question[list].filter((each: any) => isShown(each, values));
    }
  }
  if (part.minimum_choices !== undefined) {
    const free = part.options.filter(({ exclusive }: any) => exclusive !== true);
    part.minimum_choices = Math.max(1, Math.min(part.minimum_choices, free.length));
  }
  const isEmpty = part.options?.length === 0 || part.rows?.length === 0;
  return isEmpty || !isShown(question, values) ? undefined : part;
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
      if (partShown(question, shown) === undefined) {
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
