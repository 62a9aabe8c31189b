import { undecidedIn, Undecided } from '../../campaigns/campaign/image-survey.rules';
import type { Answer } from '../../campaigns/questions/answer.rules';
import { otherOf } from '../../campaigns/questions/option.rules';
import type { Asked, Question } from '../../campaigns/questions/question.types';
import { shownQuestions } from '../../campaigns/questions/shown.rules';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { pick, preference, rating } from './opinions.rules';
import { OPEN, SHORT, words } from './texts.rules';
import { valuing } from './values.rules';

/** One in so many leaves out a question that need not be answered. */
const SKIPPING = 5;

/** One in so many adds a comment, where a question lets them. */
const COMMENTING = 4;

/** One in so many does not decide between two images, where a survey lets them. */
const UNDECIDED = 8;

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
    return answers.filter(({ question = 0 }) => shown.has(question));
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
  const decide = deciding(undecidedIn(imageSurvey));
  if (format === 'round_robin') {
    return positions.flatMap((first) =>
      positions.slice(first).map((second): Habit => {
        const pair = [first, second];
        const weights = pair.map((position) => strengths[position - 1] ?? 0);
        return (respondent) => ({ images: pair, value: decide(pair, weights, respondent) });
      }),
    );
  }
  return [(respondent) => ({ value: decide(positions, strengths, respondent) })];
}

/** Returns how one of two images is picked where an answer need not decide. */
function deciding(undecided: readonly Undecided[]) {
  return (pair: readonly number[], weights: readonly number[], respondent: Draws) => {
    const drawn = undecided.length === 0 ? 0 : drawBelow(respondent, UNDECIDED * undecided.length);
    return undecided.length > 0 && drawn % UNDECIDED === 0
      ? (undecided[drawn / UNDECIDED] ?? 'tie')
      : pick(pair, weights, respondent);
  };
}

function toQuestion(question: Question, position: number, draws: Draws): Habit {
  if (question.type === 'statement') {
    return () => undefined;
  }
  const valueOf = valuing(question, draws);
  const isOptional = question.required === false;
  const own = otherOf(question);
  const hasComment = 'comment' in question && question.comment === true;
  return (respondent) => {
    // Drawn first, so that whoever skips a question answers the others as if it were required.
    const skips = drawBelow(respondent, SKIPPING) === 0;
    const value = valueOf(respondent);
    const isOther = own !== undefined && [value].flat().includes(own);
    const comments = hasComment && drawBelow(respondent, COMMENTING) === 0;
    return skips && isOptional
      ? undefined
      : {
          question: position,
          value,
          ...(isOther ? { other: words(SHORT, respondent) } : {}),
          ...(comments ? { comment: words(OPEN, respondent) } : {}),
        };
  };
}
