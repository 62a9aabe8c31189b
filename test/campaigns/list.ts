import fc from 'fast-check';
import { createAdvertisement, createImageSurvey, createSurvey } from '../support/builders';
import { Answer, registerCompany } from '../support/client';
import { NO_PROGRESS } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { UNLIMITED } from '../support/life';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { pagesOf } from '../support/pages';

interface Item {
  id: number;
  post_id: string;
  type: string;
  format: string | null;
  category: string;
  title: string;
  external_ref: string | null;
  is_live: boolean;
  created_at: string;
}

type Row = Omit<Item, 'id' | 'created_at'> & { id: string; created_at: Date };

/** The filters of a list; an absent one does not filter. */
interface Filters {
  type?: string;
  format?: string;
  is_live?: boolean;
  category?: string;
  search?: string;
  created_after?: string;
  created_before?: string;
}

const TYPES = ['survey', 'advertisement'];
const FORMATS = ['questionnaire', 'round_robin', 'binary', 'image_slider'];
const SEARCHES = ['CAMPAIGN 1', '5', 'order', 'order/4', '%', 'campaign 60'];
const CATEGORIES = ['food', 'food:extra', 'Food', 'cars & bikes', 'ünïcode 😀'];

/** Many campaigns share a creation time. */
const MOMENTS = Array.from({ length: 12 }, (_, hour) =>
  new Date(Date.UTC(2026, 2, 1, hour)).toISOString(),
);

