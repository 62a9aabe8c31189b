import type { TextKind } from '../responses/typed-texts.service';
import { counted, decimal } from './figures.rules';

/** Texts that a question has without unfolding them. */
const OPEN_MAXIMUM = 5;

/** Of a question: the newest texts that respondents typed. */
export type Texts = Readonly<Partial<Record<TextKind, readonly string[]>>>;

/** The texts of a question; `undefined` if a page does not show any. */
export const textsOf = (
  texts: ReadonlyMap<number, Texts> | undefined,
  question: number,
  kind: TextKind,
): readonly string[] | undefined => texts && (texts.get(question)?.[kind] ?? []);

interface TextsProps {
  texts: readonly string[] | undefined;
  /** How many respondents typed one. */
  all: number;
  /** What they are called, if the question has other texts too. */
  name?: readonly [one: string, several: string];
}

/** Texts that respondents typed, or how many there are if the page does not have them. */
export function TextList({ texts, all, name = ['text', 'texts'] }: TextsProps) {
  if (all === 0) {
    return null;
  }
  const number = counted(all, ...name);
  if (texts === undefined) {
    return <p class="quiet">Respondents typed {number}, not shown on this page.</p>;
  }
  const rest = texts.slice(OPEN_MAXIMUM);
  return (
    <>
      <p class="quiet">
        {texts.length < all
          ? `The newest ${decimal(texts.length)} of ${number}. There is more in the export.`
          : `${number}, the newest first.`}
      </p>
      <List texts={texts.slice(0, OPEN_MAXIMUM)} />
      {rest.length > 0 && (
        <details>
          <summary>{decimal(rest.length)} more</summary>
          <List texts={rest} />
        </details>
      )}
    </>
  );
}

function List({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="texts">
      {texts.map((text) => (
        <li dir="auto">{text}</li>
      ))}
    </ul>
  );
}
