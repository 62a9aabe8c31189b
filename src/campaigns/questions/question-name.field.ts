import { Problem } from '../../platform/validation/fields/field';
import { checkWholeNumber } from '../../platform/validation/fields/number.fields';
import { KEY_PATTERN } from './option.dto';
import { checkKey } from './option.field';
import { QUESTIONS_MAXIMUM } from './question.types';

const POSITION = { minimum: 1, maximum: QUESTIONS_MAXIMUM } as const;

/** Checks what names a question: its position from 1, or its key. */
export function checkQuestionName(value: unknown): Problem[] {
  return typeof value === 'string' ? checkKey(value) : checkWholeNumber(value, POSITION);
}

/** The schema of what names a question. */
export const QUESTION_NAME = {
  oneOf: [
    { type: 'integer', format: 'int32', ...POSITION },
    { type: 'string', minLength: 1, maxLength: 40, pattern: KEY_PATTERN },
  ],
  example: 1,
};
