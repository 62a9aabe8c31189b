import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { choice, createAdvertisement, createSurvey, question } from '../support/builders';
import { registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import {
  begun,
  expectReconciled,
  liveQuestionnaire,
  liveSurvey,
  NO_QUALITY,
  start,
  submit,
} from '../support/fielding';
import { companyForAll, platformForAll } from '../support/fixtures';
import { campaignStatus, inState } from '../support/life';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('POST /svc/fielding/submit', () => {
  const company = companyForAll();
  const platform = platformForAll();

  it.each([
    [0, 1, 3],
    [1.99, 1, 3],
    [2, 2, 40],
    [3.99, 2, 40],
    [4, 3, 60],
    [5.99, 3, 60],
    [6, 4, 80],
    [7.99, 4, 80],
    [8, 5, 100],
    [10, 5, 100],
  ])('pays a score of %d as cohort %d: %d (section 2.3)', async (score, cohort, reward) => {
    const post_id = await liveSurvey(company);
    const begin = await begun(platform, post_id, 'ann');
    const { status, body } = await submit(platform, begin, score);
    expect([status, body.message]).toEqual([200, 'Answers submitted.']);
    expect(body.data).toEqual({
      post_id,
      participation_id: begin.participation_id,
      status: 'submitted',
      cohort,
      currency: 'USD',
      reward,
      receipt: expect.any(String),
      quality: NO_QUALITY,
    });
  });

  it('signs a receipt that anyone can check', async () => {
    const post_id = await liveSurvey(company);
    const begin = await begun(platform, post_id, 'ann');
    const { receipt } = (await submit(platform, begin, 6.5)).body.data;
    const { data } = (await service.client.get('/svc/fielding/receipt-keys')).body;
    const verified = (token: string) =>
      jwtVerify(token, createLocalJWKSet(data), {
        issuer: 'campaign-service',
        algorithms: ['EdDSA'],
      });
    const { protectedHeader, payload } = await verified(receipt);
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: data.keys[0].kid, typ: 'JWT' });
    expect(payload).toEqual({
      iss: 'campaign-service',
      iat: expect.any(Number),
      mode: 'live',
      post_id,
      participation_id: begin.participation_id,
      question_id: null,
      currency: 'USD',
      cohort_rewards: begin.cohort_rewards,
      attention_score: 6.5,
      cohort: 4,
      reward: 80,
    });
    const [head, , signature] = receipt.split('.');
    const forged = Buffer.from(JSON.stringify({ ...payload, reward: 100 })).toString('base64url');
    await expect(verified(`${head}.${forged}.${signature}`)).rejects.toThrow('signature');
  });

  it('returns the same result to the same submission, and pays once', async () => {
    const post_id = await liveSurvey(company, { budget: 1000 });
    const begin = await begun(platform, post_id, 'ann');
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(platform, begin, 9)));
    const [first] = answers;
    for (const { status, body } of answers) {
      expect([status, body.data]).toEqual([200, first!.body.data]);
    }
    expectError(await submit(platform, begin, 9.01), 422, 'participation_closed');
    const [{ spent, held, answered }] = await service.dataSource.query(
      `SELECT p.* FROM campaign_progress AS p JOIN campaign AS c
         ON c.company_id = p.company_id AND c.id = p.campaign_id WHERE post_id = $1`,
      [post_id],
    );
    expect([spent, held, answered]).toEqual(['100.00', '0.00', 1]);
    await expectReconciled(company.api);
  });

  it('recognizes the same submission whatever the order of its answers and options', async () => {
    const options = ['milk', 'sugar', 'honey'];
    const post_id = await liveQuestionnaire(company, [
      choice({ type: 'multiple_choice', options }),
      question(),
    ]);
    const ann = await begun(platform, post_id, 'ann');
    const text = { question: 2, value: 'Arabica' };
    const ticked = ['sugar', 'milk', 'honey'];
    const first = await submit(platform, ann, 9, [{ question: 1, value: ticked }, text]);
    expect(first.status).toBe(200);
    const again = await submit(platform, ann, 9, [text, { question: 1, value: options }]);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const fewer = [{ question: 1, value: options.slice(1) }, text];
    expectError(await submit(platform, ann, 9, fewer), 422, 'participation_closed');
    const { items } = (await company.api.get(`/svc/campaign/${post_id}/responses`)).body.data;
    expect(items[0].answers).toEqual([{ question: 1, value: ticked }, text]);
  });

  it('names a wrong score and every wrong answer at once', async () => {
    const questions = [choice(), question(), question(), question()];
    const post_id = await liveQuestionnaire(company, questions);
    const ann = await begun(platform, post_id, 'ann');
    const answers = [
      { question: 1, value: 'medium' },
      { question: 2, value: '' },
      { question: 3, value: 'Arabica' },
      { question: 5, value: 'Arabica' },
    ];
    const wrong = {
      attention_score: 'too_large',
      'answers[0].value': 'not_allowed',
      'answers[1].value': 'empty',
      'answers[3].question': 'not_allowed',
    };
    const refused = await submit(platform, ann, 11, answers);
    expectInvalid(refused, wrong);
    expect(refused.body.message).toMatch(/^attention_score .*, and 3 more fields are invalid\.$/);
    expectInvalid(await submit(platform, ann, 11), {
      attention_score: 'too_large',
      answers: 'required',
    });
    const { participation_id } = ann;
    const nowhere = { participation_id, attention_score: 11, answers: answers.slice(0, 1) };
    expectInvalid(await platform.post('/svc/fielding/submit', nowhere), {
      post_id: 'required',
      attention_score: 'too_large',
    });
    const unknown = { post_id, participation_id: 'part_unknown' };
    expectInvalid(await submit(platform, unknown, 11, answers.slice(0, 1)), {
      attention_score: 'too_large',
    });
  });

  it('keeps what was promised, whatever changes in between', async () => {
    const post_id = await liveQuestionnaire(company, [question()]);
    const ann = await begun(platform, post_id, 'ann');
    await company.api.patch('/svc/campaign/update', { post_id, reward_amount: 5000 });
    const replaced = await company.api.post('/svc/survey/questions', {
      post_id,
      questions: [question({ question: 'Another?' }), question({ question: 'One more?' })],
    });
    const answers = [{ question: 1, value: 'Arabica' }];
    const { body } = await submit(platform, ann, 9, answers);
    expect(body.data).toMatchObject({ cohort: 5, reward: 100 });
    const bob = await begun(platform, post_id, 'bob');
    expect(bob).toMatchObject({
      maximum_reward: 5000,
      content: { question_id: replaced.body.data.question_id },
    });
    const { items } = (await company.api.get(`/svc/campaign/${post_id}/responses`)).body.data;
    expect(items).toMatchObject([
      {
        participation_id: ann.participation_id,
        question_id: ann.content.question_id,
        version: 1,
        cohort_rewards: ann.cohort_rewards,
        answers,
      },
    ]);
  });

  it('lets those who began finish after a stop', async () => {
    const post_id = await liveSurvey(company);
    const begin = await begun(platform, post_id, 'ann');
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    expect((await submit(platform, begin, 3)).status).toBe(200);
  });

  it('refuses an undeclared parameter alone, whatever the answers are', async () => {
    const post_id = await liveQuestionnaire(company, [question()]);
    const { participation_id } = await begun(platform, post_id, 'ann');
    for (const answers of [undefined, null, {}, [null], [{ question: 1, value: '' }]]) {
      const submission = { post_id, participation_id, attention_score: 9, answers };
      const refused = await platform.post('/svc/fielding/submit?x=1', submission);
      expectInvalid(refused, { x: 'unknown_field' });
    }
  });

  it('completes the campaign with its last response, at once', async () => {
    const post_id = await liveSurvey(company, { max_responses: 2 });
    const [ann, bob] = [
      await begun(platform, post_id, 'ann'),
      await begun(platform, post_id, 'bob'),
    ];
    await submit(platform, ann, 3);
    expect((await campaignStatus(company.api, post_id)).status).toBe('live');
    await submit(platform, bob, 3);
    expect(await campaignStatus(company.api, post_id)).toEqual(
      inState('completed', 'max_responses_reached'),
    );
    expectError(
      await platform.post('/svc/fielding/begin', { post_id, respondent_id: 'cleo' }),
      422,
      'campaign_completed',
    );
    await eventually(async () => {
      const list = await platform.get('/svc/fielding/list?respondent_id=cleo&limit=100');
      expect(JSON.stringify(list.body.data.items)).not.toContain(post_id);
    });
  });

  it('completes the campaign when the rest of the budget pays for nobody', async () => {
    const post_id = await liveSurvey(company, { budget: 250 });
    const [ann, bob] = [
      await begun(platform, post_id, 'ann'),
      await begun(platform, post_id, 'bob'),
    ];
    await submit(platform, ann, 9);
    // 50 are left, and 100 are held: some may be given back.
    expect((await campaignStatus(company.api, post_id)).status).toBe('live');
    await submit(platform, bob, 7);
    expect(await campaignStatus(company.api, post_id)).toMatchObject({
      status: 'completed',
      status_reasons: ['budget_spent'],
    });
    await expectReconciled(company.api);
  });

  it('refuses an unknown and an abandoned participation', async () => {
    const post_id = await liveSurvey(company);
    const unknown = { post_id, participation_id: 'part_unknown' };
    expectError(await submit(platform, unknown, 5), 404, 'participation_not_found');
    const begin = await begun(platform, post_id, 'ann');
    await platform.post('/svc/fielding/abandon', {
      post_id,
      participation_id: begin.participation_id,
    });
    expectError(await submit(platform, begin, 5), 422, 'participation_closed');
  });

  it('refuses a score outside 0 to 10 and one with three places', async () => {
    const begin = await begun(platform, await liveSurvey(company), 'ann');
    for (const [score, code] of [
      [-0.01, 'too_small'],
      [10.01, 'too_large'],
      [5.001, 'too_precise'],
      ['5', 'invalid_type'],
    ] as const) {
      expectInvalid(await submit(platform, begin, score as number), { attention_score: code });
    }
  });

  it('takes no answers to an advertisement without feedback', async () => {
    const { post_id } = await createAdvertisement(company.api);
    await start(company.api, post_id);
    const begin = await begun(platform, post_id, 'ann');
    expectInvalid(await submit(platform, begin, 5, [{ question: 1, value: 'Nice' }]), {
      answers: 'not_allowed',
    });
    expect((await submit(platform, begin, 5)).status).toBe(200);
  });

  it('pays and reverses any ladder exactly, by an independent calculation', async () => {
    const payer = await registerCompany(service.client);
    const cents = fc.integer({ min: 0, max: 100_000_000 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(
          cents,
          cents,
          cents,
          cents,
          cents.filter((each) => each > 0),
        ),
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 4 }),
        async (ladder, scores) => {
          const { id, post_id } = await createSurvey(payer.api);
          const amounts = [Math.max(ladder[0], 300), ...ladder.slice(1)];
          await payer.api.patch('/svc/campaign/update', {
            post_id,
            reward_amount: amounts[4]! / 100,
          });
          const rewards = Object.fromEntries(
            amounts.map((amount, index) => [`cohort_${index + 1}_reward`, amount / 100]),
          );
          const set = await payer.api.patch('/svc/campaign/cohort-rewards', {
            post_id,
            ...rewards,
          });
          expect(set.status).toBe(200);
          await start(payer.api, post_id);
          let settled = 0;
          let reversed = 0;
          for (const [index, score] of scores.entries()) {
            const begin = await begun(platform, post_id, `respondent ${index}`);
            const { body } = await submit(platform, begin, score / 100);
            const expected = amounts[[200, 400, 600, 800].filter((end) => score >= end).length]!;
            expect(Math.round(body.data.reward * 100)).toBe(expected);
            settled += expected;
            if (index % 2 === 1) {
              const { post_id, participation_id } = begin;
              const reversal = { post_id, participation_id, reason: 'Too fast' };
              const { body } = await platform.post('/svc/fielding/reverse', reversal);
              expect(Math.round(body.data.reward * 100)).toBe(expected);
              reversed += expected;
            }
          }
          const campaign = [storedEnvironment(payer.companyId), id];
          const [sums] = await service.dataSource.query(
            `SELECT coalesce(sum(amount) FILTER (WHERE kind = 'settle'), 0) * 100 AS settled,
               coalesce(sum(amount) FILTER (WHERE kind = 'reverse'), 0) * 100 AS reversed
             FROM transfer WHERE company_id = $1 AND campaign_id = $2`,
            campaign,
          );
          expect([Number(sums.settled), Number(sums.reversed)]).toEqual([settled, reversed]);
          const [{ spent }] = await service.dataSource.query(
            `SELECT spent * 100 AS spent FROM campaign_progress
             WHERE company_id = $1 AND campaign_id = $2`,
            campaign,
          );
          expect(Number(spent)).toBe(settled - reversed);
        },
      ),
      { numRuns: 15 },
    );
    await expectReconciled(payer.api);
  }, 120_000);
});
