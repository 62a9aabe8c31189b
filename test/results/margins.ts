import { choice } from '../support/builders';
import { begun, liveQuestionnaire, submit, submitAll } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { resultsOf } from '../support/recount';
import { service } from '../support/service';
import { beginAs, MEN, quota, setTargeting, WOMEN } from '../support/targeting';

const QUESTIONS = [
  choice({ key: 'gender', question: 'Gender?', options: ['f', 'm'], required: false }),
  choice({ key: 'yes', question: 'Yes?', options: ['yes', 'no'] }),
  { type: 'number', key: 'cups', question: 'Cups?', required: false },
];

const MARGINS = [{ question: 'gender', shares: { f: 0.5, m: 0.5 } }];

describe('results weighted to margins', () => {
  const platform = platformForAll();
  const company = companyForEach();

  const weighted = (post_id: string) =>
    resultsOf(service.dataSource, company, post_id, '?weights=margins');

  const answers = (gender: string | undefined, yes: string, cups: number): [number, unknown[]] => [
    9,
    [
      ...(gender === undefined ? [] : [{ question: 1, value: gender }]),
      { question: 2, value: yes },
      { question: 3, value: cups },
    ],
  ];

  it('have the known shares, with their design effect', async () => {
    const post_id = await liveQuestionnaire(company, QUESTIONS, { margins: MARGINS });
    await submitAll(platform, post_id, [
      answers('f', 'yes', 1),
      answers('f', 'yes', 2),
      answers('f', 'no', 3),
      answers('m', 'no', 7),
    ]);
    const { margins, questions, responses, cohorts } = await weighted(post_id);
    // Of four, the three count 2/3 each and the one 2: Kish's size is 4² / (3 (2/3)² + 2²) = 3.
    expect(margins).toEqual({
      converged: true,
      iterations: 1,
      largest_difference: 0,
      effective_size: 3,
      design_effect: 1.333333,
      smallest_weight: 0.666667,
      largest_weight: 2,
      missing: [],
    });
    expect(questions[0].options.map(({ count, share }: any) => [count, share])).toEqual([
      [3, 0.5],
      [1, 0.5],
    ]);
    expect(questions[1]).toMatchObject({ answered: 4, effective_size: 3 });
    expect(questions[1].options[0]).toMatchObject({ count: 2, share: 0.333333 });
    expect(questions[2].mean).toBeCloseTo((4 + 14) / 4, 6);
    expect(responses.counted).toBe(4);
    expect(cohorts[4].responses).toBe(4);
    const plain = await resultsOf(service.dataSource, company, post_id);
    expect([plain.margins, plain.questions[0].options[0].share]).toEqual([null, 0.75]);
  });

  it('keep the part of those without an answer, and say which answers nobody gave', async () => {
    const margins = [{ question: 'gender', shares: { f: 0.4, m: 0.6 } }];
    const post_id = await liveQuestionnaire(company, QUESTIONS, { margins });
    await submitAll(platform, post_id, [answers('f', 'yes', 1), answers(undefined, 'no', 2)]);
    const found = await weighted(post_id);
    expect(found.margins).toMatchObject({
      converged: true,
      missing: [{ margin: 0, value: 'm' }],
      largest_weight: 1,
    });
    expect(found.questions[1].options.map(({ share }: any) => share)).toEqual([0.5, 0.5]);
  });

  it('have the shares of quotas, and of the responses before they were declared', async () => {
    const post_id = await liveQuestionnaire(company, QUESTIONS);
    await setTargeting(company.api, post_id, {
      quotas: [quota('women', WOMEN, 90), quota('men', MEN, 90)],
    });
    const answer = async (gender: string, value: string) => {
      const who = `${post_id} ${Math.random()}`;
      const { data } = await beginAs(platform, post_id, who, { gender, age: 30 });
      await submit(platform, data, 9, [{ question: 2, value }]);
      return data;
    };
    for (const value of ['yes', 'yes', 'no']) {
      await answer('female', value);
    }
    await company.api.get(`/svc/campaign/${post_id}/results`);
    const margins = [{ shares: { men: 0.75, women: 0.25 } }];
    expect((await company.api.patch('/svc/campaign/update', { post_id, margins })).status).toBe(
      200,
    );
    await answer('male', 'no');
    await company.api.get(`/svc/campaign/${post_id}/results`);
    await service.dataSource.query(
      `SELECT fill_tabulation(company_id, campaign_id, number) FROM tabulation
       WHERE removed OR filled_seq < after_seq`,
    );
    const found = await weighted(post_id);
    expect(found.questions[1].options.map(({ share }: any) => share)).toEqual([0.166667, 0.833333]);
  });

  it('are refused without margins that fit', async () => {
    const none = await liveQuestionnaire(company, QUESTIONS);
    const read = (post_id: string) =>
      company.api.get(`/svc/campaign/${post_id}/results?weights=margins`);
    const refusal = (field: string, message: string) => [
      { field, code: 'not_allowed', message: `${field} ${message}.` },
    ];
    const undeclared = await read(none);
    expectError(undeclared, 422, 'margins_not_possible', refusal('margins', 'are not declared'));
    const unfit = await liveQuestionnaire(company, QUESTIONS, {
      margins: [{ question: 'gender', shares: { f: 0.5, x: 0.5 } }],
    });
    expectError(
      await read(unfit),
      422,
      'margins_not_possible',
      refusal('margins[0].shares.x', 'must name an answer to the question'),
    );
    const place = await begun(platform, unfit, `${unfit} 1`);
    expect(place.post_id).toBe(unfit);
    const update = (fields: object) =>
      company.api.patch('/svc/campaign/update', { post_id: none, ...fields });
    expectInvalid(await update({ margins: [{ shares: { a: 0.5, b: 0.4 } }] }), {
      'margins[0].shares': 'sum_not_one',
    });
    expectInvalid(await update({ banners: ['gender', 'gender', 'No'] }), {
      'banners[1]': 'duplicate',
      'banners[2]': 'not_allowed',
    });
    expect((await update({ banners: ['gender'], margins: MARGINS })).status).toBe(200);
    const { data } = await company.api.get(`/svc/campaign/${none}`);
    expect(data).toMatchObject({ banners: ['gender'], margins: MARGINS });
    const { data: check } = await company.api.get(`/svc/campaign/${none}/launch-check`);
    expect(check.warnings.map(({ code }: any) => code)).not.toContain('banner_without_question');
    await update({ banners: ['age'], margins: [{ question: 'cups', shares: { 1: 0.5, 2: 0.5 } }] });
    const { data: doubtful } = await company.api.get(`/svc/campaign/${none}/launch-check`);
    expect(doubtful.warnings.map(({ code }: any) => code)).toEqual(
      expect.arrayContaining(['banner_without_question', 'margin_without_question']),
    );
    await update({ banners: ['gender'], margins: MARGINS });
    const { data: copy } = await company.api.post('/svc/campaign/duplicate', { post_id: none });
    const { data: copied } = await company.api.get(`/svc/campaign/${copy.post_id}`);
    expect(copied).toMatchObject({ banners: ['gender'], margins: MARGINS });
  });
});
