import { ApiProperty } from '@nestjs/swagger';
import type { Page } from '../protocol/cursor';
import { CURSOR_MAX_LENGTH, PAGE_LIMIT_MAXIMUM } from '../validation/page-query.dto';

/**
 * Returns the base class of a response with a page of a list.
 *
 * @param type the DTO of an item, which `from` makes of a row
 * @param order of the items, as the document describes it
 * @param again what a client sends together with the cursor, as the document describes it
 * @param maximum number of items
 */
export function PageOf<Row, Item extends object, Context extends unknown[]>(
  type: () => (new () => Item) & { from(row: Row, ...context: Context): Item },
  { order = 'Newest first.', again = '', maximum = PAGE_LIMIT_MAXIMUM } = {},
) {
  class PageDto {
    @ApiProperty({ description: order, type: () => [type()], maxItems: maximum })
    items!: Item[];

    @ApiProperty({
      type: 'string',
      nullable: true,
      description: `Send it as \`cursor\`${again} for the next page; \`null\` on the last page.`,
      maxLength: CURSOR_MAX_LENGTH,
      pattern: '^[\\w-]+$',
    })
    next_cursor!: string | null;

    static from({ items, nextCursor }: Page<Row>, ...context: Context): PageDto {
      return { items: items.map((row) => type().from(row, ...context)), next_cursor: nextCursor };
    }
  }
  return PageDto;
}

/** For lists with filters. */
export const SAME_FILTERS = ', with the same filters,';
