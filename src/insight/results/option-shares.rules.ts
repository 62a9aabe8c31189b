import type { Option } from '../../campaigns/questions/question.types';
import { identityOf, optionOf } from '../../campaigns/questions/option.rules';
import { normalizeText } from '../../platform/validation/fields/unicode';
import { KnownShares, shareIn } from './shares.rules';
import type { Place, Tallied } from './tally.rules';

/** What the tally has of a question. */
export interface Counted {
  /** Of the question, from 1. */
  position: number;
  tallied: Tallied;
  known: KnownShares;
}

/** Shares of those who answered a question, or a row of it. */
export function within({ tallied, known, position }: Counted, item: string | number = position) {
  return shareIn(tallied, ['answered', item], known);
}

export function optionShares(options: readonly Option[], counted: Counted, item: string | number) {
  const share = within(counted, item);
  return options.map((option) => {
    const key = answeredAs(option);
    const chosen: Place = ['option', item, key];
    if (optionOf(option).show_if === undefined) {
      return { ...named(option), ...share(chosen) };
    }
    const { tallied, known } = counted;
    const offered: Place = ['offered', item, key];
    return {
      ...named(option),
      offered: tallied.count(...offered),
      ...shareIn(tallied, offered, known)(chosen),
    };
  });
}

/** An option or a row, with its text if it has a key too. */
export function named(option: Option) {
  const { key, text } = optionOf(option);
  return key === undefined ? { value: text } : { value: key, text };
}

/** Options of sets that were stored earlier need not be normalised, as answers are. */
export const answeredAs = (option: Option): string => normalizeText(identityOf(option));
