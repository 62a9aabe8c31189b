import { MONEY_MAXIMUM } from './fields/number.fields';

/*
 * What the fields of answers can hold, by name: a name means the same in every answer. Validators
 * say it for requests; answers have none.
 */

type Schema = Record<string, unknown>;

/** A prefix and 128 bits in Crockford's base 32, as `newId` makes them. */
const identifier = (prefix: string): Schema => ({
  minLength: prefix.length + 27,
  maxLength: prefix.length + 27,
  pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
});

const number = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const count = { minimum: 0, maximum: 2_147_483_647 };
const money = { minimum: 0, maximum: MONEY_MAXIMUM };
const text = (maximum: number): Schema => ({ minLength: 1, maxLength: maximum });
const url = text(2048);
const moment = { format: 'date-time', maxLength: 35 };

/** As long as a field's name in a request can be, and a sentence about it. */
const ABOUT_A_REQUEST = { maxLength: 2_200_000 };

/** The most entries and fields a request is read with. */
const MOST_DETAILS = 32_000;

const ANSWER_FIELDS: Readonly<Record<string, Schema>> = {
  company_id: identifier('co'),
  post_id: identifier('post'),
  question_id: identifier('qset'),
  key_id: identifier('key'),
  api_key: { minLength: 40, maxLength: 40, pattern: '^csk_[0-9A-Za-z]{36}$' },
  prefix: { minLength: 10, maxLength: 10, pattern: '^csk_[0-9A-Za-z]{6}$' },
  access_token: { ...text(4096), pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$' },
  id: { ...number, maxLength: 31 },
  ad_id: number,
  version: { minimum: 1, maximum: 2_147_483_647 },
  total_questions: count,
  total_images: count,
  total_pairs: count,
  expires_in: count,
  duration_seconds: { minimum: 1, maximum: 31_536_000 },
  name: text(200),
  email: { ...text(254), format: 'email' },
  external_ref: text(200),
  title: text(200),
  description: text(5000),
  category: text(100),
  tagline: text(200),
  question: text(1000),
  content_url: url,
  video_url: url,
  thumbnail_url: url,
  reward_amount: money,
  expected_cost_per_response: money,
  cohort_1_reward: money,
  cohort_2_reward: money,
  cohort_3_reward: money,
  cohort_4_reward: money,
  cohort_5_reward: money,
  created_at: moment,
  updated_at: moment,
  expires_at: moment,
  revoked_at: moment,
  last_used_at: moment,
  next_cursor: { ...text(500), pattern: '^[\\w-]+$' },
  scopes: { minItems: 1, maxItems: 2, uniqueItems: true },
  items: { maxItems: 100 },
  questions: { maxItems: 100 },
  images: { minItems: 1, maxItems: 20 },
  warnings: { maxItems: 4 },
  message: ABOUT_A_REQUEST,
  field: ABOUT_A_REQUEST,
  code: { ...text(100), pattern: '^[a-z_]+$' },
  request_id: { ...text(128), pattern: '^[A-Za-z0-9_.:/+=@-]+$' },
  details: { maxItems: MOST_DETAILS },
  changed_fields: {
    maxItems: 20,
    items: { type: 'string', ...text(100), pattern: '^[a-z_0-9]+$' },
  },
};

/** Whether a limit says something about values of a schema's type. */
function applies(limit: string, schema: Schema): boolean {
  const types = [schema.type].flat();
  const about = /Items$|^items$/.test(limit)
    ? 'array'
    : /Length$|^pattern$|^format$/.test(limit)
      ? 'string'
      : 'number';
  return types.includes(about) || (about === 'number' && types.includes('integer'));
}

/** A field of an answer with the limits that its name has. */
export function completeAnswerField(name: string, schema: Schema): Schema {
  const limits = Object.entries(ANSWER_FIELDS[name] ?? {}).filter(
    ([limit]) => !('enum' in schema) && applies(limit, schema),
  );
  return { ...Object.fromEntries(limits), ...schema, ...pickItems(limits) };
}

function pickItems(limits: [string, unknown][]): Schema {
  return Object.fromEntries(limits.filter(([limit]) => limit === 'items'));
}
