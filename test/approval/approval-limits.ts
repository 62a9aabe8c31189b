import { createSurvey, question, survey } from '../support/builders';
import { approvalOf, approvedKey, decide, waiting } from '../support/approvals';
import type { Answer } from '../support/client';
import { answeredSurvey, payBonus } from '../support/disputes';
import { itOnPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { expectReconciled, liveSurvey } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { generateKey, TestKey } from '../support/keys';
import { service } from '../support/service';
import { committedBy, toggle } from '../support/spending';
import { setTargeting } from '../support/targeting';

/** A campaign that costs 300 at most. */
const LARGE = { reward_amount: 10, max_responses: 30 };

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

describe('what needs an approval', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let key: TestKey;

  beforeEach(async () => {
    key = await approvedKey(company.account, 100);
  });

  const campaign = async (post_id: string) =>
    (await company.api.get(`/svc/campaign/${post_id}`)).data;
  const update = (post_id: string, fields: object, api = key.api) =>
    api.patch('/svc/campaign/update', { post_id, ...fields });
  const approve = (approval_id: string) => decide(company.account, 'approve', { approval_id });

  it('is dearer rewards of a campaign that nothing has limited, not its first limit', async () => {
    const post_id = await liveSurvey(company, { reward_amount: 10 });
    waiting(await update(post_id, { reward_amount: 1_000, budget: 5_000 }));
    expect((await update(post_id, { budget: 5_000 })).status).toBe(200);
    expect((await campaign(post_id)).reward_amount).toBe(10);

    const screened = await createSurvey(company.api, LARGE);
    const screening = (screen_out_reward: number, more: object = {}) => ({
      screening_questions: [{ type: 'number', question: 'How old?', key: 'age' }],
      qualify: { all: [{ question: 'age', op: 'at_least', value: 18 }] },
      screen_out_reward,
      ...more,
    });
    await setTargeting(company.api, screened.post_id, screening(1));
    await toggle(company.api, screened.post_id, true);
    const dear = screening(1_000, { maximum_screen_outs: 1_000 });
    waiting(await setTargeting(key.api, screened.post_id, dear));
    const cheap = screening(1, { maximum_screen_outs: 1_000 });
    expect((await setTargeting(key.api, screened.post_id, cheap)).status).toBe(200);
  });

  it('counts against a spending limit in the same way', async () => {
    const spending_limit = { amount: 100, per: 'total' };
    const limited = await generateKey(company.account, service.client, { spending_limit });
    const post_id = await liveSurvey(company, { reward_amount: 10 });
    const dear = await update(post_id, { reward_amount: 1_000, budget: 5_000 }, limited.api);
    expect(codeOf(dear)).toEqual([422, 'spending_limit_exceeded']);
    expect((await update(post_id, { budget: 5_000 }, limited.api)).status).toBe(200);
    expect(await committedBy(company.account, limited.key_id)).toBe(0);
    const other = await liveSurvey(company, { reward_amount: 10 });
    expect((await update(other, { reward_amount: 20, budget: 90 }, limited.api)).status).toBe(200);
    expect(await committedBy(company.account, limited.key_id)).toBe(90);
    await expectReconciled(company.api);
  });

  it('is a document as a whole, not one of its steps', async () => {
    const document = {
      external_ref: 'coffee',
      type: 'survey',
      ...survey({ reward_amount: 10, max_responses: 8 }),
      questions: [question()],
      targeting: {
        attributes: [],
        screening_questions: [{ type: 'number', question: 'How old?', key: 'age' }],
        qualify: { all: [{ question: 'age', op: 'at_least', value: 18 }] },
        screen_out_reward: 1,
        maximum_screen_outs: 20,
      },
      is_live: true,
    };
    const apply = (fields: object) =>
      key.api.put('/svc/campaign/apply', { ...document, ...fields });
    const { post_id } = (await apply({})).data;
    // In the first step, it could cost 120.
    const changed = await apply({ max_responses: 10, targeting: null });
    expect(changed.data.changed_fields).toEqual(expect.arrayContaining(['max_responses']));
    expect((await campaign(post_id)).max_responses).toBe(10);
    expect((await company.account.get('/svc/approval/list')).data.items).toEqual([]);
    const id = waiting(await apply({ max_responses: 11, targeting: null }));
    expect(await approvalOf(key.api, id)).toMatchObject({ commits: 110, adds: 10 });
    const left = await service.dataSource.query(
      `SELECT FROM approval WHERE key_id = stored_id($1) AND state = 'approved'`,
      [key.key_id],
    );
    expect(left).toEqual([]);
  });

  it('is permitted by nothing that is stored, and told with the same amounts afterwards', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const { data } = await approve(id);
    expect(data).toMatchObject({ state: 'approved', commits: 300, adds: 300, post_id });
    expect(await service.dataSource.query('SELECT FROM approval WHERE run_in IS NOT NULL')).toEqual(
      [],
    );
  });

  it('has a campaign also if the key needs no approval any more', async () => {
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = waiting(await key.api.post('/svc/survey/create', survey({ ...LARGE, starts_at })));
    await company.account.patch('/svc/api-key/limits', {
      key_id: key.key_id,
      approval_above: null,
    });
    const { post_id } = (await approve(id)).data;
    expect((await campaign(post_id)).status).toBe('scheduled');
    await eventually(async () => {
      const { items } = (await company.api.get('/svc/event/list?limit=100')).data;
      const [created, approved] = ['campaign.created', 'approval.approved'].map((name) =>
        items.find(({ type }: { type: string }) => type === name),
      );
      expect(approved.changes.post_id.new).toBe(post_id);
      expect(created.seq).toBeLessThan(approved.seq);
    });
  });

  it('waits once for a campaign that changes, so that it takes no place of others', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const ids: string[] = [];
    for (let change = 0; change < 3; change += 1) {
      await update(post_id, { tagline: `Tagline ${change}` });
      ids.push(waiting(await toggle(key.api, post_id, true)));
    }
    const states = await Promise.all(ids.map((id) => approvalOf(key.api, id)));
    expect(states.map(({ state }) => state)).toEqual(['outdated', 'outdated', 'pending']);
    expect((await approve(ids.at(-1)!)).status).toBe(200);
  });

  it('is void if the campaign can cost more by then', async () => {
    const place = await answeredSurvey(company, platform, LARGE);
    const { post_id } = place;
    await toggle(company.api, post_id, false);
    const id = waiting(await toggle(key.api, post_id, true));
    await payBonus(key.api, place, 50, 'a bonus');
    const refused = await approve(id);
    expect(codeOf(refused)).toEqual([412, 'version_conflict']);
    expect(refused.headers.get('etag')).toBeNull();
    expect((await campaign(post_id)).is_live).toBe(false);
    expect((await approvalOf(key.api, id)).state).toBe('outdated');
  });

  it('is the same request in another order of fields', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const send = (text: string) => key.api.send('PATCH', '/svc/campaign/toggle-live', text);
    const first = waiting(await send(`{"post_id": "${post_id}", "is_live": true}`));
    expect(waiting(await send(`{"is_live":true,"post_id":"${post_id}"}`))).toBe(first);
  });

  itOnPostgres('waits for a decision about the same request that is under way', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const session = service.dataSource.createQueryRunner();
    await session.startTransaction();
    await session.query(
      `UPDATE approval SET expires_at = requested_at WHERE approval_id = stored_id($1)`,
      [id],
    );
    const again = toggle(key.api, post_id, true);
    await session.commitTransaction();
    await session.release();
    expect(['pending', 'expired']).toContain(
      (await approvalOf(key.api, waiting(await again))).state,
    );
    expect(waiting(await toggle(key.api, post_id, true))).not.toBe(id);
  });
});
