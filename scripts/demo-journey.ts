import { randomBytes } from 'node:crypto';

export type Fields = Record<string, unknown>;

/** One request of the demo, and the answer it must get. */
export interface Step {
  /** Method and path. */
  request: string;
  /** The credential it carries: an API key where nothing else is said. */
  as?: 'anyone' | 'account';
  body: Fields;
  /** What the answer's data must hold. */
  expect?: Fields;
  /** What else of the answer's data is worth seeing. */
  show?: readonly string[];
  /** The error it must be refused with; a success where there is none. */
  error?: string;
}

/** In a body: the campaign that was created last. */
export const LAST_CAMPAIGN = '{post_id}';

const onCampaign = (fields: Fields) => ({ post_id: LAST_CAMPAIGN, ...fields });

const cohorts = (...rewards: readonly number[]): Fields =>
  Object.fromEntries(rewards.map((reward, index) => [`cohort_${index + 1}_reward`, reward]));

/** A client's whole way: account, key, survey, rewards, start, stop, advertisement. */
export const JOURNEY: readonly Step[] = [
  {
    request: 'POST /api/company/create',
    as: 'anyone',
    body: {
      name: 'Example Research Ltd',
      email: `demo-${randomBytes(4).toString('hex')}@example.com`,
      password: randomBytes(16).toString('hex'),
    },
    expect: { token_type: 'Bearer' },
    show: ['company_id', 'access_token'],
  },
  {
    request: 'POST /svc/api-key/generate',
    as: 'account',
    body: { name: 'demo' },
    expect: { scopes: ['campaigns:read', 'campaigns:write'] },
    show: ['api_key'],
  },
  {
    request: 'POST /svc/survey/create',
    body: {
      title: 'Coffee habits',
      description: 'How people drink coffee.',
      category: 'food',
      tagline: 'Your morning cup',
      reward_amount: 100,
    },
    expect: { type: 'survey', is_live: false },
    show: ['id', 'post_id'],
  },
  {
    request: 'POST /svc/survey/questions',
    body: onCampaign({
      questions: [
        { type: 'single_choice', question: 'How many cups a day?', options: ['one', 'more'] },
        { type: 'text', question: 'Which beans?' },
      ],
    }),
    expect: { question_type: 'survey', total_questions: 2 },
    show: ['question_id'],
  },
  {
    request: 'PATCH /svc/campaign/update',
    body: onCampaign({ reward_amount: 99.99 }),
    expect: { cohort_rewards: cohorts(3, 40, 59.99, 79.99, 99.99) },
  },
  {
    request: 'PATCH /svc/campaign/cohort-rewards',
    body: onCampaign(cohorts(5, 35, 55.5, 75, 99.99)),
    expect: { cohort_rewards: cohorts(5, 35, 55.5, 75, 99.99) },
  },
  {
    request: 'PATCH /svc/campaign/toggle-live',
    body: onCampaign({ is_live: true }),
    expect: { is_live: true },
  },
  {
    request: 'PATCH /svc/campaign/cohort-rewards',
    body: onCampaign(cohorts(5, 35, 55.5, 75, 80)),
    error: 'cohort_reward_mismatch',
  },
  {
    request: 'PATCH /svc/campaign/toggle-live',
    body: onCampaign({ is_live: false }),
    expect: { is_live: false },
  },
  {
    request: 'POST /svc/advertisement/create',
    body: {
      title: 'A new roast',
      description: 'Half a minute on our new roast.',
      category: 'food',
      tagline: 'Taste it',
      reward_amount: 50,
      video_url: 'https://example.com/spot.mp4',
      has_feedback: true,
    },
    expect: { type: 'advertisement', has_feedback: true },
    show: ['post_id'],
  },
  {
    request: 'POST /svc/advertisement/questions',
    body: onCampaign({
      questions: [{ type: 'descriptive', question: 'What did the video tell you?' }],
    }),
    expect: { question_type: 'ad', total_questions: 1 },
    show: ['question_id'],
  },
];
