import { WholeNumberParameter } from './fields/query.fields';
import { Text } from './fields/text.fields';

/** Longer than any cursor that a list returns. */
export const CURSOR_MAX_LENGTH = 500;

export const PAGE_LIMIT_DEFAULT = 20;
export const PAGE_LIMIT_MAXIMUM = 100;

/** Where a list continues. */
export class CursorQueryDto {
  /** The `next_cursor` of the previous page. Send the same filters with it. */
  @Text({ maximum: CURSOR_MAX_LENGTH, optional: true })
  cursor?: string;
}

/** Which part of a list to return. */
export class PageQueryDto extends CursorQueryDto {
  /** The most items to return; 20 by default. */
  @WholeNumberParameter({
    minimum: 1,
    maximum: PAGE_LIMIT_MAXIMUM,
    example: PAGE_LIMIT_DEFAULT,
  })
  limit?: number;
}
