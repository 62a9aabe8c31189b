import type { Presence } from '../../platform/validation/fields/field';
import { Money, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Timestamp } from '../../platform/validation/fields/timestamp.field';

/*
 * The optional fields of a campaign's life. They have no examples, so the examples of the requests
 * that the specification describes do without them.
 */

/** How many responses a campaign can accept. */
export const MAX_RESPONSES = { minimum: 1, maximum: 10_000_000 } as const;

/** How long a respondent has, in minutes. */
export const ANSWER_MINUTES = { minimum: 1, maximum: 1_440 } as const;

type Nullable = Pick<Presence, 'nullable'>;

export function StartsAt(presence: Nullable = {}): PropertyDecorator {
  return Timestamp({ optional: true, ...presence });
}

export function EndsAt(presence: Nullable = {}): PropertyDecorator {
  return Timestamp({ optional: true, ...presence });
}

export function MaxResponses(presence: Nullable = {}): PropertyDecorator {
  return WholeNumber({ ...MAX_RESPONSES, optional: true, ...presence });
}

export function Budget(presence: Nullable = {}): PropertyDecorator {
  return Money({ minimum: 0.01, optional: true, ...presence });
}

export function AnswerMinutes(presence: Nullable = {}): PropertyDecorator {
  return WholeNumber({ ...ANSWER_MINUTES, optional: true, ...presence });
}
