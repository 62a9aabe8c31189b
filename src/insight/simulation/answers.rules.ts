import { Big } from 'big.js';
import type { Scale } from '../../campaigns/campaign/image-survey.rules';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { NPS_SCALE } from '../../campaigns/questions/answer-value.rules';
import { DATE_EXAMPLES } from '../../campaigns/questions/date.rules';
import { identityOf } from '../../campaigns/questions/option.rules';
import {
  AnswerValue,
  Asked,
  ByType,
  callByType,
  Question,
} from '../../campaigns/questions/question.types';
import { shownQuestions } from '../../campaigns/questions/shown.rules';
import type { Answer } from '../../campaigns/questions/answer.rules';

/** Words without an opinion. */
const WORDS = [
  'morning',
  'table',
  'paper',
  'garden',
  'window',
  'river',
  'letter',
  'market',
  'bridge',
  'winter',
  'summer',
  'corner',
  'kitchen',
  'station',
  'evening',
  'village',
];

/** Words of an answer in short text and in open text, at most. */
const SHORT = 3;
const OPEN = 12;

/** One in so many leaves out a question that need not be answered. */
const SKIPPING = 5;

/**
 * A preference is one of the squares from 1 to 100: some things are much more liked than others.
 */
const ROOTS = 10;
const STRONGEST = ROOTS * ROOTS;

/** How one thing that a campaign asks is answered; `undefined` leaves it out. */
type Habit = (draws: Draws) => Answer | undefined;

/**
 * Returns how respondents answer what a campaign asks. Their common preferences come from `draws`,
 * and each answer from the draws of its respondent: the same draws give the same answers.
 *
 * @returns a function from a respondent's draws to answers that `checkAnswers` accepts
 */
export function answering(asked: Asked, draws: Draws): (draws: Draws) => Answer[] {
  const habits = habitsOf(asked, draws);
  return (respondent) => {
    const answers = habits
      .map((habit) => habit(respondent))
      .filter((answer) => answer !== undefined);
    const { questions } = asked;
    if (questions === null) {
      return answers;
    }
    const shown = new Set(shownQuestions({ questions }, answers));
    return answers.filter(
      ({ question = 0 }) => shown.has(question) && questions[question - 1]?.type !== 'statement',
    );
  };
}

function habitsOf({ format, questions, imageSurvey }: Asked, draws: Draws): Habit[] {
  if (imageSurvey === null) {
    return (questions ?? []).map((question, index) => toQuestion(question, index + 1, draws));
  }
  const { images, scale } = imageSurvey;
  const positions = images.map((_, index) => index + 1);
  if (format === 'image_slider' && scale !== undefined) {
    return positions.map((image) => {
      const rate = rating(scale, draws);
      return (respondent) => ({ image, value: rate(respondent) });
    });
  }
  const strengths = positions.map(() => preference(draws));
  if (format === 'round_robin') {
    return positions.flatMap((first) =>
      positions.slice(first).map((second): Habit => {
        const pair = [first, second];
        const weights = pair.map((position) => strengths[position - 1] ?? 0);
        return (respondent) => ({ images: pair, value: pick(pair, weights, respondent) });
      }),
    );
  }
  return [(respondent) => ({ value: pick(positions, strengths, respondent) })];
}

function toQuestion(question: Question, position: number, draws: Draws): Habit {
  const valueOf = valueFor(question, draws);
  return (respondent) => {
    // Drawn first, so that whoever skips a question answers the others as if it were required.
    const skips = drawBelow(respondent, SKIPPING) === 0;
    const value = valueOf(respondent);
    const isOptional = question.type === 'statement' || question.required === false;
    return skips && isOptional ? undefined : { question: position, value };
  };
}

function valueFor(question: Question, draws: Draws): (draws: Draws) => AnswerValue {
  return callByType(VALUES, question, draws);
}

/** Made-up answers. Those to types without preferences of their own are only valid. */
const VALUES: ByType<[draws: Draws], (draws: Draws) => AnswerValue> = {
  descriptive: () => (respondent) => `${words(OPEN, respondent)}.`,
  text: () => (respondent) => words(SHORT, respondent),
  single_choice: ({ options }, draws) => {
    const weights = options.map(() => preference(draws));
    return (respondent) => identityOf(pick(options, weights, respondent));
  },
  multiple_choice: ({ options }, draws) => {
    const weights = options.map(() => preference(draws));
    return (respondent) => {
      const ticked = options.filter(
        (_, index) => drawBelow(respondent, STRONGEST) < (weights[index] ?? 0),
      );
      return (ticked.length > 0 ? ticked : [pick(options, weights, respondent)]).map(identityOf);
    };
  },
  rating: ({ scale }, draws) => rating(scale, draws),
  nps: (_, draws) => rating(NPS_SCALE, draws),
  number:
    ({ minimum, maximum }) =>
    () =>
      minimum ?? maximum ?? 0,
  date: ({ precision = 'day' }) => {
    const date = DATE_EXAMPLES[precision];
    return () => date;
  },
  ranking: ({ options, rank_at_most }) => {
    const ranked = options.slice(0, rank_at_most).map(identityOf);
    return () => ranked;
  },
  matrix: ({ rows, options = [], several, scale }, draws) => {
    const rate = scale && rating(scale, draws);
    const weights = options.map(() => preference(draws));
    return (respondent) =>
      Object.fromEntries(
        rows.map((row) => {
          const option = () => identityOf(pick(options, weights, respondent));
          const cell = rate === undefined ? option() : rate(respondent);
          return [identityOf(row), several === true ? [String(cell)] : cell];
        }),
      );
  },
  checkbox: () => () => true,
  statement: () => () => '',
};

function words(maximum: number, draws: Draws): string {
  return Array.from(
    { length: 1 + drawBelow(draws, maximum) },
    () => WORDS[drawBelow(draws, WORDS.length)],
  ).join(' ');
}

/** Rates around a common mean. The difference of two draws is small more often than large. */
function rating({ min, max, step }: Scale, draws: Draws): (draws: Draws) => number {
  const steps = new Big(max).minus(min).div(step).toNumber();
  const mean = drawBelow(draws, steps + 1);
  const reach = Math.floor(steps / 2) + 1;
  return (respondent) => {
    const apart = drawBelow(respondent, reach) - drawBelow(respondent, reach);
    const index = Math.min(steps, Math.max(0, mean + apart));
    return new Big(step).times(index).plus(min).toNumber();
  };
}

function preference(draws: Draws): number {
  const root = 1 + drawBelow(draws, ROOTS);
  return root * root;
}

/** Picks an entry, each as often as its weight says. */
function pick<T>(entries: readonly T[], weights: readonly number[], draws: Draws): T {
  let left = drawBelow(
    draws,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const index = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return entries[index] as T;
}
