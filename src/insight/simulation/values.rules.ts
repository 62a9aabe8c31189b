import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import {
  DESCRIPTIVE_MAXIMUM,
  NPS_SCALE,
  numberScale,
  TEXT_MAXIMUM,
} from '../../campaigns/questions/answer-value.rules';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';
import { identitiesOf, optionOf, optionsIn, rowsIn } from '../../campaigns/questions/option.rules';
import {
  AnswerValue,
  ByType,
  callByType,
  DateQuestion,
  MatrixQuestion,
  MultipleChoiceQuestion,
  NumberQuestion,
  Option,
  Question,
} from '../../campaigns/questions/question.types';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { inOrder, pick, preference, rating, STRONGEST } from './opinions.rules';
import { openAnswer, shortAnswer, text } from './texts.rules';

/**
 * How respondents answer a question, of which they are shown all or a part: the same draws give the
 * same value.
 */
type Valuing = (respondent: Draws, part: Question) => AnswerValue;

/** How they choose from those of all options that they are shown. */
type Choosing<Value> = (respondent: Draws, options: readonly Option[]) => Value;

/** How far apart numbers are that are not limited on both sides. */
const RANGE = 100;

/** Dates from the first day of 2000 on, for 26 years. */
const FIRST_DAY = Date.UTC(2000, 0, 1);
const DAY = 86_400_000;
const DAYS = 9_497;

/** One in so many leaves out a row of a matrix that need not be answered. */
const SKIPPED_ROWS = 8;

/**
 * Draws the opinions that respondents have in common about a question, and returns how each of them
 * answers it. A statement has no answer, so its value is never used.
 *
 * @returns a function from a respondent's draws, and what of the question is shown, to a value that
 *   is accepted
 */
export function valuing(question: Question, draws: Draws): Valuing {
  return callByType(VALUES, question, draws);
}

const VALUES: ByType<[draws: Draws], Valuing> = {
  descriptive: (question) => (respondent) =>
    text({ maximum_length: DESCRIPTIVE_MAXIMUM, ...question }, openAnswer, '.', respondent),
  text: (question) => (respondent) =>
    text({ maximum_length: TEXT_MAXIMUM, ...question }, shortAnswer, '', respondent),
  single_choice: ({ options }, draws) => {
    const choose = choosing(options, draws);
    return (respondent, part) => choose(respondent, optionsIn(part));
  },
  multiple_choice: ({ options, maximum_choices }, draws) => {
    const tick = ticking(options, draws);
    return (respondent, part) => {
      const { minimum_choices } = part as MultipleChoiceQuestion;
      return tick(respondent, optionsIn(part), [minimum_choices, maximum_choices]);
    };
  },
  rating: ({ scale }, draws) => rating(scale, draws),
  nps: (_, draws) => rating(NPS_SCALE, draws),
  number: (question, draws) => rating(plausible(question), draws),
  date: (question, draws) => {
    const { precision = 'day', minimum, maximum } = question;
    const dayOf = rating(plausibleDays(question), draws);
    const { length } = DATE_EXAMPLES[precision];
    return (respondent) => {
      const date = new Date(FIRST_DAY + dayOf(respondent) * DAY).toISOString().slice(0, length);
      // The days of a month or a year can be on both sides of a limit.
      return [maximum, minimum].reduce<string>(
        (kept, end, isFirst) =>
          end !== undefined && (isFirst === 0 ? kept > end : kept < end) ? end : kept,
        date,
      );
    };
  },
  ranking: ({ options, rank_at_most }, draws) => {
    const weightOf = weighing(options, draws);
    return (respondent, part) => {
      const names = identitiesOf(optionsIn(part));
      return inOrder(names, names.map(weightOf), respondent).slice(0, rank_at_most);
    };
  },
  matrix: filling,
  checkbox: ({ must_be_true }, draws) => {
    const weight = preference(draws);
    return (respondent) => must_be_true === true || drawBelow(respondent, STRONGEST) < weight;
  },
  statement: () => () => '',
};

