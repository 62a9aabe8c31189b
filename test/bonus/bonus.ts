import { balanceOf, prepay } from '../support/balance';
import { registerCompany } from '../support/client';
import {
  ageResponse,
  answeredSurvey,
  eraseRespondent,
  payBonus,
  progressOf,
  responseTo,
  reversePart,
} from '../support/disputes';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { begun, expectReconciled, expire, liveSurvey, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { campaignStatus, inState } from '../support/life';
import { untilNumbered } from '../support/numbering';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';
import { committedBy, limitedKey } from '../support/spending';

describe('POST /svc/response/bonus', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const transfersOf = async (kind: string) =>
    (await company.api.get(`/svc/ledger/list?kind=${kind}`)).data.items;

  it('pays a respondent once for a reference, out of the budget', async () => {
    const ann = await answeredSurvey(company, platform, { budget: 1000 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => payBonus(company.api, ann, 25.5, 'best answer')),
    );
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([
        200,
        {
          post_id: ann.post_id,
          participation_id: ann.participation_id,
          bonus_ref: 'best answer',
          currency: 'USD',
          amount: 25.5,
          paid_at: answers[0]!.body.data.paid_at,
        },
      ]);
    }
    expect(await progressOf(company.api, ann.post_id)).toMatchObject({
      submitted: 1,
      spent: 125.5,
      bonus_spent: 25.5,
      held: 0,
    });
    expect(await transfersOf('bonus')).toEqual([
      {
        post_id: ann.post_id,
        participation_id: ann.participation_id,
        kind: 'bonus',
        debit: 'company',
        credit: 'respondents',
        currency: 'USD',
        amount: 25.5,
        released: 0,
        created_at: expect.any(String),
      },
    ]);
    const table = await company.api.get('/svc/ledger/export?kind=bonus');
    expect(table.body).toMatch(/,bonus,company,respondents,USD,25.5,0\r\n$/);
    expect(await expectReconciled(company.api)).toMatchObject({ checked: 1 });
  });

  it('is seen by the platform, and by the company in responses, results and events', async () => {
    const ann = await answeredSurvey(company, platform);
    await responseTo(platform, ann.post_id, 'bob', 7.5);
    await payBonus(company.api, ann, 30, 'b-1');
    const seen = (await platform.get(`/svc/fielding/participation/${ann.participation_id}`)).data;
    expect(seen).toMatchObject({ status: 'submitted', reward: 100, bonus: 30 });
    const [, content = ''] = seen.receipt.split('.');
    expect(JSON.parse(Buffer.from(content, 'base64url').toString())).toMatchObject({
      reward: 100,
      bonus: 30,
    });
    const responses = (await company.api.get(`/svc/campaign/${ann.post_id}/responses`)).data.items;
    expect(responses.map(({ reward, bonus }: any) => [reward, bonus])).toEqual([
      [80, null],
      [100, 30],
    ]);
    expect((await company.api.get(`/svc/campaign/${ann.post_id}/results`)).data.spending).toEqual({
      spent: 210,
      held: 0,
      screened_out: 0,
      screen_out_spent: 0,
      bonus_spent: 30,
      mean_reward: 90,
    });
    expect((await allEvents(company.api, 6)).at(-1)).toMatchObject({
      type: 'response.bonus_paid',
      subject: ann.participation_id,
      version: 2,
      actor: { type: 'api_key' },
      changes: {
        post_id: { old: null, new: ann.post_id },
        cohort: { old: null, new: 5 },
        bonus: { old: null, new: 30 },
        bonus_ref: { old: null, new: 'b-1' },
        answered: { old: null, new: 2 },
        spent: { old: null, new: 210 },
        held: { old: null, new: 0 },
      },
    });
  });

  it('counts in what a respondent has earned', async () => {
    const own = await platformClient(service, 'earnings');
    const ann = await answeredSurvey(company, own);
    await payBonus(company.api, ann, 30, 'b-1');
    const earnings = async () =>
      (await own.get('/svc/fielding/respondent?respondent_id=ann')).data.earnings.amounts;
    expect(await earnings()).toEqual([{ currency: 'USD', earned: 130, reversed: 0, held: 0 }]);
    await reversePart(own, ann);
    expect(await earnings()).toEqual([{ currency: 'USD', earned: 0, reversed: 130, held: 0 }]);
  });

  it('refuses a reference that was used for something else', async () => {
    const ann = await answeredSurvey(company, platform);
    const bob = await responseTo(platform, ann.post_id, 'bob');
    await payBonus(company.api, ann, 25, 'b-1');
    expectError(await payBonus(company.api, ann, 26, 'b-1'), 409, 'bonus_ref_taken');
    expectError(await payBonus(company.api, bob, 25, 'b-1'), 409, 'bonus_ref_taken');
    expectError(await payBonus(company.api, ann, 25, 'b-2'), 422, 'bonus_already_paid');
    const other = await registerCompany(service.client);
    const cleo = await answeredSurvey(other, platform);
    expect((await payBonus(other.api, cleo, 25, 'b-1')).status).toBe(200);
    expect(await transfersOf('bonus')).toHaveLength(1);
    await expectReconciled(company.api);
  });

  it('pays one of two responses that get the same reference at once', async () => {
    const ann = await answeredSurvey(company, platform);
    const bob = await responseTo(platform, ann.post_id, 'bob');
    const answers = await Promise.all(
      [ann, bob].map((part) => payBonus(company.api, part, 25, 'b-1')),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await transfersOf('bonus')).toHaveLength(1);
    await expectReconciled(company.api);
  });

  it('pays nobody beyond the budget, though 50 bonuses for three come at once', async () => {
    const post_id = await liveSurvey(company);
    const parts = await Promise.all(
      Array.from({ length: 50 }, (_, n) => responseTo(platform, post_id, `r${n}`)),
    );
    await company.api.patch('/svc/campaign/update', { post_id, budget: 5_000 + 3 * 40 + 39 });
    const answers = await Promise.all(
      parts.map((part, n) => payBonus(company.api, part, 40, `b-${n}`)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(47);
    for (const answer of refused) {
      expectError(answer, 422, 'bonus_over_budget');
    }
    expect(await progressOf(company.api, post_id)).toMatchObject({
      spent: 5_120,
      bonus_spent: 120,
    });
    await expectReconciled(company.api);
  });

  it('pays out of expired holds, and completes a campaign whose rest pays for nobody', async () => {
    const ann = await answeredSurvey(company, platform, { budget: 200 });
    const bob = await begun(platform, ann.post_id, 'bob');
    expectError(await payBonus(company.api, ann, 1, 'b-1'), 422, 'bonus_over_budget');
    await expire(service.dataSource, bob.participation_id);
    expect((await payBonus(company.api, ann, 1, 'b-1')).status).toBe(200);
    expect(await campaignStatus(company.api, ann.post_id)).toMatchObject({
      status: 'completed',
      stop_reason: 'budget_spent',
    });
    await reversePart(platform, ann);
    expect(await campaignStatus(company.api, ann.post_id)).toEqual(
      inState('paused', 'budget_spent'),
    );
    await expectReconciled(company.api);
  });

  it('pays after the campaign has ended, within 90 days of the submission', async () => {
    const ann = await answeredSurvey(company, platform);
    const bob = await responseTo(platform, ann.post_id, 'bob');
    const { post_id } = ann;
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    await company.api.post('/svc/campaign/archive', { post_id });
    await ageResponse(service.dataSource, ann, 89);
    await ageResponse(service.dataSource, bob, 91);
    expect((await payBonus(company.api, ann, 5, 'b-1')).status).toBe(200);
    expectError(await payBonus(company.api, bob, 5, 'b-2'), 422, 'response_too_old');
  });

  it('is taken back with the reward by a reversal, once', async () => {
    const ann = await answeredSurvey(company, platform, { budget: 500 });
    await payBonus(company.api, ann, 25, 'b-1');
    const answers = await Promise.all(Array.from({ length: 5 }, () => reversePart(platform, ann)));
    for (const { body } of answers) {
      expect(body.data).toMatchObject({ status: 'reversed', reward: 100, bonus: 25 });
    }
    expect(await transfersOf('reverse')).toMatchObject([
      { debit: 'respondents', credit: 'company', amount: 125 },
    ]);
    expect(await progressOf(company.api, ann.post_id)).toMatchObject({
      spent: 0,
      bonus_spent: 0,
      reversed: 1,
    });
    const events = (await allEvents(company.api, 5)).slice(-3);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['response.submitted', 1],
      ['response.bonus_paid', 2],
      ['response.reversed', 3],
    ]);
    expect(events[2]!.changes).toMatchObject({
      reward: { new: 100 },
      bonus: { new: 25 },
      spent: { new: 0 },
    });
    // What was paid for the reference stays known.
    expect((await payBonus(company.api, ann, 25, 'b-1')).data.amount).toBe(25);
    expectError(await payBonus(company.api, ann, 25, 'b-2'), 422, 'participation_not_submitted');
    await expectReconciled(company.api);
  });

  it('refuses whoever has not submitted or is erased, and keeps what was paid before', async () => {
    const post_id = await liveSurvey(company);
    const respondent = `${company.companyId} ann`;
    const ann = await begun(platform, post_id, respondent);
    expectError(await payBonus(company.api, ann, 5, 'b-1'), 422, 'participation_not_submitted');
    await submit(platform, ann, 9);
    await payBonus(company.api, ann, 5, 'b-1');
    const bob = await responseTo(platform, post_id, `${company.companyId} bob`);
    await eraseRespondent(platform, respondent);
    await eraseRespondent(platform, `${company.companyId} bob`);
    expectError(await payBonus(company.api, bob, 5, 'b-2'), 422, 'response_erased');
    expect((await payBonus(company.api, ann, 5, 'b-1')).data.amount).toBe(5);
    expect(await progressOf(company.api, post_id)).toMatchObject({ spent: 205, bonus_spent: 5 });
    await expectReconciled(company.api);
  });

  it('limits a bonus to ten times the largest reward', async () => {
    const ann = await answeredSurvey(company, platform);
    expectError(await payBonus(company.api, ann, 1000.01, 'b-1'), 422, 'bonus_too_large', [
      { field: 'amount', code: 'too_large', message: expect.stringContaining('at most 1000') },
    ]);
    expect((await payBonus(company.api, ann, 1000, 'b-1')).status).toBe(200);
  });

  it('names each wrong part of a request', async () => {
    const wrong = { amount: -1, bonus_ref: ' ', other: 1 };
    expectInvalid(await company.api.post('/svc/response/bonus', wrong), {
      participation_id: 'required',
      amount: 'too_small',
      bonus_ref: 'empty',
      other: 'unknown_field',
    });
    const part = { participation_id: 'part_none' };
    expectInvalid(await payBonus(company.api, part, 1.005, 'x'.repeat(201)), {
      amount: 'too_precise',
      bonus_ref: 'too_long',
    });
    expectError(await payBonus(company.api, part, 5, 'b-1'), 404, 'participation_not_found');
    const yen = await registerCompany(service.client, { currency: 'JPY' });
    const ann = await answeredSurvey(yen, platform);
    expectInvalid(await payBonus(yen.api, ann, 1.5, 'b-1'), { amount: 'too_precise' });
  });

  it("does not know another company's response, nor that of the other environment", async () => {
    const ann = await answeredSurvey(company, platform);
    const other = await registerCompany(service.client);
    expectError(await payBonus(other.api, ann, 5, 'b-1'), 404, 'participation_not_found');
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    expectError(await payBonus(api, ann, 5, 'b-1'), 404, 'participation_not_found');
    const reader = await generateKey(company.account, service.client, {
      scopes: ['campaigns:read', 'responses:read', 'ledger:read'],
    });
    expectError(await payBonus(reader.api, ann, 5, 'b-1'), 403, 'insufficient_scope');
  });

  it('names a bonus that the ledger or the counters do not have', async () => {
    const ann = await answeredSurvey(company, platform);
    await payBonus(company.api, ann, 5, 'b-1');
    await service.dataSource.query(
      `UPDATE participation SET bonus = 6 WHERE participation_id = stored_id($1)`,
      [ann.participation_id],
    );
    const { differences } = (await company.api.get('/svc/ledger/reconcile')).data;
    expect(
      differences.map(({ field, expected, found }: any) => [field, expected, found]).toSorted(),
    ).toEqual([
      ['bonus', 6, 5],
      ['money_bonuses', 6, 5],
      ['money_spent', 106, 105],
    ]);
  });

  it('counts against the spending limit of the key that pays it', async () => {
    const ann = await answeredSurvey(company, platform, { budget: 1000 });
    const key = await limitedKey(company.account, 40);
    expect((await payBonus(key.api, ann, 50, 'too much')).body.error).toMatchObject({
      code: 'spending_limit_exceeded',
      limit: 40,
      left: 40,
      required: 50,
    });
    expect(await committedBy(company.account, key.key_id)).toBe(0);
    expect((await payBonus(key.api, ann, 30, 'enough')).status).toBe(200);
    expect(await committedBy(company.account, key.key_id)).toBe(30);
    const bob = await answeredSurvey(company, platform, { budget: 1000 });
    const { body } = await payBonus(key.api, bob, 11, 'b-2');
    expect(body.error).toMatchObject({ code: 'spending_limit_exceeded', left: 10 });
    expect((await payBonus(company.api, bob, 11, 'b-2')).status).toBe(200);
  });

  it('is paid from the balance of a company that pays in advance, or not at all', async () => {
    await prepay(company, 300);
    const ann = await answeredSurvey(company, platform, { budget: 1000 });
    await company.api.patch('/svc/campaign/toggle-live', { post_id: ann.post_id, is_live: false });
    await eventually(async () => {
      expect(await balanceOf(company.api)).toMatchObject({
        available: 200,
        allotted: 0,
        paid: 100,
      });
    });
    expectError(await payBonus(company.api, ann, 201, 'too much'), 422, 'balance_low');
    expect((await payBonus(company.api, ann, 150, 'enough')).status).toBe(200);
    expect(await balanceOf(company.api)).toMatchObject({ available: 50, paid: 250, funded: 300 });
    await expectReconciled(company.api);
  });

  it('is in a settlement, and so is what a reversal takes back', async () => {
    const ann = await answeredSurvey(company, platform, { budget: 1000 });
    await payBonus(company.api, ann, 25, 'b-1');
    const settled = async () => {
      await untilNumbered(service.dataSource, company.companyId);
      await settleOne(service.dataSource, storedCompany(company.companyId));
      const { items } = (await company.api.get('/svc/settlement/list')).data;
      return [items[0].payments, items[0].net];
    };
    expect(await settled()).toEqual([2, 125]);
    await reversePart(platform, ann);
    expect(await settled()).toEqual([1, -125]);
  });
});
