import fc from 'fast-check';
import type { Condition } from '../../src/campaigns/questions/shown.rules';

/*
 * What a type of question is to a generator, and what several types have.
 */

/** What an answer consists of besides the name of its question. */
export interface Given {
  value: unknown;
  other?: string;
  comment?: string;
}

export type Fields = Record<string, any>;

export interface Kind {
  /** What a question has besides its type. */
  fields: fc.Arbitrary<Fields>;
  /** Conditions that a later question can have on one of this type. */
  conditions: (question: Fields) => Omit<Condition, 'question'>[];
  right: (question: Fields) => Given[];
  wrong: (question: Fields) => Given[];
}

export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
export const values = (...all: unknown[]): Given[] => all.map((value) => ({ value }));

export const presence: Omit<Condition, 'question'>[] = [{ op: 'answered' }, { op: 'not_answered' }];
export const equality = (value: string | number | boolean): Omit<Condition, 'question'>[] => [
  { op: 'is', value },
  { op: 'is_not', value },
];
export const order = (value: string | number): Omit<Condition, 'question'>[] => [
  { op: 'at_least', value },
  { op: 'at_most', value },
];
export const membership = (value: string): Omit<Condition, 'question'>[] => [
  { op: 'includes', value },
  { op: 'excludes', value },
];

export function between(min: number, max: number) {
  return { min, max };
}
