import type { Account } from './account.types';
import { FIELDING_ROWS } from './fielding-rows';
import { JSON_TYPE, send } from './request';
import type { Row, State } from './row.types';

export function pick<T>(list: readonly T[]): T {
  const picked = list[Math.floor(Math.random() * list.length)];
  if (picked === undefined) {
    throw new Error('nothing to pick from');
  }
  return picked;
}

/** Campaigns for changes of the cohort rewards only, so that their reward_amount stays 100. */
const SHARE_OF_COHORT_REWARDS = 0.25;

function pickCampaign(accounts: Account[], part: 'any' | 'cohort rewards' | 'the rest' = 'any') {
  const { key, postIds } = pick(accounts);
  const border = Math.ceil(postIds.length * SHARE_OF_COHORT_REWARDS);
  const some = {
    any: postIds,
    'cohort rewards': postIds.slice(0, border),
    'the rest': postIds.slice(border),
  }[part];
  return { key, postId: pick(some) };
}

function survey(state: State) {
  const n = (state.count += 1);
  return {
    title: `Coffee habits, wave ${n}`,
    description: `How people choose and drink their coffee at home, asked for the time ${n}.`,
    content_url: `https://example.com/campaigns/${n}`,
    category: 'food',
    tagline: 'Tell us about your morning cup',
    reward_amount: 1 + (n % 1000),
  };
}

function questions(n: number) {
  return [
    {
      type: 'single_choice',
      question: `How many cups do you drink a day? (${n})`,
      options: ['None', 'One or two', 'More'],
    },
    {
      type: 'multiple_choice',
      question: 'Where do you drink it?',
      options: ['At home', 'At work', 'On the way', 'In a café'],
    },
    { type: 'descriptive', question: 'What makes a good cup?' },
    { type: 'text', question: 'Your favourite brand?' },
    {
      type: 'single_choice',
      question: 'Would you try another one?',
      options: ['Yes', 'No'],
    },
  ];
}

/** Five blocks of eight questions, of which most depend on an answer before, in two languages. */
function questionnaire(n: number) {
  const blocks = Array.from({ length: 5 }, (_, block) => {
    const key = (name: string) => `${name}_${block}`;
    const ifDrunk = { all: [{ question: key('cups'), op: 'is_not', value: 'none' }] };
    const ifBad = { all: [{ question: key('taste'), op: 'at_most', value: 2 }] };
    return [
      {
        type: 'single_choice',
        key: key('cups'),
        section: `Place ${block}`,
        question: `How many cups do you drink there a day? (${n})`,
        options: [{ text: 'None', key: 'none' }, { text: 'One or two', key: 'some' }, 'More'],
      },
      {
        type: 'multiple_choice',
        key: key('milk'),
        question: 'What do you add?',
        options: ['Milk', 'Sugar', { text: 'Nothing', key: 'nothing', exclusive: true }],
        shuffle: true,
        show_if: ifDrunk,
      },
      {
        type: 'rating',
        key: key('taste'),
        question: 'How good is it?',
        scale: { min: 1, max: 5, max_label: 'very good' },
        show_if: ifDrunk,
      },
      { type: 'text', key: key('why'), question: 'What is wrong with it?', show_if: ifBad },
      {
        type: 'matrix',
        key: key('parts'),
        question: 'How do you like …?',
        rows: ['The smell', 'The price', 'The place'],
        options: ['Not at all', 'Somewhat', 'A lot'],
        show_if: ifDrunk,
      },
      { type: 'nps', key: key('nps'), question: 'Would you recommend it?', show_if: ifDrunk },
      { type: 'number', key: key('cost'), question: 'What does it cost?', minimum: 0, decimals: 2 },
      { type: 'date', key: key('since'), question: 'Since when?', precision: 'year' },
    ];
  });
  const questions = blocks.flat();
  const texts = questions.map(({ key, question }) => [key, { question: `${question} (de)` }]);
  return { questions, language: 'en', translations: { de: Object.fromEntries(texts) as object } };
}

const matches = (part: unknown, whole: object | undefined, ...names: string[]) =>
  names.every(
    (name) =>
      (part as Record<string, unknown> | null)?.[name] ===
      (whole as Record<string, unknown> | undefined)?.[name],
  );

const COHORTS = [1, 2, 3, 4, 5].map((n) => `cohort_${n}_reward`);

