/** Maximum number of rows that one page of a filtered list reads. */
export const SCAN_MAXIMUM = 1_000;

/** The columns of every row of a scanned page. */
export interface Scanned {
  matches: boolean;
  /** Whether it is the last row that the page may read, so there can be more rows after it. */
  is_last: boolean;
}

interface ScannedRows {
  /** A SELECT of the rows that the page may read, in order, at most {@link SCAN_MAXIMUM}. */
  rows: string;
  /** The columns of the order, which must be unique. */
  order: string;
  filter: string;
  limit: number;
}

/**
 * Returns a statement for one page of a list whose filter no index serves. It reads a limited
 * number of rows, so a page can be short although there is a next one. `cutScannedPage` cuts it.
 */
export const scannedPage = ({ rows, order, filter, limit }: ScannedRows) => `
  SELECT * FROM (
    SELECT numbered.*, (${filter}) IS TRUE AS matches, position = ${SCAN_MAXIMUM} AS is_last
    FROM (
      SELECT row.*, row_number() OVER (ORDER BY ${order}) AS position FROM (${rows}) AS row
    ) AS numbered
  ) AS scanned
  WHERE matches OR is_last
  ORDER BY position
  LIMIT ${limit}`;
