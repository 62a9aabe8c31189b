import fc from 'fast-check';
import { choice, survey } from '../support/builders';
import { companyForAll } from '../support/fixtures';

/** The tests of the fields try more; these show that what they let through is stored. */
const RUNS = { numRuns: 30 };

describe('input that passes validation', () => {
  const company = companyForAll();

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 220 }),
    fc.string({ unit: fc.constantFrom('\0', '\ud800', '\udc00', '\\', "'", '😀', '\ufffe', 'a') }),
  );

  const amount = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer({ min: -5, max: 100_000_000_099 }).map((cents) => cents / 100),
  );

  it('is stored or refused with 400 as any text of a survey (section 4.1)', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (title, path) => {
        const body = survey({ title, content_url: `https://example.com/${path}` });
        const { status } = await company.api.post('/svc/survey/create', body);
        expect([200, 400]).toContain(status);
      }),
      RUNS,
    );
  });

  it('is stored or refused with 400 as any text of a question and its options (section 4.2)', async () => {
    const { body } = await company.api.post('/svc/survey/create', survey());
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (words, options) => {
        const { status } = await company.api.post('/svc/survey/questions', {
          post_id: body.data.post_id,
          questions: [choice({ question: words, options })],
        });
        expect([200, 400]).toContain(status);
      }),
      RUNS,
    );
  });

  it('is stored and returned unchanged as any reward of an update (section 4.4)', async () => {
    const { body } = await company.api.post('/svc/survey/create', survey());
    await fc.assert(
      fc.asyncProperty(amount, async (reward_amount) => {
        const answer = await company.api.patch('/svc/campaign/update', {
          post_id: body.data.post_id,
          reward_amount,
        });
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 200) {
          expect(answer.body.data.reward_amount).toBe(reward_amount);
          expect(answer.body.data.cohort_rewards.cohort_5_reward).toBe(reward_amount);
        }
      }),
      RUNS,
    );
  });

  it('is stored or refused with 400 as any expiry of a key (section 4.7)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.date({ noInvalidDate: true }), async (date) => {
        const { status } = await company.account.post('/svc/api-key/generate', {
          expires_at: date.toISOString(),
        });
        expect([200, 400]).toContain(status);
      }),
      RUNS,
    );
  });
});
