import { choice, createSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { liveQuestionnaire, submitAll } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';

const SMOKE = choice({ key: 'smoke', question: 'Do you smoke?', options: ['yes', 'no'] });
const HOURS = { type: 'number', key: 'hours', question: 'How much more sleep?', decimals: 1 };

describe('GET /svc/campaign/{post_id}/results/waves', () => {
  const platform = platformForAll();
  const company = companyForEach();

  const compare = (post_id: string, other: string) =>
    company.api.get(`/svc/campaign/${post_id}/results/waves?compare=${other}`);

  it('has the questions of both with their differences', async () => {
    // Newcombe's 9 in 10 and 3 in 10; the sleep of Student's patients, as R has it.
    const waves = [
      { yes: 9, hours: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2] },
      { yes: 3, hours: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4] },
    ];
    const [current, earlier] = await Promise.all(
      waves.map(async ({ yes, hours }, wave) => {
        const other = { type: 'text', question: 'Else?', required: false };
        const questions = wave === 0 ? [SMOKE, HOURS] : [other, HOURS, SMOKE];
        const post_id = await liveQuestionnaire(company, questions);
        await submitAll(
          platform,
          post_id,
          hours.map((value, n) => [
            9,
            [
              { question: 'smoke', value: n < yes ? 'yes' : 'no' },
              { question: 'hours', value },
            ],
          ]),
        );
        return post_id;
      }),
    );
    const { data } = await compare(current!, earlier!);
    expect(data).toMatchObject({
      current: { post_id: current, counted: 10 },
      earlier: { post_id: earlier, counted: 10 },
    });
    const [smoke, sleep] = data.questions;
    expect(smoke).toMatchObject({ key: 'smoke', answered: 10, answered_earlier: 10 });
    expect(smoke.rows[0]).toMatchObject({
      value: 'yes',
      current: { count: 9, share: 0.9 },
      earlier: { count: 3, share: 0.3 },
      difference: 0.6,
      p_value: null,
    });
    expect(smoke.rows[0].difference_interval[0]).toBeCloseTo(0.1705, 4);
    expect(smoke.rows[0].difference_interval[1]).toBeCloseTo(0.809, 4);
    expect(sleep.mean).toMatchObject({
      current: { mean: 0.75 },
      earlier: { mean: 2.33 },
      difference: -1.58,
    });
    expect(sleep.mean.difference_interval[0]).toBeCloseTo(-3.3654832, 5);
    expect(sleep.mean.difference_interval[1]).toBeCloseTo(0.2054832, 5);
  });

  it('is refused for campaigns of others, as everywhere', async () => {
    const { post_id } = await createSurvey(company.api);
    const other = await registerCompany(service.client);
    const { post_id: foreign } = await createSurvey(other.api);
    expectError(await compare(post_id, foreign), 403, 'campaign_not_owned');
    const unknown = 'post_00000000000000000000000000';
    expectError(await compare(post_id, unknown), 404, 'campaign_not_found');
    expectInvalid(await company.api.get(`/svc/campaign/${post_id}/results/waves`), {
      compare: 'required',
    });
  });
});
