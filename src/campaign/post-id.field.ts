import { EXAMPLE_POST_ID } from '../http/examples';
import { Text } from '../http/fields/text.fields';

/** Longer than any post_id, so that a mistaken one is "not found" rather than "too long". */
const POST_ID_MAX_LENGTH = 100;

/** The campaign an operation is about. */
export function PostId(): PropertyDecorator {
  return Text({ maximum: POST_ID_MAX_LENGTH, example: EXAMPLE_POST_ID });
}
