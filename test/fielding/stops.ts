import { createSurvey } from '../support/builders';
import { allEvents } from '../support/feed';
import { begin, begun, expectReconciled, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { campaignStatus, inState } from '../support/life';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { roundsOf } from '../support/thorough';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('what stops respondents', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const update = (body: object) => company.api.patch('/svc/campaign/update', body);

  const toggle = (post_id: string, is_live: boolean) =>
    company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });

  async function begunSoFar(): Promise<number> {
    const [row] = await service.dataSource.query(
      'SELECT count(*)::integer AS begun FROM participation WHERE company_id = $1',
      [storedEnvironment(company.companyId)],
    );
    return row.begun;
  }

  it('lets nobody begin once a stop is acknowledged, however many are about to', async () => {
    const post_id = await liveSurvey(company);
    for (let round = 0; round < roundsOf(5); round += 1) {
      const beginnings = Array.from({ length: 24 }, (_, n) =>
        begin(
          n % 2 === 0 ? platform : platform.with({ 'idempotency-key': `${round}-${n}` }),
          post_id,
          `respondent ${round}-${n}`,
        ),
      );
      await beginnings[round * 4];
      expect((await toggle(post_id, false)).status).toBe(200);
      const stopped = await begunSoFar();
      const answers = await Promise.all(beginnings);
      expect(await begunSoFar()).toBe(stopped);
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expectError(answer, 422, 'campaign_not_live');
      }
      await toggle(post_id, true);
    }
    await expectReconciled(company.api);
  });

  it('is a budget that does not pay the raised reward any more', async () => {
    const post_id = await liveSurvey(company, { budget: 250 });
    await submit(platform, await begun(platform, post_id, 'ann'), 9);
    await update({ post_id, reward_amount: 200 });
    expect(await campaignStatus(company.api, post_id)).toEqual(
      inState('completed', 'budget_spent'),
    );
    const types = (await allEvents(company.api, 6)).map(({ type }) => type);
    expect(types.slice(-2).toSorted()).toEqual(['campaign.completed', 'campaign.updated']);
    expectError(await begin(platform, post_id, 'bob'), 422, 'campaign_completed');
    await update({ post_id, reward_amount: 150 });
    await toggle(post_id, true);
    await begun(platform, post_id, 'bob');
  });

  it('is in the log after the response that caused it, and ends before the reversal that undoes it', async () => {
    const orders = Array.from({ length: 12 }, async () => {
      const post_id = await liveSurvey(company, { budget: 100 });
      const fields = await begun(platform, post_id, 'ann');
      await submit(platform, fields, 9);
      const { participation_id } = fields;
      await platform.post('/svc/fielding/reverse', {
        post_id,
        participation_id,
        reason: 'Too fast',
      });
      return { post_id, participation_id };
    });
    const campaigns = await Promise.all(orders);
    const events = await allEvents(company.api, 1 + 6 * campaigns.length);
    for (const { post_id, participation_id } of campaigns) {
      const own = events.filter(({ subject }) => [post_id, participation_id].includes(subject));
      expect(own.map(({ type }) => type)).toEqual([
        'campaign.created',
        'campaign.started',
        'response.submitted',
        'campaign.completed',
        'response.reversed',
        'campaign.updated',
      ]);
    }
  });

  it('is in the log after the responses before it, also if the clock was set back', async () => {
    const post_id = await liveSurvey(company);
    await submit(platform, await begun(platform, post_id, 'ann'), 9);
    const logged_at = new Date(Date.now() + 3_600_000);
    await service.dataSource.query(
      'UPDATE campaign_progress SET logged_at = $2 WHERE company_id = $1',
      [storedEnvironment(company.companyId), logged_at],
    );
    await toggle(post_id, false);
    const events = await allEvents(company.api, 5);
    const stopped = events.find(({ type }) => type === 'campaign.stopped')!;
    expect(Date.parse(stopped.created_at)).toBeGreaterThanOrEqual(logged_at.getTime());
  });

  it('leaves the counters of the log in the order of its events', async () => {
    const post_id = await liveSurvey(company);
    const respondents = Array.from({ length: 60 }, async (_, n) =>
      submit(platform, await begun(platform, post_id, `respondent ${n}`), 9),
    );
    await Promise.all(respondents);
    const events = await allEvents(company.api, 3 + respondents.length);
    const answered = events.flatMap(({ changes }) => changes.answered?.new ?? []);
    expect(answered).toEqual(respondents.map((_, index) => index + 1));
  });

  it('is a budget that never paid the largest reward', async () => {
    const { post_id } = await createSurvey(company.api, { budget: 50 });
    await start(company.api, post_id);
    expectError(await begin(platform, post_id, 'ann'), 422, 'fully_held');
    const small = { status: 'live', status_reasons: ['budget_below_reward'] };
    expect(await campaignStatus(company.api, post_id)).toMatchObject(small);
    const { body } = await update({ post_id, budget: 60 });
    expect(body.data).toMatchObject(small);
    await update({ post_id, budget: 100 });
    await begun(platform, post_id, 'ann');
  });

  it('is a budget below the largest reward, whatever others hold', async () => {
    const post_id = await liveSurvey(company, { budget: 250, max_responses: 1 });
    const ann = await begun(platform, post_id, 'ann');
    const reasons = async () => (await campaignStatus(company.api, post_id)).status_reasons;
    expect(await reasons()).toEqual(['fully_held']);
    await update({ post_id, reward_amount: 300 });
    expect(await reasons()).toEqual(['budget_below_reward']);
    await platform.post('/svc/fielding/abandon', {
      post_id,
      participation_id: ann.participation_id,
    });
    expect(await reasons()).toEqual(['budget_below_reward']);
    await update({ post_id, budget: 300 });
    expect(await reasons()).toEqual([]);
  });

  it('is a campaign whose places or money others hold, as all answers say', async () => {
    for (const limit of [{ max_responses: 1 }, { budget: 150 }]) {
      const post_id = await liveSurvey(company, limit);
      const ann = await begun(platform, post_id, 'ann');
      const held = { is_live: true, status: 'live', status_reasons: ['fully_held'] };
      expect(await campaignStatus(company.api, post_id)).toMatchObject(held);
      expect((await toggle(post_id, true)).body.data).toMatchObject(held);
      const { body } = await company.api.get('/svc/campaign/list?status=live');
      expect(body.data.items[0]).toMatchObject({ post_id, ...held });
      const fields = { post_id, participation_id: ann.participation_id };
      await platform.post('/svc/fielding/abandon', fields);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status_reasons: [] });
    }
  });

  it('is an archive, which is not called completed', async () => {
    const post_id = await liveSurvey(company, {
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await company.api.post('/svc/campaign/archive', { post_id });
    expectError(await begin(platform, post_id, 'ann'), 422, 'campaign_not_live');
  });

  it('is not remembered with an Idempotency-Key while a place may be given back', async () => {
    const post_id = await liveSurvey(company, { max_responses: 1 });
    const { participation_id } = await begun(platform, post_id, 'ann');
    const bob = platform.with({ 'idempotency-key': 'bob' });
    expectError(await begin(bob, post_id, 'bob'), 422, 'fully_held');
    await platform.post('/svc/fielding/abandon', { post_id, participation_id });
    await begun(bob, post_id, 'bob');
  });
});
