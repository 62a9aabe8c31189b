import { Answer, positionsByKey, SentAnswer } from './answer.rules';
import { identitiesOf } from './option.rules';
import type { AnswerValue, Asked, MatrixValue } from './question.types';

/**
 * Returns valid answers as they are stored: in the order of what they are about, pairs with the
 * lower image first, and the rows of a matrix in their order.
 */
export function toStoredAnswers(asked: Asked, answers: readonly SentAnswer[]): Answer[] {
  const positions = positionsByKey(asked.questions);
  return answers
    .map(({ question: named, image, images, value, other, comment }): Answer => {
      const question = typeof named === 'string' ? positions.get(named) : named;
      const about = question === undefined ? undefined : asked.questions?.[question - 1];
      return {
        ...(question === undefined ? {} : { question }),
        ...(about?.key === undefined ? {} : { key: about.key }),
        ...(image === undefined ? {} : { image }),
        ...(images === undefined ? {} : { images: images.toSorted((a, b) => a - b) }),
        value: about?.type === 'matrix' ? inRows(identitiesOf(about.rows), value) : value,
        ...(other === undefined ? {} : { other }),
        ...(comment === undefined ? {} : { comment }),
      };
    })
    .toSorted((a, b) => placeOf(a) - placeOf(b));
}

function inRows(rows: readonly string[], value: AnswerValue): AnswerValue {
  const cells = value as MatrixValue;
  return Object.fromEntries(
    rows.flatMap((row) => {
      const cell = cells[row];
      return cell === undefined ? [] : [[row, cell]];
    }),
  );
}

/** Returns what makes a submission the same again: ticked options have no order, ranks have one. */
export function unordered(asked: Asked, answers: readonly Answer[]): Answer[] {
  return answers.map((answer) => {
    const { question = 0, value } = answer;
    const type = asked.questions?.[question - 1]?.type;
    return type === 'ranking' ? answer : { ...answer, value: sortedTicks(value) };
  });
}

function sortedTicks(value: AnswerValue): AnswerValue {
  if (typeof value !== 'object') {
    return value;
  }
  return Array.isArray(value)
    ? value.toSorted()
    : Object.fromEntries(
        Object.entries(value).map(([row, cell]) => [
          row,
          Array.isArray(cell) ? cell.toSorted() : cell,
        ]),
      );
}

/** More than the images of a survey. */
const RADIX = 1_000;

function placeOf({ question, image, images }: Answer): number {
  return question ?? image ?? (images?.[0] ?? 0) * RADIX + (images?.[1] ?? 0);
}
