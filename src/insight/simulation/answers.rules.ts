import { ImageSurvey, undecidedIn, Undecided } from '../../campaigns/campaign/image-survey.rules';
import type { Answer } from '../../campaigns/questions/answer.rules';
import { otherOf } from '../../campaigns/questions/option.rules';
import type { Asked, Question } from '../../campaigns/questions/question.types';
import { showInTurn } from '../../campaigns/questions/shown.rules';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';
import { pick, preference, rating } from './opinions.rules';
import { openAnswer, shortAnswer } from './texts.rules';
import { valuing } from './values.rules';

/** One in so many leaves out a question that need not be answered. */
const SKIPPING = 5;

/** One in so many adds a comment, where a question lets them. */
const COMMENTING = 4;

/** One in so many does not decide between two images, where a survey lets them. */
const UNDECIDED = 8;

/** How one thing that a campaign asks is answered; `undefined` leaves it out. */
type Habit = (draws: Draws) => Answer | undefined;

/** How a question is answered, of which a respondent is shown a part. */
type QuestionHabit = (draws: Draws, part: Question | undefined) => Answer | undefined;

/**
 * Returns how respondents answer what a campaign asks. Their common preferences come from `draws`,
 * and each answer from the draws of its respondent: the same draws give the same answers.
 *
 * @returns a function from a respondent's draws to answers that `checkAnswers` accepts
 */
export function answering(asked: Asked, draws: Draws): (draws: Draws) => Answer[] {
  const { questions, imageSurvey } = asked;
  if (imageSurvey === null) {
    return answeringQuestions(questions ?? [], draws);
  }
  const habits = habitsOf(asked.format, imageSurvey, draws);
  return (respondent) =>
    habits.map((habit) => habit(respondent)).filter((answer) => answer !== undefined);
}

/** The same for questions alone. */
export function answeringQuestions(questions: readonly Question[], draws: Draws) {
  const habits = questions.map((question, index) => toQuestion(question, index + 1, draws));
  return (respondent: Draws): Answer[] => {
    const drawn = habits.map((habit, index) => habit(respondent, questions[index]));
    const answers: Answer[] = [];
    showInTurn(questions, (part, position) => {
      const isWhole = part === questions[position - 1];
      const answer = isWhole ? drawn[position - 1] : habits[position - 1]?.(respondent, part);
      if (answer !== undefined) {
        answers.push(answer);
      }
      return answer?.value;
    });
    return answers;
  };
}

function habitsOf(format: Asked['format'], imageSurvey: ImageSurvey, draws: Draws): Habit[] {
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

function toQuestion(question: Question, position: number, draws: Draws): QuestionHabit {
  if (question.type === 'statement') {
    return () => undefined;
  }
  const valueOf = valuing(question, draws);
  const isOptional = question.required === false;
  const own = otherOf(question);
  const hasComment = 'comment' in question && question.comment === true;
  return (respondent, part = question) => {
    // Drawn first, so that whoever skips a question answers the others as if it were required.
    const skips = drawBelow(respondent, SKIPPING) === 0;
    const value = valueOf(respondent, part);
    const isOther = own !== undefined && [value].flat().includes(own);
    const comments = hasComment && drawBelow(respondent, COMMENTING) === 0;
    return skips && isOptional
      ? undefined
      : {
          question: position,
          value,
          ...(isOther ? { other: shortAnswer(respondent) } : {}),
          ...(comments ? { comment: `${openAnswer(respondent)}.` } : {}),
        };
  };
}
