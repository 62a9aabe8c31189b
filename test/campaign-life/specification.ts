import { choice, createAdvertisement, ladder, question, survey } from '../support/builders';
import { Answer } from '../support/client';
import { companyForAll } from '../support/fixtures';
import { inHours } from '../support/life';
import { expectError } from '../support/refusals';

/** A request, and the whole answer that the specification gives it. */
type Step = [
  method: string,
  path: string,
  body: (postId: string) => object,
  expected: { message: string; data: object } | [status: number, code: string],
];

const LADDER = ladder(3, 40, 60, 80, 100);

const REWARDS = { ...LADDER, cohort_1_reward: 5, cohort_2_reward: 41.5 };

const TEXTS = {
  title: 'Tea habits',
  description: 'How people drink their tea.',
  content_url: 'https://example.com/tea',
  category: 'drinks',
  tagline: 'Tell us about your pot',
};

const COHORTS_OF_250 = ladder(3, 100.2, 150.3, 200.4, 250.5);

const ID = expect.any(Number);
const POST_ID = expect.stringMatching(/^post_/);

const toggle = (type: string, title: string, is_live: boolean): Step => [
  'PATCH',
  '/svc/campaign/toggle-live',
  (post_id) => ({ post_id, is_live }),
  {
    message: is_live ? 'Campaign started.' : 'Campaign stopped.',
    data: { id: ID, post_id: POST_ID, title, type, is_live },
  },
];

/** What follows a creation: sections 4.2 to 4.6, and conditions of section 7. */
const stepsOf = (type: 'survey' | 'advertisement', set: 'survey' | 'ad'): Step[] => [
  [
    'POST',
    `/svc/${type}/questions`,
    (post_id) => ({ post_id, questions: [question(), choice()] }),
    {
      message: expect.stringMatching(/questions stored\.$/),
      data: {
        question_id: expect.stringMatching(/^qset_/),
        post_id: POST_ID,
        ad_id: ID,
        question_type: set,
        total_questions: 2,
      },
    },
  ],
  toggle(type, 'Coffee habits', true),
  toggle(type, 'Coffee habits', true),
  [
    'PATCH',
    '/svc/campaign/cohort-rewards',
    (post_id) => ({ post_id, ...REWARDS }),
    {
      message: 'Cohort rewards updated.',
      data: { post_id: POST_ID, title: 'Coffee habits', type, cohort_rewards: REWARDS },
    },
  ],
  [
    'PATCH',
    '/svc/campaign/update',
    (post_id) => ({ post_id, ...TEXTS }),
    {
      message: 'Campaign updated.',
      data: { post_id: POST_ID, type, ...TEXTS, reward_amount: 100, is_live: true },
    },
  ],
  [
    'PATCH',
    '/svc/campaign/update',
    (post_id) => ({ post_id, reward_amount: 250.5 }),
    {
      message: 'Campaign updated.',
      data: {
        post_id: POST_ID,
        type,
        ...TEXTS,
        reward_amount: 250.5,
        is_live: true,
        cohort_rewards: COHORTS_OF_250,
      },
    },
  ],
  ['PATCH', '/svc/campaign/update', (post_id) => ({ post_id }), [400, 'nothing_to_update']],
  [
    'PATCH',
    '/svc/campaign/update',
    (post_id) => ({ post_id, reward_amount: 0 }),
    [400, 'validation_failed'],
  ],
  [
    'PATCH',
    '/svc/campaign/cohort-rewards',
    (post_id) => ({ post_id, ...REWARDS }),
    [422, 'cohort_reward_mismatch'],
  ],
  [
    'POST',
    `/svc/${type}/questions`,
    (post_id) => ({ post_id, questions: [] }),
    [400, 'validation_failed'],
  ],
  toggle(type, 'Tea habits', false),
  toggle(type, 'Tea habits', false),
  toggle(type, 'Tea habits', true),
];

/** The fields of the specification's responses. The service adds others. */
const SPECIFIED = [
  ...['id', 'post_id', 'type', 'title', 'description', 'content_url', 'category', 'tagline'],
  ...['reward_amount', 'is_live', 'cohort_rewards'],
  ...['question_id', 'ad_id', 'question_type', 'total_questions'],
];

function specified({ status, body }: Answer): unknown[] {
  const fields = Object.entries(body.data as object);
  const known = fields.filter(([name]) => SPECIFIED.includes(name));
  return [status, { ...body, data: Object.fromEntries(known) }];
}

describe('what the specification says of a campaign (sections 3 and 4)', () => {
  const company = companyForAll();

  async function drive(steps: readonly Step[], postId: string): Promise<void> {
    for (const [method, path, body, expected] of steps) {
      const answer = await company.api.send(method, path, body(postId));
      if (Array.isArray(expected)) {
        expectError(answer, ...expected, expect.any(Array));
      } else {
        expect(specified(answer)).toEqual([200, { success: true, ...expected }]);
      }
    }
  }

  const LIFE = {
    'without the fields of its life': () => ({}),
    'with all of them': () => ({
      starts_at: inHours(1),
      ends_at: inHours(2),
      max_responses: 10,
      budget: 100_000,
      answer_minutes: 5,
    }),
  };

  it.each(Object.entries(LIFE))('holds for a survey %s', async (_, life) => {
    const created = await company.api.post('/svc/survey/create', survey(life()));
    expect(specified(created)).toEqual([
      200,
      {
        success: true,
        message: 'Survey campaign created.',
        data: { id: ID, post_id: POST_ID, type: 'survey', title: 'Coffee habits', is_live: false },
      },
    ]);
    await drive(stepsOf('survey', 'survey'), created.body.data.post_id);
  });

  it.each(Object.entries(LIFE))('holds for an advertisement %s', async (_, life) => {
    const { post_id } = await createAdvertisement(company.api, { has_feedback: true, ...life() });
    await drive(stepsOf('advertisement', 'ad'), post_id);
  });
});
