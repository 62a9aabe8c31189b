import { DisputeLapse } from '../../src/fielding/dispute/dispute-lapse.service';
import { registry } from '../../src/platform/metrics/metrics.registry';
import { Client, registerCompany, TestCompany } from '../support/client';
import {
  ageDispute,
  ageResponse,
  ALL_DISPUTABLE,
  answeredSurvey,
  decideDispute,
  eraseRespondent,
  openDispute,
  payBonus,
  progressOf,
  responseTo,
  reversePart,
} from '../support/disputes';
import { allEvents } from '../support/feed';
import { Begun, begun, expectReconciled, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { createSurvey } from '../support/builders';
import { generateKey } from '../support/keys';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';

const statesIn = async (api: Client, path: string, state?: string) =>
  (await api.get(path + (state === undefined ? '' : `?state=${state}`))).data.items.map(
    (item: { participation_id: string; state: string; has_lapsed: boolean }) => [
      item.participation_id,
      item.has_lapsed ? 'lapsed' : item.state,
    ],
  );

const COMPANY = '/svc/response/disputes';
const PLATFORM = '/svc/fielding/disputes';

describe('disputes', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const eventsOf = async (participationId: string) =>
    (await allEvents(company.api, 5))
      .filter(({ subject }) => subject === participationId)
      .map(({ type, version, actor }) => [type, version, actor.type]);

  it('are opened once for a response, and shown to both sides', async () => {
    const own = await platformClient(service, 'both sides');
    const ann = await answeredSurvey(company, own, ALL_DISPUTABLE);
    const { post_id, participation_id } = ann;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => openDispute(company.api, ann)),
    );
    const dispute = {
      post_id,
      participation_id,
      state: 'open',
      reason: 'Random answers',
      note: null,
      opened_at: expect.any(String),
      lapses_at: expect.any(String),
      decided_at: null,
      has_lapsed: false,
    };
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([200, dispute]);
    }
    const { opened_at, lapses_at } = answers[0]!.body.data;
    expect(Date.parse(lapses_at) - Date.parse(opened_at)).toBe(14 * 24 * 60 * 60 * 1_000);
    expectError(await openDispute(company.api, ann, 'Too fast'), 409, 'dispute_exists');
    expect((await company.api.get(COMPANY)).data).toEqual({ items: [dispute], next_cursor: null });
    expect((await own.get(PLATFORM)).data).toEqual({ items: [dispute], next_cursor: null });
    expect(await progressOf(company.api, post_id)).toMatchObject({ disputed: 1, spent: 100 });
    expect((await allEvents(company.api, 4)).at(-1)).toMatchObject({
      type: 'dispute.opened',
      subject: participation_id,
      version: 2,
      changes: { post_id: { new: post_id }, reason: { new: 'Random answers' } },
    });
  });

  it('reverse the response, with its bonus, when the platform accepts', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    await openDispute(company.api, ann);
    await payBonus(company.api, ann, 20, 'b-1');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => decideDispute(platform, ann, true)),
    );
    for (const { body } of answers) {
      expect(body.data).toMatchObject({ state: 'accepted', decided_at: expect.any(String) });
    }
    expectError(await decideDispute(platform, ann, false), 422, 'dispute_closed');
    const read = await platform.get(`/svc/fielding/participation/${ann.participation_id}`);
    expect(read.data).toMatchObject({
      status: 'reversed',
      reversal_reason: 'Random answers',
      reward: 100,
      bonus: 20,
    });
    expect(await progressOf(company.api, ann.post_id)).toMatchObject({ spent: 0, reversed: 1 });
    expect(await eventsOf(ann.participation_id)).toEqual([
      ['response.submitted', 1, 'platform'],
      ['dispute.opened', 2, 'api_key'],
      ['response.bonus_paid', 3, 'api_key'],
      ['dispute.accepted', 4, 'platform'],
      ['response.reversed', 5, 'platform'],
    ]);
    await expectReconciled(company.api);
  });

  it('leave the reward when the platform declines, and say why', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    await openDispute(company.api, ann);
    for (const _ of [1, 2]) {
      expect((await decideDispute(platform, ann, false, 'Consistent')).data).toMatchObject({
        state: 'declined',
        note: 'Consistent',
        has_lapsed: false,
      });
    }
    expectError(await decideDispute(platform, ann, false, 'Other'), 422, 'dispute_closed');
    expectError(await decideDispute(platform, ann, true), 422, 'dispute_closed');
    expect(await progressOf(company.api, ann.post_id)).toMatchObject({ spent: 100, reversed: 0 });
    const last = (await allEvents(company.api, 5)).at(-1)!;
    expect(last).toMatchObject({ type: 'dispute.declined', version: 3 });
    expect(last.changes).toMatchObject({ has_lapsed: { new: false }, note: { new: 'Consistent' } });
    // A platform can still reverse by itself, and a declined dispute stays declined.
    await reversePart(platform, ann);
    expect(await statesIn(company.api, COMPANY)).toEqual([[ann.participation_id, 'declined']]);
    await expectReconciled(company.api);
  });

  it('are accepted by a reversal', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    await openDispute(company.api, ann);
    await reversePart(platform, ann);
    expect(await statesIn(company.api, COMPANY)).toEqual([[ann.participation_id, 'accepted']]);
    expect(await eventsOf(ann.participation_id)).toEqual([
      ['response.submitted', 1, 'platform'],
      ['dispute.opened', 2, 'api_key'],
      ['dispute.accepted', 3, 'platform'],
      ['response.reversed', 4, 'platform'],
    ]);
    await expectReconciled(company.api);
  });

  it('are declined by themselves after 14 days, stored or not', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    const bob = await responseTo(platform, ann.post_id, 'bob');
    const cleo = await responseTo(platform, ann.post_id, 'cleo');
    for (const part of [ann, bob, cleo]) {
      await openDispute(company.api, part);
    }
    await ageDispute(service.dataSource, ann, 14);
    await ageDispute(service.dataSource, cleo, 14);
    expect(await statesIn(company.api, COMPANY, 'open')).toEqual([[bob.participation_id, 'open']]);
    expect(await statesIn(company.api, COMPANY, 'declined')).toEqual([
      [cleo.participation_id, 'lapsed'],
      [ann.participation_id, 'lapsed'],
    ]);
    expectError(await decideDispute(platform, ann, true), 422, 'dispute_closed');
    expectError(await decideDispute(platform, ann, false), 422, 'dispute_closed');
    await service.app.get(DisputeLapse).look();
    expect(await statesIn(company.api, COMPANY)).toEqual([
      [bob.participation_id, 'open'],
      [cleo.participation_id, 'lapsed'],
      [ann.participation_id, 'lapsed'],
    ]);
    for (const part of [ann, cleo]) {
      expect((await eventsOf(part.participation_id)).at(-1)).toEqual([
        'dispute.declined',
        3,
        'service',
      ]);
    }
    expect(await progressOf(company.api, ann.post_id)).toMatchObject({ spent: 300, reversed: 0 });
    await expectReconciled(company.api);
  });

  it('count in a metric while they wait', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    const waiting = async () => {
      await service.app.get(DisputeLapse).look();
      return Number(/^fielding_disputes_waiting (\d+)$/m.exec(await registry.metrics())![1]);
    };
    const before = await waiting();
    await openDispute(company.api, ann);
    expect(await waiting()).toBe(before + 1);
    await decideDispute(platform, ann, false);
    expect(await waiting()).toBe(before);
  });

  it('are opened within review_days of the submission, and only if the campaign states both', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    const bob = await responseTo(platform, ann.post_id, 'bob');
    await ageResponse(service.dataSource, ann, 6.99);
    await ageResponse(service.dataSource, bob, 7.01);
    expect((await openDispute(company.api, ann)).status).toBe(200);
    expectError(await openDispute(company.api, bob), 422, 'response_too_old');
    for (const fields of [
      {},
      { review_days: 7 },
      { maximum_dispute_share: 1 },
      { ...ALL_DISPUTABLE, review_days: 0 },
      { ...ALL_DISPUTABLE, maximum_dispute_share: 0 },
    ]) {
      const cleo = await answeredSurvey(company, platform, fields);
      expectError(await openDispute(company.api, cleo), 422, 'disputes_not_offered');
    }
  });

  it('stay within the share of the responses, though 50 come at once', async () => {
    const terms = { review_days: 1, maximum_dispute_share: 0.079 };
    const post_id = await liveSurvey(company, terms);
    const parts = await Promise.all(
      Array.from({ length: 50 }, (_, n) => responseTo(platform, post_id, `r${n}`)),
    );
    const answers = await Promise.all(parts.map((part) => openDispute(company.api, part)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(47);
    for (const answer of refused) {
      expectError(answer, 422, 'dispute_share_reached');
    }
    const [first, second] = parts.filter((_, n) => answers[n]!.status === 200);
    await decideDispute(platform, first!, false);
    await decideDispute(platform, second!, true);
    const left = parts.find((_, n) => answers[n]!.status !== 200)!;
    expectError(await openDispute(company.api, left), 422, 'dispute_share_reached');
    await responseTo(platform, post_id, 'one more');
    expect((await openDispute(company.api, left)).status).toBe(200);
    expect(await progressOf(company.api, post_id)).toMatchObject({ disputed: 4 });
    await expectReconciled(company.api);
  });

  it('are not about what is open, reversed or erased', async () => {
    const post_id = await liveSurvey(company, ALL_DISPUTABLE);
    const ann = await begun(platform, post_id, `${company.companyId} ann`);
    expectError(await openDispute(company.api, ann), 422, 'participation_not_submitted');
    await submit(platform, ann, 9);
    const bob = await responseTo(platform, post_id, 'bob');
    await reversePart(platform, bob);
    expectError(await openDispute(company.api, bob), 422, 'participation_not_submitted');
    const cleo = await responseTo(platform, post_id, `${company.companyId} cleo`);
    await openDispute(company.api, cleo);
    await eraseRespondent(platform, `${company.companyId} ann`);
    await eraseRespondent(platform, `${company.companyId} cleo`);
    expectError(await openDispute(company.api, ann), 422, 'response_erased');
    // The platform can decide about a respondent who was erased since.
    expect((await decideDispute(platform, cleo, true)).data.state).toBe('accepted');
    await expectReconciled(company.api);
  });

  it('belong to one company and one platform', async () => {
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    const other = await registerCompany(service.client);
    expectError(await openDispute(other.api, ann), 404, 'participation_not_found');
    await openDispute(company.api, ann);
    const stranger = await platformClient(service, 'stranger');
    expectError(await decideDispute(stranger, ann, true), 404, 'participation_not_found');
    expectError(await decideDispute(company.api, ann, true), 403, 'insufficient_scope');
    expect(await statesIn(stranger, PLATFORM)).toEqual([]);
    expect(await statesIn(other.api, COMPANY)).toEqual([]);
    expect(await statesIn(company.api, COMPANY)).toEqual([[ann.participation_id, 'open']]);
    const reader = await generateKey(company.account, service.client, {
      scopes: ['campaigns:read', 'responses:read'],
    });
    expectError(await openDispute(reader.api, ann), 403, 'insufficient_scope');
    expect(await statesIn(reader.api, COMPANY)).toHaveLength(1);
  });

  it('can be tried with a test key, among those of its company', async () => {
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    const ann = await answeredSurvey({ api }, api, ALL_DISPUTABLE);
    await openDispute(api, ann);
    expect(await statesIn(api, PLATFORM)).toEqual([[ann.participation_id, 'open']]);
    expect((await decideDispute(api, ann, true)).data.state).toBe('accepted');
    expect(await statesIn(company.api, COMPANY)).toEqual([]);
    await expectReconciled(api);
  });

  it('are listed in pages, newest first, with a filter', async () => {
    const own = await platformClient(service, 'pages');
    const post_id = await liveSurvey(company, ALL_DISPUTABLE);
    const parts: Begun[] = [];
    for (let n = 0; n < 5; n += 1) {
      parts.push(await responseTo(own, post_id, `r${n}`));
      await openDispute(company.api, parts[n]!);
    }
    await decideDispute(own, parts[1]!, true);
    await decideDispute(own, parts[3]!, false);
    const expected = [4, 3, 2, 1, 0].map((n) => parts[n]!.participation_id);
    for (const [api, path] of [
      [company.api, COMPANY],
      [own, PLATFORM],
    ] as const) {
      const found: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { items, next_cursor }: any = (await api.get(`${path}?limit=2${query}`)).data;
        found.push(...items.map((each: any) => each.participation_id));
        cursor = next_cursor;
      }
      expect(found).toEqual(expected);
      expect(await statesIn(api, path, 'open')).toEqual(
        [4, 2, 0].map((n) => [parts[n]!.participation_id, 'open']),
      );
      expect(await statesIn(api, path, 'accepted')).toEqual([
        [parts[1]!.participation_id, 'accepted'],
      ]);
      const { next_cursor } = (await api.get(`${path}?limit=2`)).data;
      expectError(
        await api.get(`${path}?state=open&cursor=${next_cursor}`),
        400,
        'validation_failed',
        [{ field: 'cursor', code: 'cursor_mismatch', message: expect.any(String) }],
      );
      expectInvalid(await api.get(`${path}?state=lapsed&limit=0&other=1`), {
        state: 'not_allowed',
        limit: 'too_small',
        other: 'unknown_field',
      });
    }
  });

  it('name each wrong part of a request', async () => {
    expectInvalid(await company.api.post('/svc/response/dispute', { reason: '' }), {
      participation_id: 'required',
      reason: 'empty',
    });
    expectInvalid(
      await platform.post('/svc/fielding/decide-dispute', { is_accepted: 'yes', note: 5 }),
      {
        post_id: 'required',
        participation_id: 'required',
        is_accepted: 'invalid_type',
        note: 'invalid_type',
      },
    );
    const ann = await answeredSurvey(company, platform, ALL_DISPUTABLE);
    expectInvalid(await decideDispute(platform, ann, true, 'Right'), { note: 'not_allowed' });
    expectError(await decideDispute(platform, ann, true), 404, 'dispute_not_found');
  });
});