/** Every kind of work, by its name in `--rows`. */
export const ROWS = {
  create: {
    title: 'create survey',
    kind: 'write',
    status: 200,
    request: (accounts, state) =>
      send('POST', '/svc/survey/create', pick(accounts).key, survey(state)),
    isRight: ({ data }, { body }) =>
      matches(data, body, 'title') && data?.is_live === false && data.type === 'survey',
  },
  questions: {
    title: 'set 5 questions',
    kind: 'write',
    status: 200,
    request: (accounts, state) => {
      const { key, postId } = pickCampaign(accounts);
      const n = (state.count += 1);
      const body = { post_id: postId, questions: questions(n) };
      return send('POST', '/svc/survey/questions', key, body);
    },
    isRight: ({ data }, { body }) => matches(data, body, 'post_id') && data?.total_questions === 5,
  },
  questionnaire: {
    title: 'set 40 questions with conditions, in two languages',
    kind: 'write',
    serviceOnly: true,
    status: 200,
    request: (accounts, state) => {
      const { key, postId } = pickCampaign(accounts);
      const n = (state.count += 1);
      return send('POST', '/svc/survey/questions', key, { post_id: postId, ...questionnaire(n) });
    },
    isRight: ({ data }, { body }) => matches(data, body, 'post_id') && data?.total_questions === 40,
  },
  toggle: {
    title: 'toggle',
    kind: 'write',
    status: 200,
    request: (accounts, state) => {
      const { key, postId } = pickCampaign(accounts);
      const isLive = state.live.get(postId) !== true;
      state.live.set(postId, isLive);
      const body = { post_id: postId, is_live: isLive };
      return send('PATCH', '/svc/campaign/toggle-live', key, body);
    },
    isRight: ({ data }, { body }) => matches(data, body, 'post_id', 'is_live'),
  },
  update: {
    title: 'update with recalculation',
    kind: 'write',
    status: 200,
    request: (accounts, state) => {
      const { key, postId } = pickCampaign(accounts, 'the rest');
      const n = (state.count += 1);
      const body = {
        post_id: postId,
        title: `Coffee habits, version ${n}`,
        reward_amount: (500 + (n % 100_000)) / 100,
      };
      return send('PATCH', '/svc/campaign/update', key, body);
    },
    isRight: ({ data }, { body }) =>
      matches(data, body, 'post_id', 'title', 'reward_amount') &&
      (data?.cohort_rewards as Record<string, unknown> | undefined)?.cohort_5_reward ===
        data?.reward_amount,
  },
  'cohort-rewards': {
    title: 'cohort rewards',
    kind: 'write',
    status: 200,
    request: (accounts, state) => {
      const { key, postId } = pickCampaign(accounts, 'cohort rewards');
      const n = (state.count += 1);
      const body = {
        post_id: postId,
        cohort_1_reward: (300 + (n % 500)) / 100,
        cohort_2_reward: 35,
        cohort_3_reward: 55.5,
        cohort_4_reward: 75,
        cohort_5_reward: 100,
      };
      return send('PATCH', '/svc/campaign/cohort-rewards', key, body);
    },
    isRight: ({ data }, { body }) =>
      matches(data, body, 'post_id') && matches(data?.cohort_rewards, body, ...COHORTS),
  },
  read: {
    title: 'read one',
    kind: 'read',
    status: 200,
    request: (accounts) => {
      const { key, postId } = pickCampaign(accounts);
      return { method: 'GET', path: `/svc/campaign/${postId}`, headers: { 'x-api-key': key } };
    },
    isRight: ({ data }, { path }) => path.endsWith(`/${String(data?.post_id)}`),
  },
  list: {
    title: 'list 20',
    kind: 'read',
    status: 200,
    request: (accounts) => ({
      method: 'GET',
      path: '/svc/campaign/list?limit=20',
      headers: { 'x-api-key': pick(accounts).key },
    }),
    isRight: ({ data }) => (data?.items as unknown[] | undefined)?.length === 20,
  },
  unauthenticated: {
    title: 'refusal: no API key',
    kind: 'refusal',
    status: 401,
    request: (_, state) => ({
      method: 'POST',
      path: '/svc/survey/create',
      headers: JSON_TYPE,
      body: survey(state),
    }),
    isRight: ({ success, error }) => !success && error?.code === 'api_key_missing',
  },
  invalid: {
    title: 'refusal: two wrong fields',
    kind: 'refusal',
    status: 400,
    request: (accounts, state) => {
      const { title: _, ...body } = survey(state);
      const wrong = { ...body, reward_amount: -body.reward_amount };
      return send('POST', '/svc/survey/create', pick(accounts).key, wrong);
    },
    isRight: ({ success, error }) =>
      !success && error?.code === 'validation_failed' && error.details.length === 2,
  },
  ...FIELDING_ROWS,
} satisfies Record<string, Row>;

export type RowName = keyof typeof ROWS;

export const ROW_NAMES = Object.keys(ROWS) as RowName[];
