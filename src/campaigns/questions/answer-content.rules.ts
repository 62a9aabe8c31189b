import { isPlainObject, placed, Problem, problem } from '../../platform/validation/fields/field';
import { checkAnswer, memberOf } from './answer-value.rules';
import { optionsIn, otherOf, rowsIn } from './option.rules';
import type { AnswerValue, Question } from './question.types';
import { hiddenFrom } from './shown.rules';

/** What an answer consists of besides the name of what it is about. */
export interface AnswerContent {
  value: AnswerValue;
  /** The text of one's own for the option that is marked with `other`. */
  other?: string;
  comment?: string;
}

export const NOT_SHOWN = 'is not shown after the other answers';

/**
 * Checks the answer to a question that is shown.
 *
 * @param part the question with the options and rows that are shown
 */
export function checkQuestion(
  question: Question,
  part: Question,
  answer: AnswerContent,
): Problem[] {
  const hidden = part === question ? [] : findHidden(question, part, answer.value);
  const wrong = hidden.length > 0 ? hidden : checkAnswer(part, answer.value);
  return [
    ...placed('.value', wrong),
    ...(hidden.length > 0 ? [] : checkOther(part, answer)),
    ...checkComment(question, answer),
  ];
}

/** Finds the options and rows in an answer that are not shown. */
function findHidden(question: Question, part: Question, value: AnswerValue): Problem[] {
  const options = hiddenFrom(optionsIn(question), optionsIn(part));
  const rows = hiddenFrom(rowsIn(question), rowsIn(part));
  const findIn = (given: unknown, at: string): Problem[] => {
    if (Array.isArray(given)) {
      return given.flatMap((each, index) => findIn(each, `${at}[${index}]`));
    }
    return options.has(given as string) ? problem('not_shown', NOT_SHOWN, at) : [];
  };
  return isPlainObject(value)
    ? Object.entries(value).flatMap(([row, cell]) =>
        rows.has(row)
          ? problem('not_shown', NOT_SHOWN, memberOf(row))
          : findIn(cell, memberOf(row)),
      )
    : findIn(value, '');
}

/** A text of one's own belongs to the option marked with `other`, and is required with it. */
function checkOther(question: Question, { value, other }: AnswerContent): Problem[] {
  const option = otherOf(question);
  const isChosen =
    option !== undefined && (Array.isArray(value) ? value.includes(option) : value === option);
  if (isChosen && other === undefined) {
    return problem('required', 'is required with the option that is chosen', '.other');
  }
  return isChosen || other === undefined
    ? []
    : problem('not_allowed', 'is only for the option that asks for a text', '.other');
}

function checkComment(question: Question, { comment }: AnswerContent): Problem[] {
  const isAllowed = 'comment' in question && question.comment === true;
  return comment === undefined || isAllowed
    ? []
    : problem('not_allowed', 'is only for a question with a comment', '.comment');
}
