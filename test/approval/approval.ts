import { ApprovalExpiry } from '../../src/campaigns/approval/approval-expiry.service';
import {
  advertisement,
  createSurvey,
  images,
  imageSurvey,
  ladder,
  question,
  survey,
} from '../support/builders';
import { approvalOf, approvedKey, decide, waiting } from '../support/approvals';
import { Answer, Client, registerCompany } from '../support/client';
import { companyForEach } from '../support/fixtures';
import { earlier } from '../support/earlier';
import { eventually } from '../support/eventually';
import { generateKey, TestKey } from '../support/keys';
import { service } from '../support/service';
import { committedBy, limitedKey, toggle } from '../support/spending';

/** A campaign that costs 30 at most. */
const THIRTY = { reward_amount: 10, max_responses: 3 };

/** A campaign that costs 300 at most. */
const LARGE = { reward_amount: 10, max_responses: 30 };

const codeOf = ({ status, body }: Answer) => [status, body.error?.code];

describe('an approval', () => {
  const company = companyForEach();
  let key: TestKey;

  beforeEach(async () => {
    key = await approvedKey(company.account, 100);
  });

  const campaign = async (post_id: string) => {
    const { data, headers } = await company.api.get(`/svc/campaign/${post_id}`);
    return { ...data, version: Number(headers.get('etag')!.slice(1, -1)) };
  };
  const update = (post_id: string, fields: object, api: Client = key.api) =>
    api.patch('/svc/campaign/update', { post_id, ...fields });
  const approve = (approval_id: string) => decide(company.account, 'approve', { approval_id });
  const refuse = (approval_id: string, reason?: string) =>
    decide(company.account, 'refuse', { approval_id, reason });

  it('is needed for a start that commits more than the key may', async () => {
    const small = await createSurvey(key.api, THIRTY);
    expect((await toggle(key.api, small.post_id, true)).status).toBe(200);
    const { post_id } = await createSurvey(key.api, LARGE);
    const refused = await toggle(key.api, post_id, true);
    expect(refused.status).toBe(422);
    expect(refused.headers.get('etag')).toBeNull();
    expect(refused.body.error).toMatchObject({
      code: 'approval_required',
      approval_id: expect.stringMatching(/^apr_/),
      limit: 100,
      required: 300,
      currency: 'USD',
    });
    expect(await campaign(post_id)).toMatchObject({ is_live: false, version: 1 });
    const id = waiting(refused);
    expect(await approvalOf(key.api, id)).toMatchObject({
      approval_id: id,
      state: 'pending',
      key_id: key.key_id,
      operation: 'toggleLive',
      post_id,
      campaign_version: 1,
      currency: 'USD',
      commits: 300,
      adds: 300,
      decided_at: null,
    });
    const approved = await approve(id);
    expect(approved.data).toMatchObject({ state: 'approved', commits: 300, post_id });
    expect(approved.headers.get('etag')).toBe('"2"');
    expect(await campaign(post_id)).toMatchObject({ is_live: true, version: 2 });
    const history = await company.api.get(`/svc/campaign/${post_id}/history`);
    expect(history.data.items[0]).toMatchObject({
      actor: { id: key.key_id },
    });
  });

  it('is needed for a change of a live campaign that makes it cost more', async () => {
    const { post_id } = await createSurvey(key.api, THIRTY);
    await toggle(key.api, post_id, true);
    expect((await update(post_id, { max_responses: 10 })).status).toBe(200);
    const id = waiting(await update(post_id, { max_responses: 11 }));
    expect(await approvalOf(key.api, id)).toMatchObject({ commits: 110, adds: 10 });
    expect((await approve(id)).status).toBe(200);
    expect((await campaign(post_id)).max_responses).toBe(11);
    // What costs less needs none, and neither does what costs nothing, although it is above.
    for (const fields of [{ title: 'Another title' }, { budget: 105 }]) {
      expect((await update(post_id, fields)).status).toBe(200);
    }
    const rewards = { post_id, ...ladder(20, 4, 5, 6, 10) };
    waiting(await update(post_id, { budget: 106 }));
    expect((await key.api.patch('/svc/campaign/cohort-rewards', rewards)).status).toBe(200);
    expect((await toggle(key.api, post_id, false)).status).toBe(200);
  });

  it('is needed for a campaign whose cost nothing limits', async () => {
    const { post_id } = await createSurvey(key.api);
    const refused = await toggle(key.api, post_id, true);
    expect(refused.body.error?.required).toBeUndefined();
    const id = waiting(refused);
    expect(await approvalOf(key.api, id)).toMatchObject({ commits: null, adds: null });
    expect((await approve(id)).status).toBe(200);
    expect((await campaign(post_id)).is_live).toBe(true);
    waiting(await update(post_id, { reward_amount: 20 }));
    expect((await toggle(key.api, post_id, false)).status).toBe(200);
  });

  it('creates what was requested, whatever creates it', async () => {
    const ahead = { ...LARGE, starts_at: new Date(Date.now() + 3_600_000).toISOString() };
    const requests: [operation: string, path: string, body: object][] = [
      ['createSurvey', '/svc/survey/create', survey(ahead)],
      ['createAdvertisement', '/svc/advertisement/create', advertisement(ahead)],
      [
        'createRoundRobinSurvey',
        '/svc/image-survey/round-robin',
        imageSurvey({ ...ahead, images: images(3) }),
      ],
      ['createBinarySurvey', '/svc/image-survey/binary', imageSurvey(ahead)],
      ['createImageSliderSurvey', '/svc/image-survey/slider', imageSurvey(ahead)],
    ];
    for (const [operation, path, body] of requests) {
      const id = waiting(await key.api.post(path, body));
      expect(await approvalOf(key.api, id)).toMatchObject({
        operation,
        post_id: null,
        campaign_version: null,
        commits: 300,
      });
      expect((await company.api.get('/svc/campaign/list')).data.items).toHaveLength(
        requests.findIndex(([name]) => name === operation),
      );
      const { post_id } = (await approve(id)).data;
      expect(await campaign(post_id)).toMatchObject({ status: 'scheduled', max_responses: 30 });
    }
  });

  it('applies a document as it was sent, with all that it commits', async () => {
    const document = {
      external_ref: 'coffee',
      type: 'survey',
      ...survey(THIRTY),
      questions: [question()],
      is_live: true,
    };
    const apply = (fields: object) =>
      key.api.put('/svc/campaign/apply', { ...document, ...fields });
    const dry = await apply({ max_responses: 30, dry_run: true });
    expect(codeOf(dry)).toEqual([422, 'approval_required']);
    expect(dry.body.error?.approval_id).toBeUndefined();
    expect((await company.account.get('/svc/approval/list')).data.items).toEqual([]);

    const id = waiting(await apply({ max_responses: 30, budget: 200 }));
    expect(await approvalOf(key.api, id)).toMatchObject({ commits: 200, post_id: null });
    const { post_id } = (await approve(id)).data;
    expect(await campaign(post_id)).toMatchObject({ is_live: true, budget: 200 });

    // Two steps that cost more: the rewards, then the budget.
    const larger = waiting(await apply({ max_responses: 30, budget: 290, reward_amount: 20 }));
    expect(await approvalOf(key.api, larger)).toMatchObject({ commits: 290, adds: 90, post_id });
  });

  it('creates nothing from a document whose campaign was created meanwhile', async () => {
    const document = {
      external_ref: 'coffee',
      type: 'survey',
      ...survey(LARGE),
      questions: [question()],
      is_live: true,
    };
    const id = waiting(await key.api.put('/svc/campaign/apply', document));
    const other = { ...document, ...THIRTY, is_live: false };
    const { post_id } = (await company.api.put('/svc/campaign/apply', other)).data;
    expect(codeOf(await approve(id))).toEqual([412, 'version_conflict']);
    expect(await campaign(post_id)).toMatchObject({ is_live: false, max_responses: 3 });
    expect((await approvalOf(key.api, id)).state).toBe('outdated');
  });

  it('is only for the version of the campaign that was seen', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    await update(post_id, { reward_amount: 20 }, company.api);
    expect(codeOf(await approve(id))).toEqual([412, 'version_conflict']);
    expect(await approvalOf(key.api, id)).toMatchObject({ state: 'outdated', commits: 300 });
    expect((await campaign(post_id)).is_live).toBe(false);
    expect(codeOf(await approve(id))).toEqual([422, 'approval_closed']);
    expect(await approvalOf(key.api, waiting(await toggle(key.api, post_id, true)))).toMatchObject({
      commits: 600,
    });
  });

  it('keeps the version in If-Match', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const matching = (tag: string) => key.api.with({ 'if-match': tag });
    expect(codeOf(await toggle(matching('"2"'), post_id, true))).toEqual([412, 'version_conflict']);
    const id = waiting(await toggle(matching('"1", "2"'), post_id, true));
    expect((await approvalOf(key.api, id)).campaign_version).toBe(1);
    expect((await approve(id)).status).toBe(200);
  });

  it('carries the request out once, however often it is approved', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await campaign(post_id)).version).toBe(2);
    await toggle(company.api, post_id, false);
    expect((await approve(id)).data.state).toBe('approved');
    expect((await campaign(post_id)).is_live).toBe(false);
    expect(codeOf(await refuse(id))).toEqual([422, 'approval_closed']);
  });

  it('permits nothing but its request', async () => {
    const [one, other] = [await createSurvey(key.api, LARGE), await createSurvey(key.api, LARGE)];
    await approve(waiting(await toggle(key.api, one.post_id, true)));
    waiting(await toggle(key.api, other.post_id, true));
    waiting(await update(one.post_id, { max_responses: 31 }));
  });

  it('is refused for good, and so is the same request', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const refused = await refuse(id, 'Not this month');
    expect(refused.data).toMatchObject({ state: 'refused', reason: 'Not this month' });
    expect((await refuse(id)).data.reason).toBe('Not this month');
    expect(codeOf(await approve(id))).toEqual([422, 'approval_closed']);
    const again = await toggle(key.api, post_id, true);
    expect(codeOf(again)).toEqual([422, 'approval_refused']);
    expect(again.body.message).toContain('Not this month');
    expect((await campaign(post_id)).is_live).toBe(false);
    // Another request waits.
    await update(post_id, { max_responses: 20 });
    waiting(await toggle(key.api, post_id, true));
  });

  it('cannot be given after 72 hours', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    await service.dataSource.query(
      `UPDATE approval SET ${earlier("interval '73 hours'", 'requested_at', 'expires_at')}
       WHERE approval_id = stored_id($1)`,
      [id],
    );
    expect(codeOf(await approve(id))).toEqual([422, 'approval_closed']);
    const { state, decided_at, expires_at } = await approvalOf(key.api, id);
    expect([state, decided_at]).toEqual(['expired', expires_at]);
    expect((await campaign(post_id)).is_live).toBe(false);
    expect(waiting(await toggle(key.api, post_id, true))).not.toBe(id);
    expect((await approvalOf(key.api, id)).state).toBe('expired');
  });

  it('is the same one for the same request', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => waiting(await toggle(key.api, post_id, true))),
    );
    expect(new Set(ids).size).toBe(1);
    const keyed = key.api.with({ 'idempotency-key': 'start' });
    const first = await toggle(keyed, post_id, true);
    expect(waiting(first)).toBe(ids[0]);
    await approve(ids[0]!);
    const replayed = await toggle(keyed, post_id, true);
    expect(waiting(replayed)).toBe(ids[0]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect((await toggle(key.api, post_id, true)).status).toBe(200);
  });

  it('waits for whatever would refuse the request anyhow', async () => {
    const both = await generateKey(company.account, service.client, {
      approval_above: 100,
      spending_limit: { amount: 320, per: 'total' },
    });
    const { post_id } = await createSurvey(both.api, LARGE);
    const tooLarge = await createSurvey(both.api, { ...LARGE, max_responses: 40 });
    expect(codeOf(await toggle(both.api, tooLarge.post_id, true))).toEqual([
      422,
      'spending_limit_exceeded',
    ]);
    const id = waiting(await toggle(both.api, post_id, true));
    const small = await createSurvey(both.api, THIRTY);
    await toggle(both.api, small.post_id, true);
    expect(codeOf(await approve(id))).toEqual([422, 'spending_limit_exceeded']);
    expect((await approvalOf(both.api, id)).state).toBe('pending');
    await toggle(both.api, small.post_id, false);
    expect((await approve(id)).status).toBe(200);
    expect(await committedBy(company.account, both.key_id)).toBe(300);
  });

  it('cannot be given for a key that has ended, nor with a key, nor by another company', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    expect((await key.api.post('/svc/approval/approve', { approval_id: id })).status).toBe(401);
    const other = await registerCompany(service.client);
    for (const decision of ['approve', 'refuse'] as const) {
      const answer = await decide(other.account, decision, { approval_id: id });
      expect(codeOf(answer)).toEqual([404, 'approval_not_found']);
    }
    expect(codeOf(await other.api.get(`/svc/approval/${id}`))).toEqual([404, 'approval_not_found']);
    await company.account.post('/svc/api-key/revoke', { key_id: key.key_id });
    expect(codeOf(await approve(id))).toEqual([422, 'approval_key_ended']);
    expect((await campaign(post_id)).is_live).toBe(false);
    expect((await refuse(id)).status).toBe(200);
  });

  it('shows the account what it would approve', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const read = await company.account.get(`/svc/approval/${id}/request`);
    expect(read.data).toMatchObject({ approval_id: id, request: { post_id, is_live: true } });
    const list = async (query = '') =>
      (await company.account.get(`/svc/approval/list${query}`)).data.items.map(
        (item: { approval_id: string }) => item.approval_id,
      );
    const second = waiting(
      await key.api.post('/svc/survey/create', {
        ...survey(LARGE),
        starts_at: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
    expect(await list()).toEqual([second, id]);
    await refuse(second);
    expect(await list('?state=pending')).toEqual([id]);
    expect(await list('?state=refused')).toEqual([second]);
    expect(await list('?mode=test')).toEqual([]);
    const page = (await company.account.get('/svc/approval/list?limit=1')).data;
    const rest = await list(`?limit=1&cursor=${page.next_cursor}`);
    expect([page.items[0].approval_id, ...rest]).toEqual([second, id]);
  });

  it('of a test key is for test data', async () => {
    const test = await approvedKey(company.account, 100, { mode: 'test' });
    const { post_id } = await createSurvey(test.api, LARGE);
    const id = waiting(await toggle(test.api, post_id, true));
    expect(codeOf(await key.api.get(`/svc/approval/${id}`))).toEqual([404, 'approval_not_found']);
    const { items } = (await company.account.get('/svc/approval/list?mode=test')).data;
    expect(items).toMatchObject([{ approval_id: id }]);
    expect((await approve(id)).data.state).toBe('approved');
    expect((await test.api.get(`/svc/campaign/${post_id}`)).data.is_live).toBe(true);
  });

  it('waits beside at most 49 others of the company', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 60 }, () => createSurvey(key.api, LARGE)),
    );
    const answers = await Promise.all(drafts.map(({ post_id }) => toggle(key.api, post_id, true)));
    const codes = answers.map(({ body }) => body.error?.code);
    expect(codes.filter((code) => code === 'approval_required')).toHaveLength(50);
    expect(codes.filter((code) => code === 'too_many_approvals')).toHaveLength(10);
    const [first] = answers.filter(({ body }) => body.error?.approval_id !== undefined);
    await refuse(waiting(first!));
    const left = drafts[codes.indexOf('too_many_approvals')]!;
    waiting(await toggle(key.api, left.post_id, true));
  });

  it('is in the log of the company, with who did what', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    await refuse(id, 'Not this month');
    await eventually(async () => {
      const { items } = (await company.api.get(`/svc/event/list?subject=${id}`)).data;
      expect(items).toMatchObject([
        {
          type: 'approval.requested',
          actor: { type: 'api_key', id: key.key_id },
          changes: { operation: { new: 'toggleLive' }, post_id: { new: post_id } },
        },
        {
          type: 'approval.refused',
          actor: { type: 'account', id: company.companyId },
          changes: { reason: { new: 'Not this month' } },
        },
      ]);
    });
  });

  it('is stored as expired by itself, and forgotten after 90 days', async () => {
    const { post_id } = await createSurvey(key.api, LARGE);
    const id = waiting(await toggle(key.api, post_id, true));
    const { dataSource, app } = service;
    const move = (change: string) =>
      dataSource.query(`UPDATE approval SET ${change} WHERE approval_id = stored_id($1)`, [id]);
    const stored = () =>
      dataSource.query('SELECT state FROM approval WHERE approval_id = stored_id($1)', [id]);
    await move(`expires_at = requested_at`);
    await app.get(ApprovalExpiry).look();
    expect(await stored()).toEqual([{ state: 'expired' }]);
    await eventually(async () => {
      const { items } = (await company.api.get(`/svc/event/list?subject=${id}`)).data;
      expect(items[1]).toMatchObject({ type: 'approval.expired', actor: { type: 'service' } });
    });
    await move(`decided_at = now() - interval '89 days'`);
    await app.get(ApprovalExpiry).remove();
    expect(await stored()).toHaveLength(1);
    await move(`decided_at = now() - interval '91 days'`);
    await app.get(ApprovalExpiry).remove();
    expect(await stored()).toEqual([]);
  });

  it('is set and removed with the limits of a key, and kept by a rotation', async () => {
    const limits = (fields: object) =>
      company.account.patch('/svc/api-key/limits', { key_id: key.key_id, ...fields });
    expect((await limits({ spending_limit: { amount: 5, per: 'day' } })).data).toMatchObject({
      approval_above: 100,
      spending_limit: { amount: 5 },
    });
    expect((await limits({ spending_limit: null })).data.approval_above).toBe(100);
    expect(codeOf(await limits({}))).toEqual([400, 'nothing_to_update']);
    const rotated = await company.account.post('/svc/api-key/rotate', { key_id: key.key_id });
    const successor = service.client.withKey(rotated.data.api_key);
    expect(rotated.data.approval_above).toBe(100);
    const { post_id } = await createSurvey(successor, LARGE);
    waiting(await toggle(successor, post_id, true));
    const removed = { key_id: rotated.data.key_id, approval_above: null };
    await company.account.patch('/svc/api-key/limits', removed);
    expect((await toggle(successor, post_id, true)).status).toBe(200);
    const plain = await limitedKey(company.account, 1000);
    const { post_id: another } = await createSurvey(plain.api, LARGE);
    expect((await toggle(plain.api, another, true)).status).toBe(200);
  });
});
