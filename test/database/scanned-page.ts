import { SCAN_MAXIMUM, Scanned, scannedPage } from '../../src/platform/database/scanned-page';
import { cutScannedPage, readCursor } from '../../src/platform/protocol/cursor';
import { service } from '../support/service';

const ROWS = 2_500;
const LIMIT = 20;

describe('a page that reads a limited number of rows', () => {
  /** Reads the numbers from ROWS down to 1 that the filter leaves, page by page. */
  async function walk(filter: string): Promise<number[][]> {
    const statement = scannedPage({
      rows: `SELECT n FROM generate_series(1, ${ROWS}) AS n WHERE n < $1::integer
        ORDER BY n DESC LIMIT ${SCAN_MAXIMUM}`,
      order: 'n DESC',
      filter,
      limit: LIMIT + 1,
    });
    const pages: number[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const [before = ROWS + 1] = readCursor(cursor, 'numbers', ['number']);
      const rows = await service.dataSource.query<(Scanned & { n: number })[]>(statement, [before]);
      const page = cutScannedPage(rows, LIMIT, ({ n }) => [String(n)], 'numbers');
      pages.push(page.items.map(({ n }) => n));
      cursor = page.nextCursor;
    }
    return pages;
  }

  it.each([
    ['rare matches', 'n % 700 = 0', 3],
    ['no match', 'n > 9000', 3],
    ['an unknown match', 'NULL', 3],
    ['a match in the last row that a page reads', `n = ${ROWS - SCAN_MAXIMUM + 1}`, 3],
    ['as many matches as a page has', `n > ${ROWS - LIMIT}`, 3],
    ['matches only', 'true', ROWS / LIMIT],
  ])('returns every match once: %s', async (_, filter, count) => {
    const all = Array.from({ length: ROWS }, (__, index) => ROWS - index);
    const [{ matching }] = await service.dataSource.query<[{ matching: number[] | null }]>(
      `SELECT array_agg(n ORDER BY n DESC) AS matching FROM unnest($1::integer[]) AS n
       WHERE ${filter}`,
      [all],
    );
    const pages = await walk(filter);
    expect(pages.flat()).toEqual(matching ?? []);
    expect(pages).toHaveLength(count);
  });
});
