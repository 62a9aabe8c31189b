/*
 * The rules of the service's DTOs as JSON schemas, which Fastify compiles to functions.
 */

/** Text that is not blank and that PostgreSQL can store. */
const text = (maxLength: number) => ({
  type: 'string',
  maxLength,
  pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$',
});

const url = { type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2048 };

const money = (limits: { minimum?: number; exclusiveMinimum?: number }) => ({
  type: 'number',
  maximum: 1_000_000_000,
  multipleOf: 0.01,
  ...limits,
});

const description = {
  title: text(200),
  description: text(5000),
  category: text(100),
  tagline: text(200),
};

function closed(properties: Record<string, object>, optional: string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', additionalProperties: false, properties, required };
}

export const createSurvey = closed(
  {
    ...description,
    content_url: url,
    reward_amount: { type: 'integer', minimum: 1, maximum: 1_000_000_000 },
  },
  ['content_url'],
);

export const updateCampaign = closed(
  {
    post_id: text(100),
    ...description,
    content_url: { ...url, nullable: true },
    reward_amount: money({ exclusiveMinimum: 0 }),
  },
  [...Object.keys(description), 'content_url', 'reward_amount'],
);

export const toggleLive = closed({ post_id: text(100), is_live: { type: 'boolean' } });

export const cohortRewards = closed({
  post_id: text(100),
  cohort_1_reward: money({ minimum: 3 }),
  cohort_2_reward: money({ minimum: 0 }),
  cohort_3_reward: money({ minimum: 0 }),
  cohort_4_reward: money({ minimum: 0 }),
  cohort_5_reward: money({ minimum: 0 }),
});

const question = {
  ...closed(
    {
      type: { enum: ['descriptive', 'text', 'single_choice', 'multiple_choice'] },
      question: text(1000),
      options: { type: 'array', items: text(200), maxItems: 250, uniqueItems: true },
    },
    ['options'],
  ),
  if: { properties: { type: { enum: ['single_choice', 'multiple_choice'] } } },
  then: { required: ['options'], properties: { options: { minItems: 2 } } },
  else: { properties: { options: { maxItems: 0 } } },
};

export const setQuestions = closed({
  post_id: text(100),
  questions: { type: 'array', items: question, minItems: 1, maxItems: 100 },
});

export const begin = closed({ post_id: text(100), respondent_id: text(200) });

const answer = closed(
  {
    question: { type: 'integer', minimum: 1, maximum: 100 },
    image: { type: 'integer', minimum: 1 },
    images: { type: 'array', items: { type: 'integer', minimum: 1 } },
    value: { type: ['string', 'number', 'array'], items: text(200), maxLength: 5000 },
  },
  ['question', 'image', 'images'],
);

export const submit = closed({
  post_id: text(100),
  participation_id: text(100),
  attention_score: { type: 'number', minimum: 0, maximum: 10, multipleOf: 0.01 },
  answers: { type: 'array', items: answer, maxItems: 1000 },
});

export const listCampaigns = closed(
  {
    limit: { type: 'string', pattern: '^([1-9]\\d?|100)$' },
  },
  ['limit'],
);
