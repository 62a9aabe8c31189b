import { createAdvertisement, createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { forgedCursors, madeUp, takeApart } from '../support/cursors';
import { companyForEach } from '../support/fixtures';
import { pagesOf } from '../support/pages';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the cursor of GET /svc/campaign/list', () => {
  const company = companyForEach();

  const page = async (query: object = {}, client = company.api) => {
    const parameters = new URLSearchParams({ ...query });
    const { status, body } = await client.get(`/svc/campaign/list?${parameters.toString()}`);
    return { status, error: body.error, ...body.data } as {
      status: number;
      error?: (typeof body)['error'];
      items: { id: number }[];
      next_cursor: string | null;
    };
  };

  /** Surveys of the company, all created at the same moment; their ids, newest first. */
  async function sameMoment(count: number): Promise<number[]> {
    const rows = await service.dataSource.query<{ id: string }[]>(
      `INSERT INTO campaign (post_id, company_id, type, format, title, description, category,
         tagline, reward_amount, cohort_rewards, updated_by, created_at)
       SELECT 'post_' || lpad((random() * 1e9)::bigint || lpad(n::text, 6, '0'), 26, '0'), $1, 'survey', 'questionnaire', 'A title', 'A description', 'food',
         'A tagline', 100, '{3,40,60,80,100}', 'key_x', '2026-03-01T00:00:00.001Z'
       FROM generate_series(1, $2) AS n
       RETURNING id`,
      [storedEnvironment(company.companyId), count],
    );
    return rows.map(({ id }) => Number(id)).sort((a, b) => b - a);
  }

  it('pages through campaigns of the same millisecond, none twice, none missed', async () => {
    const ids = await sameMoment(25);
    const pages = await pagesOf(company.api, '/svc/campaign/list?limit=4');
    expect(pages.flatMap(({ items }) => items.map(({ id }: { id: number }) => id))).toEqual(ids);
  });

  it('is null on a last page that is full', async () => {
    await sameMoment(4);
    const first = await page({ limit: 2 });
    const last = await page({ limit: 2, cursor: first.next_cursor });
    expect(last.items).toHaveLength(2);
    expect(last.next_cursor).toBeNull();
  });

  it('misses and repeats nothing while other clients create campaigns', async () => {
    const ids = await sameMoment(30);
    let walking = true;
    const others = Array.from({ length: 3 }, async () => {
      let created = 0;
      while (walking) {
        await createSurvey(company.api);
        created += 1;
      }
      return created;
    });
    const seen: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { items, next_cursor } = await page({ limit: 3, ...(cursor && { cursor }) });
      seen.push(...items.map(({ id }) => id));
      cursor = next_cursor;
      await createSurvey(company.api);
    }
    walking = false;
    const created = await Promise.all(others);
    expect(Math.min(...created)).toBeGreaterThan(0);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
  });

  it('accepts another limit on each page', async () => {
    const ids = await sameMoment(6);
    const first = await page({ limit: 1 });
    const second = await page({ limit: 3, cursor: first.next_cursor });
    const third = await page({ cursor: second.next_cursor });
    expect([...first.items, ...second.items, ...third.items].map(({ id }) => id)).toEqual(ids);
  });

  it('does not depend on the order of the parameters', async () => {
    await sameMoment(3);
    const { next_cursor } = await page({ type: 'survey', category: 'food', limit: 1 });
    const { status, items } = await page({
      category: 'food',
      cursor: next_cursor,
      type: 'survey',
    });
    expect([status, items.length]).toEqual([200, 2]);
  });

  it.each([
    [{}],
    [{ type: 'survey', is_live: 'false' }],
    [{ type: 'advertisement' }],
    [{ type: 'survey', format: 'questionnaire' }],
    [{ type: 'survey', category: 'food' }],
    [{ type: 'survey', created_after: '2020-01-01T00:00:00Z' }],
    [{ type: 'survey', created_before: '2030-01-01T00:00:00Z' }],
  ])('is refused with %j when issued for ?type=survey', async (filters) => {
    await sameMoment(2);
    const { next_cursor } = await page({ type: 'survey', limit: 1 });
    const { status, error } = await page({ ...filters, cursor: next_cursor });
    expect([status, error?.code]).toEqual([400, 'validation_failed']);
    expect(error?.details).toMatchObject([{ field: 'cursor', code: 'cursor_mismatch' }]);
  });

  it('is refused when issued to another company', async () => {
    await sameMoment(2);
    const { next_cursor } = await page({ limit: 1 });
    const other = await registerCompany(service.client);
    const { status, error } = await page({ cursor: next_cursor }, other.api);
    expect(status).toBe(400);
    expect(error?.details).toMatchObject([{ field: 'cursor', code: 'cursor_mismatch' }]);
  });

  it('cannot be forged to mean anything but a position in the list', async () => {
    const ids = await sameMoment(3);
    const { next_cursor } = await page({ limit: 1 });
    for (const cursor of forgedCursors(next_cursor!)) {
      const { status, error } = await page({ cursor });
      expect([cursor, status, error?.details[0]?.field]).toEqual([cursor, 400, 'cursor']);
    }
    const { list } = takeApart(next_cursor!);
    const huge = '9'.repeat(18);
    const far = await page({ cursor: madeUp({ after: [huge, huge], list }) });
    expect([far.status, far.items.map(({ id }) => id)]).toEqual([200, ids]);
    const near = await page({ cursor: madeUp({ after: ['0', '0'], list }) });
    expect([near.status, near.items]).toEqual([200, []]);
  });

  it('is not affected by later changes to the campaign it points at', async () => {
    const ids = await sameMoment(3);
    await createAdvertisement(company.api);
    const { next_cursor } = await page({ type: 'survey', is_live: 'false', limit: 1 });
    await service.dataSource.query('UPDATE campaign SET is_live = true WHERE id = $1', [ids[0]]);
    const { items } = await page({ type: 'survey', is_live: 'false', cursor: next_cursor });
    expect(items.map(({ id }) => id)).toEqual(ids.slice(1));
  });
});
