import { choice, createImageSurvey } from '../support/builders';
import { registerCompany } from '../support/client';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { service } from '../support/service';

const QUESTIONS = 100;
const VALUES = 250;
const DETAILS_MAXIMUM = 1_000;

describe('answers of which too many are wrong', () => {
  it('report the first 1,000 wrong values and stop', async () => {
    const { api } = await registerCompany(service.client);
    const platform = await platformClient(service);
    const questions = Array.from({ length: QUESTIONS }, () => choice({ type: 'multiple_choice' }));
    const post_id = await liveQuestionnaire({ api }, questions);
    const ann = await begun(platform, post_id, 'ann');
    const value = Array.from({ length: VALUES }, (_, index) => `wrong ${index}`);
    const answers = questions.map((_, index) => ({ question: index + 1, value }));
    // The last of the reported answers has more wrong values than the response has room for.
    answers[0] = { question: 1, value: value.slice(1) };
    const refused = await submit(platform, ann, 5, answers);
    expectError(refused, 400, 'validation_failed', expect.any(Array));
    const fields = answers.flatMap((answer, index) =>
      answer.value.map((_, place) => `answers[${index}].value[${place}]`),
    );
    expect(refused.body.error!.details.map(({ field }) => field)).toEqual(
      fields.slice(0, DETAILS_MAXIMUM),
    );
    expect(JSON.stringify(refused.body).length).toBeLessThan(256 * 1024);
  });

  it('stay unread when there is no room to name them', async () => {
    const { api } = await registerCompany(service.client);
    const platform = await platformClient(service);
    const { post_id } = await createImageSurvey(api, 'round-robin');
    await start(api, post_id);
    const { participation_id } = await begun(platform, post_id, 'ann');
    const unknown = Object.fromEntries(
      Array.from({ length: DETAILS_MAXIMUM }, (_, index) => [`unknown_${index}`, 1]),
    );
    const numbers = Array.from({ length: VALUES }, (_, index) => index);
    const sent = { post_id, participation_id, attention_score: 5 };
    const bodies = [
      { ...sent, ...unknown },
      { ...sent, ...unknown, answers: [], post_id: '\0' },
      {
        ...sent,
        answers: [
          ...Array.from({ length: 4 }, (_, index) => ({ question: index + 1, value: numbers })),
          { images: 'x', value: 1 },
        ],
      },
    ];
    const refused = await Promise.all(
      bodies.map((body) => platform.post('/svc/fielding/submit', body)),
    );
    expect(refused.map(({ status, body }) => [status, body.error?.details.length])).toEqual(
      bodies.map(() => [400, DETAILS_MAXIMUM]),
    );
  });
});
