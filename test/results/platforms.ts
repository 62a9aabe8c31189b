import { Client } from '../support/client';
import { begun, liveQuestionnaire, submit } from '../support/fielding';
import { companyForEach } from '../support/fixtures';
import { platformClient } from '../support/platforms';
import { recount, resultsOf, tallied } from '../support/recount';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';

/** Each kind of question with a right answer. */
const CHECKED = [
  { type: 'single_choice', question: 'Tick b.', key: 'trap', options: ['a', 'b'], correct: 'b' },
  {
    type: 'multiple_choice',
    question: 'Which are even?',
    options: ['1', { text: 'two', key: 'two' }, '4'],
    correct: ['4', 'two'],
    required: false,
  },
  {
    type: 'rating',
    question: 'Rate 3.',
    scale: { min: 1, max: 5, step: 1 },
    correct: 3,
    required: false,
  },
  { type: 'nps', question: 'Choose 0.', correct: 0, required: false },
  { type: 'number', question: 'Days of a week?', correct: 7, required: false },
];

describe('questions with a right answer', () => {
  const company = companyForEach();
  const path = '/svc/survey/questions';

  it('have the share of right answers in the results, and hide it from platforms', async () => {
    const platform = await platformClient(service);
    const post_id = await liveQuestionnaire(company, CHECKED);
    const read = (await company.api.get(`/svc/campaign/${post_id}/questions`)).body.data;
    expect(read.questions).toEqual(CHECKED);
    const part = await begun(platform, post_id, `${post_id} first`);
    const again = await platform.get(`/svc/fielding/participation/${part.participation_id}`);
    const preview = await company.api.post('/svc/campaign/preview-link', { post_id });
    const shown = await (await fetch(preview.body.data.url)).text();
    expect([JSON.stringify(part), shown]).toEqual([
      expect.stringContaining('Which are even?'),
      expect.stringContaining('Which are even?'),
    ]);
    for (const seen of [JSON.stringify(part), JSON.stringify(again.body), shown]) {
      expect(seen).not.toContain('correct');
    }
    const given = [
      ['b', ['two', '4'], 3, 0, 7],
      ['a', ['4'], 4, 10, 6],
      ['b', ['1', 'two', '4'], 3],
    ];
    for (const [index, values] of given.entries()) {
      const one = index === 0 ? part : await begun(platform, post_id, `${post_id} ${index}`);
      const answers = values.map((value, at) => ({ question: at + 1, value }));
      // Nobody is paid less for a wrong answer.
      const { body } = await submit(platform, one, 10, answers);
      expect([body.data.cohort, body.data.reward]).toEqual([5, 100]);
    }
    const { questions } = await resultsOf(service.dataSource, company, post_id);
    expect(questions.map(({ right }: any) => [right.count, right.share])).toEqual([
      [2, 0.666667],
      [1, 0.333333],
      [2, 0.666667],
      [1, 0.5],
      [1, 0.5],
    ]);
    expect(await tallied(service.dataSource, company.companyId)).toEqual(
      await recount(service.dataSource, company.companyId),
    );
  });

  it('are refused with what cannot be answered', async () => {
    const post_id = await liveQuestionnaire(company, CHECKED);
    for (const [index, correct] of [
      [0, 'c'],
      [0, ['b']],
      [0, {}],
      [1, ['1', '1']],
      [1, 'two'],
      [2, 6],
      [2, 1.5],
      [3, 11],
      [4, 1.5],
      [4, '7'],
    ] as const) {
      const questions = CHECKED.map((each, at) => (at === index ? { ...each, correct } : each));
      const { status, body } = await company.api.post(path, { post_id, questions });
      expect([index, correct, status]).toEqual([index, correct, 400]);
      expect(body.error!.details[0]!.field).toMatch(`questions[${index}].correct`);
    }
    const text = { type: 'text', question: 'Why?', correct: 'because' };
    expectInvalid(await company.api.post(path, { post_id, questions: [text] }), {
      'questions[0].correct': 'unknown_field',
    });
  });
});

describe('the scores of platforms', () => {
  const company = companyForEach();

  /** Lets respondents of a platform answer, with the scores that it gives them. */
  async function respond(
    platform: Client,
    postId: string,
    count: number,
    added: number,
  ): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const isCareful = index % 3 > 0;
      const part = await begun(platform, postId, `${postId} ${added} ${index}`);
      const answers = [{ question: 1, value: isCareful ? 'b' : 'a' }];
      const score = (isCareful ? 6 : 3) + (index % 4) * 0.5 + added;
      expect((await submit(platform, part, score, answers)).status).toBe(200);
      ids.push(part.participation_id);
    }
    return ids;
  }

  it.each([
    [2, true],
    [0, false],
  ])('that add %d to each of them differ: %s', async (added, differs) => {
    const post_id = await liveQuestionnaire(company, CHECKED.slice(0, 1));
    const read = async () => {
      const path = `/svc/campaign/${post_id}/results/platforms`;
      const { status, body } = await company.api.get(path);
      expect([status, body.error]).toEqual([200, undefined]);
      return body.data;
    };
    expect(await read()).toMatchObject({ post_id, adjusted_for: [], items: [] });
    const names = [`honest ${post_id}`, `other ${post_id}`];
    const [honest, other] = await Promise.all(names.map((name) => platformClient(service, name)));
    const ids = await respond(honest!, post_id, 24, 0);
    await respond(other!, post_id, 21, added);
    const found = await read();
    expect(found.items.map(({ platform }: any) => platform)).toEqual(names);
    expect(found.adjusted_for).toContain('right_share');
    const [first, second] = found.items;
    expect(first).toMatchObject({
      responses: 24,
      right: { count: 16, share: 0.666667 },
      associations: expect.arrayContaining([
        expect.objectContaining({ with: 'right_share', responses: 24 }),
      ]),
    });
    const association = first.associations.find(({ with: name }: any) => name === 'right_share');
    expect(association.correlation).toBeGreaterThan(0.8);
    for (const [item, sign] of [
      [first, -1],
      [second, 1],
    ]) {
      expect(item.difference.differs).toBe(differs);
      expect(item.difference.points * sign).toBeCloseTo(added, 0);
      expect(item.difference.interval[0]).toBeLessThan(item.difference.points);
    }
    const { cost_per_careful_response: cost, careful, mean_reward } = first;
    expect(cost.amount).toBeCloseTo(mean_reward / careful.share, 1);
    expect(cost.interval[0]).toBeLessThan(cost.amount);
    expect(second.cost_per_careful_response.amount > cost.interval[1]).toBe(differs);
    // Another read without a change reads no participation again, and says the same.
    expect((await read()).items).toEqual(found.items);
    const reversal = { post_id, participation_id: ids[1], reason: 'duplicate' };
    expect((await honest!.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    expect((await read()).items.map(({ responses }: any) => responses)).toEqual([23, 21]);
  });
});
