import { randomBytes } from 'node:crypto';

export type Fields = Record<string, unknown>;

/** One request of the demo and its expected response. */
export interface Step {
  /** Method and path, which can contain {@link LAST_CAMPAIGN}. */
  request: string;
  /** The credential; an API key by default. */
  as?: 'anyone' | 'account';
  body?: Fields;
  /** Members that the response's data must have. */
  expect?: Fields;
  /** Other members of the response's data to print. */
  show?: readonly string[];
  /** The expected error code; none for a success. */
  error?: string;
  /** Whether the step needs a receiver of events that the service can reach. */
  needsReceiver?: true;
  /** The type of the event that the receiver gets next. */
  event?: string;
}

/** In a body: the URL of the demo's own receiver of events. */
export const RECEIVER = '{receiver}';

/** The campaign that was created last. */
export const LAST_CAMPAIGN = '{post_id}';

/** In a body: the participation that was begun last. */
export const LAST_PARTICIPATION = '{participation_id}';

const onCampaign = (fields: Fields) => ({ post_id: LAST_CAMPAIGN, ...fields });

const cohorts = (...rewards: readonly number[]): Fields =>
  Object.fromEntries(rewards.map((reward, index) => [`cohort_${index + 1}_reward`, reward]));

/** A respondent, from the place to the reward. A test key does what a platform does. */
const respondent = (
  name: string,
  attention_score: number,
  earned: { cohort: number; reward: number },
): Step[] => [
  {
    request: 'POST /svc/fielding/begin',
    body: onCampaign({ respondent_id: name }),
    expect: { maximum_reward: 99.99 },
    show: ['participation_id'],
  },
  {
    request: 'POST /svc/fielding/submit',
    body: {
      attention_score,
      answers: [
        { question: 1, value: 'more' },
        { question: 2, value: 'Arabica' },
      ],
      ...onCampaign({ participation_id: LAST_PARTICIPATION }),
    },
    expect: { ...earned },
  },
];

/**
 * A client's journey: account, key, survey, rewards, webhook, start, three respondents who take all
 * places, ledger, an advertisement with simulated respondents, and a link to its results. All of it
 * is test data.
 */
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
    body: { name: 'demo', mode: 'test' },
    show: ['api_key', 'scopes'],
  },
  {
    request: 'POST /svc/survey/create',
    body: {
      title: 'Coffee habits',
      description: 'How people drink coffee.',
      category: 'food',
      tagline: 'Your morning cup',
      reward_amount: 100,
      max_responses: 3,
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
    request: 'POST /svc/webhook/create',
    body: { url: RECEIVER, event_types: ['campaign.started', 'campaign.completed'] },
    show: ['webhook_id', 'secret'],
    needsReceiver: true,
  },
  {
    request: 'PATCH /svc/campaign/toggle-live',
    body: onCampaign({ is_live: true }),
    expect: { is_live: true },
    event: 'campaign.started',
  },
  {
    request: 'PATCH /svc/campaign/cohort-rewards',
    body: onCampaign(cohorts(5, 35, 55.5, 75, 80)),
    error: 'cohort_reward_mismatch',
  },
  ...respondent('user-1', 1, { cohort: 1, reward: 5 }),
  ...respondent('user-2', 5, { cohort: 3, reward: 55.5 }),
  ...respondent('user-3', 9.5, { cohort: 5, reward: 99.99 }).map((step) =>
    step.request.endsWith('submit') ? { ...step, event: 'campaign.completed' } : step,
  ),
  {
    request: 'POST /svc/fielding/begin',
    body: onCampaign({ respondent_id: 'user-4' }),
    error: 'campaign_completed',
  },
  {
    request: `GET /svc/campaign/${LAST_CAMPAIGN}`,
    expect: { is_live: false, status: 'completed', status_reasons: ['max_responses_reached'] },
  },
  {
    request: 'GET /svc/ledger/reconcile',
    expect: { checked: 3, differences: [] },
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
      questions: [
        {
          type: 'single_choice',
          question: 'Would you try it?',
          options: ['Certainly', 'Probably', 'Perhaps', 'No'],
        },
        {
          type: 'multiple_choice',
          question: 'What did you like?',
          options: ['The story', 'The music', 'The pictures', 'The coffee'],
        },
        { type: 'descriptive', question: 'What did the video tell you?' },
      ],
    }),
    expect: { question_type: 'ad', total_questions: 3 },
    show: ['question_id'],
  },
  {
    request: 'PATCH /svc/campaign/toggle-live',
    body: onCampaign({ is_live: true }),
    expect: { type: 'advertisement', is_live: true },
  },
  {
    request: 'POST /svc/campaign/simulate',
    body: onCampaign({ respondents: 50, seed: 2026, abandon_rate: 0.1 }),
    expect: { begun: 50, submitted: 44, abandoned: 6, refused: [], spent: 1683 },
  },
  {
    request: 'POST /svc/campaign/results-link',
    body: onCampaign({}),
    show: ['link_id', 'expires_at', 'url'],
  },
];
