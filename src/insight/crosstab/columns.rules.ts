import type { Question } from '../../campaigns/questions/question.types';
import { NPS_GROUPS } from '../results/answer-results.rules';
import { named } from '../results/option-shares.rules';
import { ratingSteps } from '../results/rating-steps.rules';
import { COLUMNS_MAXIMUM } from './comparison.rules';

/** A column of a table, before anything is counted. */
export interface Heading {
  value: string;
  text?: string;
}

/** Without an absent text. */
export const headingOf = ({
  value,
  text,
}: {
  value: string;
  text?: string | undefined;
}): Heading => (text === undefined ? { value } : { value, text });

/**
 * The columns that the answers to a question make, in the order in which the function
 * `column_numbers` counts them; `null` if they make none, or too many.
 */
export function headingsOf(question: Question): Heading[] | null {
  switch (question.type) {
    case 'single_choice':
    case 'multiple_choice':
      return few(question.options.map(named));
    case 'checkbox':
      return valuesOf(['true', 'false']);
    case 'nps':
      return valuesOf(Object.keys(NPS_GROUPS));
    case 'rating':
      return few(valuesOf(ratingSteps(question.scale).map(String)));
    default:
      return null;
  }
}

const valuesOf = (values: readonly string[]): Heading[] => values.map((value) => ({ value }));

const few = (headings: Heading[]): Heading[] | null =>
  headings.length <= COLUMNS_MAXIMUM ? headings : null;
