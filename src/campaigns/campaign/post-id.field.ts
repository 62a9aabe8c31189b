import { ResponseId } from '../../platform/openapi/response-fields';
import type { Presence } from '../../platform/validation/fields/field';
import { ID_MAX_LENGTH, Text } from '../../platform/validation/fields/text.fields';

/**
 * The post_id in the documentation's examples. On the documentation page it stands for the campaign
 * that was created there last, so that every example works when sent unchanged.
 */
export const EXAMPLE_POST_ID = 'post_01k9x2v8zdf3xbz0q4v5rk6t7m';

/** The campaign that a request is about. */
export function PostId(presence: Presence = {}): PropertyDecorator {
  return Text({ maximum: ID_MAX_LENGTH, example: EXAMPLE_POST_ID, ...presence });
}

/** The campaign in a response. */
export function ResponsePostId(): PropertyDecorator {
  return ResponseId('post');
}
