import { eventually } from '../support/eventually';
import { begin, begun, expectReconciled, expire, liveSurvey, submit } from '../support/fielding';
import { allEvents } from '../support/feed';
import { companyForEach, platformForAll } from '../support/fixtures';
import { campaignStatus, inState } from '../support/life';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { storedId } from '../../src/platform/database/identifiers';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the end of a participation', () => {
  const company = companyForEach();
  const platform = platformForAll();

  const abandon = (post_id: string, participation_id: string) =>
    platform.post('/svc/fielding/abandon', { post_id, participation_id });

  const reverse = (post_id: string, participation_id: string, reason = 'Too fast') =>
    platform.post('/svc/fielding/reverse', { post_id, participation_id, reason });

  const age = (participationId: string) => expire(service.dataSource, participationId);

  /** Changes a counter by hand. */
  async function setHeld(postId: string, held: number): Promise<void> {
    await service.dataSource.query(
      `UPDATE campaign_progress SET held = $2
       WHERE (company_id, campaign_id) IN (SELECT company_id, id FROM campaign WHERE post_id = $1)`,
      [postId, held],
    );
  }

  /** Waits until a campaign holds no money, and returns how many places are taken. */
  const placesOnceNothingIsHeld = (postId: string): Promise<number> =>
    eventually(async () => {
      const [row] = await service.dataSource.query(
        `SELECT g.held, g.taken FROM campaign_progress AS g
         JOIN campaign AS c ON c.company_id = g.company_id AND c.id = g.campaign_id
         WHERE c.post_id = $1`,
        [postId],
      );
      expect(row.held).toBe('0.00');
      return row.taken;
    });

  it('gives an abandoned place and its money to another respondent', async () => {
    const post_id = await liveSurvey(company, { max_responses: 1, budget: 100 });
    const { participation_id } = await begun(platform, post_id, 'ann');
    expectError(await begin(platform, post_id, 'bob'), 422, 'fully_held');
    for (const _ of [1, 2]) {
      const { status, body } = await abandon(post_id, participation_id);
      expect([status, body.data]).toEqual([
        200,
        { post_id, participation_id, status: 'abandoned' },
      ]);
    }
    await begun(platform, post_id, 'bob');
    await expectReconciled(company.api);
  });

  it('is stored beside the campaign if it has an Idempotency-Key, and is the same again', async () => {
    const post_id = await liveSurvey(company);
    const own = platform.with({
      'idempotency-key': `begin-${post_id}`,
    });
    const { participation_id } = await begun(own, post_id, 'ann');
    const { participation_id: other } = await begun(platform, post_id, 'bob');
    const part = { post_id, participation_id };
    const steps: [string, Record<string, unknown>][] = [
      ['submit', { ...part, attention_score: 9, answers: [] }],
      ['reverse', { ...part, reason: 'Too fast' }],
      ['abandon', { post_id, participation_id: other }],
    ];
    for (const [step, body] of steps) {
      const keyed = platform.with({ 'idempotency-key': `${step}-${post_id}` });
      const first = await keyed.post(`/svc/fielding/${step}`, body);
      expect([step, first.status]).toEqual([step, 200]);
      const again = await keyed.post(`/svc/fielding/${step}`, body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      expectError(
        await keyed.post(`/svc/fielding/${step}`, { ...body, post_id: await liveSurvey(company) }),
        422,
        'idempotency_key_reused',
      );
    }
    const records = await service.dataSource.query(
      'SELECT count(*)::integer AS count FROM idempotency_record WHERE scope = $1',
      [storedEnvironment(company.companyId)],
    );
    expect(records).toEqual([{ count: 4 }]);
  });

  it('gives an expired place to the next respondent in the same statement', async () => {
    const post_id = await liveSurvey(company, { max_responses: 1 });
    const ann = await begun(platform, post_id, 'ann');
    await age(ann.participation_id);
    await begun(platform, post_id, 'bob');
    expect((await begun(platform, post_id, 'ann')).status).toBe('expired');
    expectError(await submit(platform, ann, 5), 422, 'participation_closed');
    expect((await abandon(post_id, ann.participation_id)).body.data.status).toBe('expired');
    await expectReconciled(company.api);
  });

  it('pays nothing for what is over, and abandons it no more, before that is stored', async () => {
    const post_id = await liveSurvey(company);
    const { participation_id } = await begun(platform, post_id, 'ann');
    const [own] = await service.dataSource.query(
      'SELECT company_id, campaign_id FROM participation WHERE participation_id = stored_id($1)',
      [participation_id],
    );
    const stored = await service.dataSource.transaction(async (session) => {
      await expire(session, participation_id);
      const ids = [own.company_id, own.campaign_id, participation_id];
      const [submitted] = await session.query(
        `SELECT (part).state, became FROM submit_participation($1, $2, stored_id($3), 9, 5, '\\x00',
           '[]', 'nobody', NULL, NULL, NULL, NULL, 0)`,
        ids,
      );
      const [closed] = await session.query(
        'SELECT became FROM abandon_participation($1, $2, stored_id($3))',
        ids,
      );
      const [abandoned] = await session.query(
        'SELECT state FROM participation WHERE participation_id = stored_id($1)',
        [participation_id],
      );
      return [submitted.state, submitted.became, closed.became, abandoned.state];
    });
    expect(stored).toEqual(['open', null, 'expired', 'expired']);
    await expectReconciled(company.api);
  });

  it('gives expired places back by itself', async () => {
    const post_id = await liveSurvey(company, { budget: 300 });
    const ann = await begun(platform, post_id, 'ann');
    await submit(platform, ann, 9);
    const bob = await begun(platform, post_id, 'bob');
    await age(bob.participation_id);
    expect(await placesOnceNothingIsHeld(post_id)).toBe(1);
    await expectReconciled(company.api);
  });

  it('gives expired places back though those of another campaign cannot be', async () => {
    const [broken, sound] = [await liveSurvey(company), await liveSurvey(company)];
    const ann = await begun(platform, broken, 'ann');
    const bob = await begun(platform, sound, 'bob');
    // Nothing can be given back below zero.
    await setHeld(broken, 0);
    await age(ann.participation_id);
    await age(bob.participation_id);
    expect(await placesOnceNothingIsHeld(sound)).toBe(0);
    await setHeld(broken, ann.maximum_reward);
    expect(await placesOnceNothingIsHeld(broken)).toBe(0);
    await expectReconciled(company.api);
  });

  it('completes a campaign whose rest pays for nobody once the last hold is free', async () => {
    const post_id = await liveSurvey(company, { budget: 250 });
    const ann = await begun(platform, post_id, 'ann');
    const bob = await begun(platform, post_id, 'bob');
    await submit(platform, ann, 9);
    await begin(platform, post_id, 'cleo');
    await abandon(post_id, bob.participation_id);
    const cleo = await begun(platform, post_id, 'cleo');
    await submit(platform, cleo, 7);
    expect(await campaignStatus(company.api, post_id)).toMatchObject({
      status: 'completed',
      stop_reason: 'budget_spent',
    });
  });

  it('does not abandon what was submitted', async () => {
    const post_id = await liveSurvey(company);
    const ann = await begun(platform, post_id, 'ann');
    await submit(platform, ann, 5);
    expectError(await abandon(post_id, ann.participation_id), 422, 'participation_closed');
  });

  it('reverses a reward once, into the budget, by a transfer of its own', async () => {
    const post_id = await liveSurvey(company, { budget: 250 });
    const ann = await begun(platform, post_id, 'ann');
    const bob = await begun(platform, post_id, 'bob');
    expectError(await reverse(post_id, ann.participation_id), 422, 'participation_not_submitted');
    await submit(platform, ann, 9);
    await submit(platform, bob, 9);
    expect((await campaignStatus(company.api, post_id)).status).toBe('completed');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => reverse(post_id, ann.participation_id)),
    );
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([
        200,
        {
          post_id,
          participation_id: ann.participation_id,
          status: 'reversed',
          currency: 'USD',
          reward: 100,
          reason: 'Too fast',
          reversed_at: expect.any(String),
        },
      ]);
    }
    expect(await campaignStatus(company.api, post_id)).toEqual(inState('paused', 'budget_spent'));
    const ofCampaign = (await allEvents(company.api, 7)).filter(
      ({ subject }) => subject === post_id,
    );
    expect(ofCampaign.at(-1)).toMatchObject({
      type: 'campaign.updated',
      changes: { status: { old: 'completed', new: 'paused' } },
    });
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    await begun(platform, post_id, 'cleo');
    await expectReconciled(company.api);
    expect((await submit(platform, ann, 9)).body.data).toMatchObject({
      status: 'reversed',
      reward: 100,
    });
  });

  it('reverses nothing before it was submitted, also if the clock is set back', async () => {
    const post_id = await liveSurvey(company);
    const { participation_id } = await begun(platform, post_id, 'ann');
    await submit(platform, { post_id, participation_id }, 9);
    const moment = new Date(Date.now() + 60_000);
    await tamper(service.dataSource, (session) =>
      session.query(
        `UPDATE participation SET closed_at = $3
         WHERE company_id = $1 AND participation_id = $2`,
        [storedEnvironment(company.companyId), storedId('part', participation_id), moment],
      ),
    );
    const { body } = await reverse(post_id, participation_id);
    expect(body.data.reversed_at).toBe(moment.toISOString());
  });

  it('requires a reason for a reversal', async () => {
    const post_id = await liveSurvey(company);
    expectInvalid(await reverse(post_id, 'part_unknown', ''), { reason: 'empty' });
    expectError(await reverse(post_id, 'part_unknown'), 404, 'participation_not_found');
  });

  it('logs a response and its reversal, without the answers', async () => {
    const post_id = await liveSurvey(company);
    const ann = await begun(platform, post_id, 'ann');
    await submit(platform, ann, 7.5);
    await reverse(post_id, ann.participation_id);
    const events = await allEvents(company.api, 5);
    expect(events.slice(-2)).toMatchObject([
      {
        type: 'response.submitted',
        subject: ann.participation_id,
        version: 1,
        actor: { type: 'platform', id: expect.stringMatching(/^pkey_/) },
        changes: {
          post_id: { old: null, new: post_id },
          cohort: { old: null, new: 4 },
          reward: { old: null, new: 80 },
          answered: { old: null, new: 1 },
          spent: { old: null, new: 80 },
          held: { old: null, new: 0 },
        },
      },
      {
        type: 'response.reversed',
        subject: ann.participation_id,
        version: 2,
        changes: { reason: { old: null, new: 'Too fast' }, spent: { old: null, new: 0 } },
      },
    ]);
  });
});
