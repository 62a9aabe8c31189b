import { ResponseToken } from '../../platform/openapi/response-fields';
import { QUESTION_TYPES } from '../../campaigns/questions/question.types';
import { TextArray } from '../../platform/validation/fields/array.fields';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';

/** The participation_id in the documentation's examples. */
export const EXAMPLE_PARTICIPATION_ID = 'part_01k9x2v8zdf3xbz0q4v5rk6t7m';

export const REASON = { maximum: 500, example: 'Answered in two seconds' } as const;

/** A receipt is a signed statement of fixed fields; this is more than the longest. */
const RECEIPT_MAX_LENGTH = 2_000;

/** The platform's own identifier of a respondent; the service stores only a keyed hash of it. */
export function RespondentId(): PropertyDecorator {
  return Text({ maximum: 200, example: 'user-4711' });
}

/** The types of question that a platform can show. */
export function SupportedTypes(): PropertyDecorator {
  return TextArray({
    minimum: 1,
    maximum: QUESTION_TYPES.length,
    length: 40,
    values: QUESTION_TYPES,
    name: 'QuestionType',
    optional: true,
    example: ['descriptive', 'text', 'single_choice', 'multiple_choice'],
  });
}

/** The participation that a request is about. */
export function ParticipationId({ optional = false } = {}): PropertyDecorator {
  return Text({
    maximum: ID_MAX_LENGTH,
    ...(optional ? { optional } : { example: EXAMPLE_PARTICIPATION_ID }),
  });
}

/** A JSON Web Signature. */
export function ResponseReceipt(): PropertyDecorator {
  return ResponseToken('^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', RECEIPT_MAX_LENGTH);
}
