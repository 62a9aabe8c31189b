import type { Condition } from './condition.rules';

/** The name under which a window keeps the answers to one question. */
export type AnswerName = `answer ${string}`;

/** What is read of the answers of a response, besides the name that it is kept under. */
export interface AnswerLook extends Pick<Condition, 'question' | 'option' | 'row'> {
  name: AnswerName;
}

/** Whether a name is that of answers. */
export const isAnswer = (name: string): name is AnswerName => name.startsWith('answer ');

/**
 * The name of what a condition looks at: 1 for an answer without the option and 2 for one with it,
 * or else the number that was answered; nothing for no answer.
 */
export function answerName({ question, option, row }: Condition): AnswerName {
  return `answer ${JSON.stringify([question, option ?? null, row ?? null])}`;
}

/** The name under which the spread of the answers that a condition looks at is kept. */
export const spreadName = (condition: Condition) =>
  `${answerName(condition)} ${JSON.stringify(condition.bounds ?? null)}`;

/** What conditions look at in answers, each once. */
export function looksOf(conditions: readonly Condition[]): AnswerLook[] {
  const looks = new Map<string, AnswerLook>();
  for (const condition of conditions) {
    const { question, option, row } = condition;
    if (question !== undefined) {
      const name = answerName(condition);
      looks.set(name, { name, question, option, row });
    }
  }
  return [...looks.values()];
}