describe('the terms of disputes', () => {
  const company = companyForEach();
  const platform = platformForAll();
  const TERMS = { review_days: 7, maximum_dispute_share: 0.05 };

  const update = (owner: TestCompany, post_id: string, fields: Record<string, unknown>) =>
    owner.api.patch('/svc/campaign/update', { post_id, ...fields });

  it('are shown to platforms in the list and at the beginning, if there are any', async () => {
    const own = await platformClient(service, 'terms');
    const post_id = await liveSurvey(company, TERMS);
    const plain = await liveSurvey(company, { review_days: 7 });
    const listed = async (postId: string) => {
      const { items } = (await own.get('/svc/fielding/list?respondent_id=ann&limit=100')).data;
      return items.find((each: any) => each.post_id === postId);
    };
    expect(await listed(post_id)).toMatchObject(TERMS);
    expect(await listed(plain)).not.toHaveProperty('review_days');
    expect((await begun(own, post_id, 'ann')).content).toMatchObject(TERMS);
    const { content } = await begun(own, plain, 'ann');
    expect(content).not.toHaveProperty('maximum_dispute_share');
  });

  it('do not grow once a respondent has begun, but shrink', async () => {
    const { post_id } = await createSurvey(company.api, TERMS);
    await start(company.api, post_id);
    expect((await update(company, post_id, { review_days: 8 })).status).toBe(200);
    const { participation_id } = await begun(platform, post_id, 'ann');
    await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    for (const [field, value] of [
      ['review_days', 9],
      ['maximum_dispute_share', 0.051],
    ] as const) {
      expectError(await update(company, post_id, { [field]: value }), 422, 'dispute_terms_kept', [
        { field, code: 'too_large', message: expect.stringContaining(field) },
      ]);
    }
    const same = { review_days: 8, maximum_dispute_share: 0.05, title: 'Same' };
    expect((await update(company, post_id, same)).status).toBe(200);
    const less = { review_days: 7, maximum_dispute_share: null };
    expect((await update(company, post_id, less)).data).toMatchObject(less);
    expectError(
      await update(company, post_id, { maximum_dispute_share: 0.001 }),
      422,
      'dispute_terms_kept',
      expect.any(Array),
    );
  });

  it('have limits', async () => {
    const { post_id } = await createSurvey(company.api);
    expectInvalid(await update(company, post_id, { review_days: 31, maximum_dispute_share: 1.1 }), {
      review_days: 'too_large',
      maximum_dispute_share: 'too_large',
    });
    expectInvalid(
      await update(company, post_id, { review_days: 1.5, maximum_dispute_share: 0.0005 }),
      { review_days: 'not_an_integer', maximum_dispute_share: 'too_precise' },
    );
  });
});