/** Draws how much respondents like each option, by what answers name it by. */
function weighing(options: readonly Option[], draws: Draws): (name: string) => number {
  const weights = new Map(identitiesOf(options).map((name) => [name, preference(draws)]));
  return (name) => weights.get(name) ?? 0;
}

function choosing(all: readonly Option[], draws: Draws): Choosing<string> {
  const weightOf = weighing(all, draws);
  return (respondent, options) => {
    const names = identitiesOf(options);
    return pick(names, names.map(weightOf), respondent);
  };
}

/**
 * Ticks each option as often as its preference says, as far as the limits let it. An option that
 * cannot be ticked together with others is ticked by those who like it best.
 */
function ticking(all: readonly Option[], draws: Draws) {
  const weightOf = weighing(all, draws);
  return (
    respondent: Draws,
    options: readonly Option[],
    [minimum = 1, maximum = options.length]: readonly [minimum?: number, maximum?: number] = [],
  ): string[] => {
    const names = identitiesOf(options);
    const eager = options
      .map((option, index) => {
        const name = names[index] ?? '';
        const isAlone = optionOf(option).exclusive === true;
        return { name, isAlone, reluctance: drawBelow(respondent, STRONGEST) / weightOf(name) };
      })
      .toSorted((a, b) => a.reluctance - b.reluctance);
    const free = eager.filter(({ isAlone }) => !isAlone);
    const [first] = free.length >= minimum ? eager : eager.filter(({ isAlone }) => isAlone);
    if (first?.isAlone === true) {
      return [first.name];
    }
    const willing = free.filter(({ reluctance }) => reluctance < 1).length;
    const ticked = free.slice(0, Math.min(maximum, Math.max(minimum, willing)));
    const chosen = new Set(ticked.map(({ name }) => name));
    return names.filter((name) => chosen.has(name));
  };
}

/** The part of the numbers that a question accepts which respondents have. */
function plausible(question: NumberQuestion): Scale {
  const { minimum, maximum } = question;
  const { min, max, step } = numberScale(question);
  if (maximum === undefined) {
    const low = minimum === undefined ? 0 : min;
    return { min: low, max: Math.min(max, new Big(low).plus(RANGE).toNumber()), step };
  }
  const high = new Big(max).minus(RANGE).toNumber();
  return { min: minimum === undefined ? Math.max(min, high) : min, max, step };
}

/** The days that respondents answer, from the first day of 2000 on. */
function plausibleDays({ minimum, maximum }: DateQuestion): Scale {
  const dayOf = (date: string) => (Date.parse(date) - FIRST_DAY) / DAY;
  const last = dayOf(maximum ?? '9999-12-31');
  const min =
    minimum === undefined ? Math.max(dayOf('0000'), Math.min(0, last - RANGE)) : dayOf(minimum);
  return {
    min,
    max: maximum === undefined ? Math.min(last, Math.max(DAYS - 1, min + RANGE)) : last,
    step: 1,
  };
}

/** Fills in the rows of a matrix, about each of which respondents have another opinion. */
function filling(question: MatrixQuestion, draws: Draws): Valuing {
  const { rows, options = [], several, scale, required } = question;
  const cellOf = (): Choosing<string | string[] | number> => {
    if (scale !== undefined) {
      return rating(scale, draws);
    }
    return several === true ? ticking(options, draws) : choosing(options, draws);
  };
  const cells = new Map(identitiesOf(rows).map((row) => [row, cellOf()]));
  return (respondent, part) => {
    const all = identitiesOf(rowsIn(part)).flatMap((row) => {
      const value = cells.get(row)?.(respondent, optionsIn(part));
      return value === undefined ? [] : [[row, value] as const];
    });
    const kept =
      required === false ? all.filter(() => drawBelow(respondent, SKIPPED_ROWS) > 0) : all;
    return Object.fromEntries(kept.length > 0 ? kept : all);
  };
}
