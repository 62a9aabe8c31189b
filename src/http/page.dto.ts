import { WholeNumberParameter } from './fields/query.fields';
import { Text } from './fields/text.fields';

/** Longer than any cursor that is answered. */
const CURSOR_MAX_LENGTH = 500;

export const PAGE_LIMIT_DEFAULT = 20;
const PAGE_LIMIT_MAXIMUM = 100;

/** Which part of a list to answer. */
export class PageQueryDto {
  /** Most items to answer; 20 by default. */
  @WholeNumberParameter({
    minimum: 1,
    maximum: PAGE_LIMIT_MAXIMUM,
    example: PAGE_LIMIT_DEFAULT,
  })
  limit?: number;

  /** `next_cursor` of the page before; the same filters must be sent with it. */
  @Text({ maximum: CURSOR_MAX_LENGTH, optional: true })
  cursor?: string;
}
