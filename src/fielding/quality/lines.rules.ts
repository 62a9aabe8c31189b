import { identityOf } from '../../campaigns/questions/option.rules';
import type {
  Asked,
  MatrixQuestion,
  MatrixValue,
  Question,
} from '../../campaigns/questions/question.types';
import { normalizeText } from '../../platform/validation/fields/unicode';
import type { Given } from './quality.types';

/** `straight_lining`: from so many answers on that can be on one line. */
export const COMPARED_MINIMUM = 5;

/** What part of ratings of images, or of single choices, the longest run of equal ones must be. */
export const RUN_SHARE = 0.8;

/** The rows of a matrix and the ratings of a battery must all be the same. */
export const WHOLE = 1;

/** How straight the answers are that can be on one line. */
export interface Line {
  /** How many there are. */
  compared: number;
  /** The longest run of equal ones. */
  run: number;
  isStraight: boolean;
}

/** Answers that can be on one line, in their order, and which part must be equal. */
interface Series {
  values: readonly (string | number)[];
  share: number;
}

/**
 * Returns the straightest of the lines that answers can be on: the ratings of images, the places of
 * the options of all single choices, the rows of each matrix, and each battery of ratings.
 * `undefined` if none has enough answers.
 *
 * @param answers valid, in the order of what they are about
 */
export function straightestLine(asked: Asked, answers: readonly Given[]): Line | undefined {
  return seriesOf(asked, answers)
    .filter(({ values }) => values.length >= COMPARED_MINIMUM)
    .map(({ values, share }): Line => {
      const run = longestRun(values);
      return { compared: values.length, run, isStraight: run >= share * values.length };
    })
    .reduce<Line | undefined>(
      (best, line) => (best === undefined || isStraighter(line, best) ? line : best),
      undefined,
    );
}

function isStraighter(line: Line, best: Line): boolean {
  return line.isStraight === best.isStraight
    ? line.run * best.compared > best.run * line.compared
    : line.isStraight;
}

/**
 * The length of the longest run of equal values.
 *
 * Source: the index "LongString" of A. W. Meade and S. B. Craig, Identifying careless responses in
 * survey data, Psychological Methods 17 (2012), 437–455; after J. A. Johnson, Journal of Research
 * in Personality 39 (2005), 103–129.
 */
export function longestRun(values: readonly (string | number)[]): number {
  let [longest, current] = [0, 0];
  for (const [index, value] of values.entries()) {
    current = value === values[index - 1] ? current + 1 : 1;
    longest = Math.max(longest, current);
  }
  return longest;
}

function seriesOf({ format, questions }: Asked, answers: readonly Given[]): Series[] {
  if (format === 'image_slider') {
    return [{ values: answers.map(({ value }) => Number(value)), share: RUN_SHARE }];
  }
  const places: number[] = [];
  const whole: Series[] = [];
  let battery: { last: number; values: number[] } | undefined;
  for (const { question: position = 0, value } of answers) {
    const asked = questions?.[position - 1];
    if (asked?.type === 'single_choice') {
      places.push(asked.options.findIndex((option) => normalizeText(identityOf(option)) === value));
    } else if (asked?.type === 'matrix') {
      whole.push({ values: cellsOf(asked, value as MatrixValue), share: WHOLE });
    } else if (asked?.type === 'rating') {
      if (battery === undefined || !isOneBattery(questions ?? [], battery.last, position)) {
        battery = { last: position, values: [] };
        whole.push({ values: battery.values, share: WHOLE });
      }
      battery.last = position;
      battery.values.push(Number(value));
    }
  }
  return [{ values: places, share: RUN_SHARE }, ...whole];
}

/** What was answered in each row; ticks have no order. */
function cellsOf({ rows }: MatrixQuestion, value: MatrixValue): (string | number)[] {
  return rows.flatMap((row) => {
    const cell = value[normalizeText(identityOf(row))];
    return cell === undefined ? [] : [Array.isArray(cell) ? cell.toSorted().join('\n') : cell];
  });
}

/** Whether all questions from one position to another one are ratings that look the same. */
function isOneBattery(questions: readonly Question[], from: number, to: number): boolean {
  const first = questions[from - 1];
  return questions
    .slice(from - 1, to)
    .every(
      (question) =>
        question.type === 'rating' &&
        first?.type === 'rating' &&
        question.section === first.section &&
        (['min', 'max', 'step'] as const).every(
          (part) => question.scale[part] === first.scale[part],
        ),
    );
}