describe('GET /svc/campaign/list', () => {
  const company = companyForAll();
  /** Every campaign of the company, newest first. */
  let all: Item[];

  beforeAll(async () => {
    const { api } = company;
    for (let n = 0; n < 60; n += 1) {
      const fields = { category: CATEGORIES[n % CATEGORIES.length], title: `Campaign ${n}` };
      const { post_id } = await [
        () => createSurvey(api, fields),
        () => createAdvertisement(api, fields),
        () => createImageSurvey(api, 'round-robin', fields),
        () => createImageSurvey(api, 'binary', fields),
        () => createImageSurvey(api, 'slider', fields),
        () => createSurvey(api, fields),
      ][n % 6]!();
      await service.dataSource.query(
        `UPDATE campaign SET is_live = $2, created_at = $3, external_ref = $4 WHERE post_id = $1`,
        [
          post_id,
          (n * 5) % 7 < 3,
          MOMENTS[(n * 7) % 12],
          n % 20 < 2 ? `${['Order', 'order'][n % 20]}/${n}` : null,
        ],
      );
    }
    const rows = await service.dataSource.query<Row[]>(
      `SELECT id, post_id, type, format, category, title, external_ref, is_live, created_at
       FROM campaign
       WHERE company_id = $1`,
      [storedEnvironment(company.companyId)],
    );
    all = rows
      .map((row) => ({ ...row, id: Number(row.id), created_at: row.created_at.toISOString() }))
      .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
  });

  const list = (query: object = {}, client = company.api): Promise<Answer> =>
    client.get(`/svc/campaign/list?${new URLSearchParams({ ...query }).toString()}`);

  /** Reads every item of a list, page by page. */
  async function walk(query: object, limit = 100): Promise<number[]> {
    const search = new URLSearchParams({ ...query, limit: String(limit) });
    const pages = await pagesOf(company.api, `/svc/campaign/list?${search.toString()}`);
    for (const { items } of pages) {
      expect(items.length).toBeLessThanOrEqual(limit);
    }
    return pages.flatMap(({ items }) => items.map(({ id }: Item) => id));
  }

  /** Computes the expected list. */
  const expected = (filters: Filters): number[] =>
    all
      .filter(
        (item) =>
          (filters.type ?? item.type) === item.type &&
          (filters.format ?? item.format) === item.format &&
          (filters.is_live ?? item.is_live) === item.is_live &&
          (filters.category ?? item.category) === item.category &&
          `${item.title}\n${item.external_ref}`
            .toLowerCase()
            .includes(filters.search?.toLowerCase() ?? '') &&
          Date.parse(item.created_at) > Date.parse(filters.created_after ?? '0001-01-02') &&
          Date.parse(item.created_at) < Date.parse(filters.created_before ?? '9999-12-31'),
      )
      .map(({ id }) => id);

  it('returns exactly the fields of a summary', async () => {
    const { review_days: _, maximum_dispute_share: __, ...withoutTerms } = UNLIMITED;
    const { body } = await list({ limit: 1 });
    expect(body).toEqual({
      success: true,
      message: 'Campaigns listed.',
      data: {
        items: [
          {
            ...all[0],
            mode: 'live',
            status: expect.stringMatching(/^(draft|live)$/),
            status_reasons: [],
            stop_reason: null,
            currency: 'USD',
            ...withoutTerms,
            progress: NO_PROGRESS,
            reward_amount: 100,
            updated_at: expect.stringMatching(/Z$/),
          },
        ],
        next_cursor: expect.any(String),
      },
    });
  });

  it('returns the newest first, in order of creation within a moment, 20 items by default', async () => {
    const { body } = await company.api.get('/svc/campaign/list');
    expect(body.data.items.map((item: Item) => item.id)).toEqual(expected({}).slice(0, 20));
  });

  it.each<Filters>([
    ...TYPES.map((type) => ({ type })),
    ...FORMATS.map((format) => ({ format })),
    { is_live: true },
    { is_live: false },
    ...CATEGORIES.map((category) => ({ category })),
    ...SEARCHES.slice(0, 4).map((search) => ({ search })),
    { created_after: MOMENTS[5] },
    { created_before: MOMENTS[5] },
    { type: 'survey', format: 'binary', is_live: true },
    { created_after: MOMENTS[3], created_before: MOMENTS[5] },
  ])('returns every campaign that matches %j and no other', async (filters) => {
    const ids = expected(filters);
    expect(ids).not.toHaveLength(0);
    expect(await walk(filters)).toEqual(ids);
  });

  it.each<Filters>([
    { type: 'advertisement', format: 'binary' },
    { category: 'foo' },
    { category: '%' },
    { category: 'extra' },
    { search: '%' },
    { search: 'campaign 60' },
    { created_after: MOMENTS[3], created_before: MOMENTS[4] },
    { created_after: MOMENTS[5], created_before: MOMENTS[3] },
    { created_after: MOMENTS[11] },
    { created_before: MOMENTS[0] },
  ])('returns nothing for %j', async (filters) => {
    const { data } = await list(filters);
    expect(data).toEqual({ items: [], next_cursor: null });
  });

  it('combines any filters, whatever the page size', async () => {
    const optional = <T>(values: readonly T[]) =>
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
    const filters = fc.record({
      type: optional(TYPES),
      format: optional(FORMATS),
      is_live: optional([true, false]),
      category: optional(CATEGORIES),
      search: optional(SEARCHES),
      created_after: optional(MOMENTS),
      created_before: optional(MOMENTS),
    });
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 7, max: 30 }), async (combined, limit) => {
        const asked = Object.fromEntries(
          Object.entries(combined).filter(([, value]) => value !== undefined),
        );
        expect(await walk(asked, limit)).toEqual(expected(asked));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['2026-03-01T07:00:00+02:00', MOMENTS[5]],
    ['2026-02-28T23:30:00-05:30', MOMENTS[5]],
    ['2026-03-01T05:00:00.000000000Z', MOMENTS[5]],
  ])('accepts %s in any time zone', async (moment, same) => {
    expect(await walk({ created_after: moment })).toEqual(expected({ created_after: same }));
    expect(await walk({ created_before: moment })).toEqual(expected({ created_before: same }));
  });

  it('excludes created_after and created_before themselves, to a fraction of a millisecond', async () => {
    const late = MOMENTS[5]!.replace('.000Z', '.0004Z');
    expect(await walk({ created_after: late })).toEqual(expected({ created_after: MOMENTS[5] }));
    expect(await walk({ created_before: late })).toEqual(
      expected({ created_before: MOMENTS[5]!.replace('.000Z', '.001Z') }),
    );
  });

  it.each([
    ['0001-01-02T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    ['0099-12-31T23:59:59Z', '9999-12-31T23:59:59.999999999Z'],
    ['0001-01-02T23:59:59+23:59', '9999-12-31T00:00:00-23:59'],
  ])('accepts times between the years %s and %s', async (created_after, created_before) => {
    expect(await walk({ created_after, created_before })).toEqual(expected({}));
    expect(await walk({ created_after: created_before })).toEqual([]);
    expect(await walk({ created_before: created_after })).toEqual([]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=2&limit=3', 'limit'],
    ['type=Survey', 'type'],
    ['format=advertisement', 'format'],
    ['is_live=1', 'is_live'],
    ['category=', 'category'],
    ['category=%00', 'category'],
    [`category=${'x'.repeat(101)}`, 'category'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['created_after=2026-01-01', 'created_after'],
    ['created_after=2026-01-01T00:00:00+01:00', 'created_after'],
    ['created_before=0000-01-01T00:00:00Z', 'created_before'],
    ['cursor=', 'cursor'],
    [`cursor=${'A'.repeat(501)}`, 'cursor'],
    ['offset=1', 'offset'],
    ['company_id=co_1', 'company_id'],
    ['constructor=x', 'constructor'],
    ['__proto__=x', '__proto__'],
    ['limit[]=1', 'limit[]'],
  ])('refuses ?%.60s, naming %s', async (query, field) => {
    const { status, body } = await company.api.get(`/svc/campaign/list?${query}`);
    expect([status, body.error?.code]).toEqual([400, 'validation_failed']);
    expect(body.error?.details.map((detail) => detail.field)).toEqual([field]);
  });

  it('names every wrong parameter at once', async () => {
    const { body } = await list({ limit: 'x', type: 'x', is_live: 'x', nonsense: 'x' });
    expect(body.error?.details.map(({ field }) => field).sort()).toEqual([
      'is_live',
      'limit',
      'nonsense',
      'type',
    ]);
  });

  it('accepts 1 and 100 as limit', async () => {
    expect((await list({ limit: 1 })).body.data.items).toHaveLength(1);
    expect((await list({ limit: 100 })).body.data).toMatchObject({ next_cursor: null });
  });

  it('returns campaigns of one company only', async () => {
    const other = await registerCompany(service.client);
    expect((await list({}, other.api)).body.data).toEqual({ items: [], next_cursor: null });
  });
});
