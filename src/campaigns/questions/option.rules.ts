import { normalizeText } from '../../platform/validation/fields/unicode';
import type { MatrixQuestion, Option, OptionObject, Question } from './question.types';

/** The parts of an option, however it is stored. */
export function optionOf(option: Option): OptionObject {
  return typeof option === 'string' ? { text: option } : option;
}

export function textOf(option: Option): string {
  return typeof option === 'string' ? option : option.text;
}

/** What answers name an option or a row by, as it is stored: its key, or else its text. */
export function identityOf(option: Option): string {
  return typeof option === 'string' ? option : (option.key ?? option.text);
}

/** Identities as answers have them: in NFC, which options of sets stored earlier need not be in. */
export function identitiesOf(options: readonly Option[]): string[] {
  return options.map((option) => normalizeText(identityOf(option)));
}

/** The options of a question, none if its type has none. */
export function optionsIn(question: Question): readonly Option[] {
  return 'options' in question ? (question.options ?? []) : [];
}

/** The rows of a question, none if it is no matrix. */
export function rowsIn(question: Question): readonly Option[] {
  return question.type === 'matrix' ? question.rows : [];
}

/** The option with a text of the respondent's own; `undefined` if there is none. */
export function otherOf(question: Question): string | undefined {
  const other = optionsIn(question).find((option) => optionOf(option).other === true);
  return other === undefined ? undefined : normalizeText(identityOf(other));
}

/** How many columns a matrix has in each row. */
export function columnsOf({ options, scale }: MatrixQuestion): number {
  return options?.length ?? (scale === undefined ? 0 : 1);
}

/** How many cells a question has: its options, or those of all rows. */
export function cellsOf(question: Question): number {
  return question.type === 'matrix'
    ? question.rows.length * columnsOf(question)
    : optionsIn(question).length;
}
