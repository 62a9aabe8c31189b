import fc from 'fast-check';
import { CAMPAIGN_STATUSES } from '../../src/campaigns/campaign/campaign.types';
import { registerCompany, TestCompany } from '../support/client';
import { stopClock } from '../support/life';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { pagesOf } from '../support/pages';

/** Number of random rows. */
const ROWS = 400;

const HOUR = 3_600_000;

const EXHAUSTIONS = ['max_responses_reached', 'budget_spent'];

const time = fc.option(fc.integer({ min: -5, max: 5 }).map((hours) => hours + 0.5));

/** Any row that the database accepts. */
const row = fc
  .record({
    is_live: fc.boolean(),
    archived: fc.boolean(),
    starts_at: time,
    ends_at: time,
    due: fc.constantFrom('starts_at', 'ends_at', null),
    exhausted_by: fc.option(fc.subarray(EXHAUSTIONS, { minLength: 1 }), { freq: 1 }),
    stop_reason: fc.option(fc.constantFrom('stopped_by_owner', 'ends_at_passed', 'archived')),
  })
  .map(({ due, ...fields }) => ({ ...fields, due_at: due === null ? null : fields[due] }))
  // What the triggers of the table refuse or never write.
  .filter(({ starts_at, ends_at }) => starts_at === null || ends_at === null || starts_at < ends_at)
  .filter(({ is_live, archived, exhausted_by, ends_at, due_at, stop_reason }) =>
    archived || exhausted_by !== null
      ? due_at === null && !is_live
      : !is_live || (due_at === ends_at && stop_reason === null),
  );

interface Shown {
  post_id: string;
  category: string;
  status: string;
  is_live: boolean;
}

describe('the status of a campaign', () => {
  let company: TestCompany;
  /** Every campaign as its own response shows it, newest first. */
  const shown: Shown[] = [];
  const now = Date.now();

  beforeAll(async () => {
    stopClock(service.app);
    company = await registerCompany(service.client);
    const dateOf = (hours: number | null) => (hours === null ? null : new Date(now + hours * HOUR));
    for (const [index, fields] of fc.sample(row, ROWS).entries()) {
      await tamper(service.dataSource, (session) =>
        session.query(
          `INSERT INTO campaign (company_id, post_id, type, format, title, description, category,
             tagline, reward_amount, cohort_rewards, largest_reward, updated_by, is_live, archived,
             starts_at, ends_at, due_at, exhausted_by, stop_reason, created_at, status)
           VALUES ($1, $2, 'survey', 'questionnaire', 't', 'd', $10, 't', 100, '{3,40,60,80,100}',
             100, 'key_x', $3, $4, $5, $6, $7, $8, $9, now() + $11 * interval '1 second',
             campaign_stored_status($3, $4, $5, $6, $7, $8, $9))`,
          [
            storedEnvironment(company.companyId),
            `post_${String(index).padStart(26, '0')}`,
            fields.is_live,
            fields.archived,
            dateOf(fields.starts_at),
            dateOf(fields.ends_at),
            dateOf(fields.due_at),
            fields.exhausted_by,
            fields.stop_reason,
            index % 2 === 0 ? 'even' : 'odd',
            index,
          ],
        ),
      );
    }
    const rows = await service.dataSource.query<{ post_id: string }[]>(
      'SELECT post_id FROM campaign WHERE company_id = $1 ORDER BY created_at DESC, id DESC',
      [storedEnvironment(company.companyId)],
    );
    for (const { post_id } of rows) {
      shown.push((await company.api.get(`/svc/campaign/${post_id}`)).body.data);
    }
  });

  async function listed(query: Record<string, unknown>): Promise<string[]> {
    const search = new URLSearchParams({ ...(query as Record<string, string>), limit: '7' });
    const pages = await pagesOf(company.api, `/svc/campaign/list?${search.toString()}`);
    const items = pages.flatMap((page) => page.items);
    expect(items.filter(({ is_live, status }) => is_live !== (status === 'live'))).toEqual([]);
    return items.map(({ post_id }) => post_id);
  }

  it.each([
    {},
    ...CAMPAIGN_STATUSES.map((status) => ({ status })),
    { is_live: true },
    { is_live: false },
    { archived: true },
    { archived: false },
    { status: 'completed', is_live: true },
    { status: 'completed', is_live: false, category: 'odd' },
    { status: 'live', category: 'even' },
    { status: 'archived', archived: true },
    { status: 'archived', archived: false },
    { status: 'live', archived: true },
  ] as { status?: string; is_live?: boolean; archived?: boolean; category?: string }[])(
    'is the same in the filter of a list and in a response: %j',
    async (query) => {
      const { status, is_live, category } = query;
      const archived = query.archived ?? status === 'archived';
      const expected = shown.filter(
        (each) =>
          (status === undefined || each.status === status) &&
          (is_live === undefined || each.is_live === is_live) &&
          (category === undefined || each.category === category) &&
          (each.status === 'archived') === archived,
      );
      expect(await listed(query)).toEqual(expected.map(({ post_id }) => post_id));
    },
  );

  it('is each status for some of the rows', () => {
    const found = new Set(shown.map(({ status }) => status));
    expect([...found].sort()).toEqual([...CAMPAIGN_STATUSES].sort());
  });
});
