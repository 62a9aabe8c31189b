import { statementLimit } from './statement-limit';

/**
 * Maximum size in bytes of the content of one page of a list, whatever its `limit`. Parsing and
 * serializing a larger page would delay every other request.
 */
const PAGE_BYTES = 1024 * 1024;

/** A column of every row of a bounded page. */
export interface Found {
  /**
   * The number of rows before the page was cut to its size: more than the limit if there are more
   * rows than that.
   */
  found: number;
}

interface PagedRows {
  /** A SELECT without ORDER BY and LIMIT; its column `bytes` is the size of a row's content. */
  rows: string;
  /** The columns of the order, which must be unique. */
  order: string;
  /** Of the page: the statement may return more rows than that. */
  limit: number;
}

/**
 * Returns a statement for one page of a list whose rows may be large. The page ends before the row
 * that would take its content above {@link PAGE_BYTES}, so the database sends no more than that. It
 * always has at least one row. Each row has the column of {@link Found}.
 *
 * The limit is part of the text: if it were a parameter, PostgreSQL would plan for a tenth of the
 * rows. It is the {@link statementLimit}, so a caller with another limit cuts the rows to its own.
 */
export function boundedPage({ rows, order, limit }: PagedRows): string {
  const most = statementLimit(limit);
  return `
    SELECT * FROM (
      SELECT page.*, count(*) OVER ()::integer AS found, row_number() OVER in_order AS position,
        sum(bytes) OVER in_order AS total
      FROM (${rows} ORDER BY ${order} LIMIT ${most + 1}) AS page
      WINDOW in_order AS (ORDER BY ${order})
    ) AS measured
    WHERE position <= ${most} AND (position = 1 OR total <= ${PAGE_BYTES})
    ORDER BY position`;
}
