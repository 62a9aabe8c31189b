import type { Answer } from '../../campaigns/questions/answer.rules';
import { identityOf, optionsIn, otherOf, textOf } from '../../campaigns/questions/option.rules';
import { fillIn } from '../../campaigns/questions/piping.rules';
import { pipesOf } from '../../campaigns/questions/question-set.rules';
import type { Question } from '../../campaigns/questions/question.types';
import { keyOf } from '../../campaigns/questions/shown.rules';

/** What stands for an answer that was not given. */
const NOTHING = '…';

/**
 * Returns questions with the earlier answers that their texts show.
 *
 * @param answers by the positions of their questions, from 1
 */
export function piped(
  questions: readonly Question[],
  answers: ReadonlyMap<number, Answer>,
): Question[] {
  const pipes = pipesOf(questions);
  const keys = questions.map((question, index) => keyOf(question, index + 1));
  const answerTo = (key: string) => {
    const index = keys.indexOf(key);
    const question = questions[index];
    return question === undefined ? undefined : answerText(question, answers.get(index + 1));
  };
  return questions.map((question, index) =>
    pipes[index]?.length === 0
      ? question
      : { ...question, question: fillIn(question.question, answerTo) },
  );
}

/** Returns an answer as a text shows it: the texts of options, and the respondent's own. */
function answerText(question: Question, answer: Answer | undefined): string {
  if (answer === undefined) {
    return NOTHING;
  }
  const other = otherOf(question);
  const named = (value: unknown): string => {
    if (Array.isArray(value)) {
      return value.map(named).join(', ');
    }
    if (typeof value === 'boolean') {
      return value ? '✓' : '✗';
    }
    if (value === other && answer.other !== undefined) {
      return answer.other;
    }
    const option = optionsIn(question).find((each) => identityOf(each) === value);
    return option === undefined ? String(value) : textOf(option);
  };
  const { value } = answer;
  if (question.type !== 'matrix') {
    return named(value);
  }
  const cells = value as Record<string, unknown>;
  return question.rows
    .filter((row) => Object.hasOwn(cells, identityOf(row)))
    .map((row) => `${textOf(row)}: ${named(cells[identityOf(row)])}`)
    .join(', ');
}
