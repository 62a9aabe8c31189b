import { createHash } from 'node:crypto';
import { EXAMPLE_KEY_ID } from '../src/access/api-key/api-key.examples';
import { EXAMPLE_POST_ID } from '../src/campaigns/campaign/post-id.field';
import type { RecordedBody } from '../src/platform/openapi/document-content';
import { HEADERS } from '../src/platform/openapi/headers';

/*
 * Replaces values that differ from run to run by values that are always the same.
 */

const SUFFIX = EXAMPLE_POST_ID.slice('post_'.length);

/** Digits of Crockford's base 32, starting with the one that the examples end with. */
const DIGITS = 'mnpqrstvwxyz0123456789abcdefghjk';

const API_KEY = 'csk_6mHc2Q9dTzW4yXvB1nKe8sLrGfJpUa0aBcDe';

const IDENTIFIER =
  /\b(post|qset|key|pkey|co|evt|whk|part|link|grd|quota|stl|apr)_[0-7][0-9a-z]{25}\b/g;
const SECRET = /\bcsk_[0-9A-Za-z]{6,36}\b/g;
/** The secret part of the address of a results page. */
const LINK_TOKEN = /\bc([rp]l_)[0-9A-Za-z]{36}\b/g;
const WEBHOOK_SECRET = /\bwhsec_[A-Za-z0-9+/]{43}=/g;
/** Recognisably the secret of no webhook. */
const EXAMPLE_SECRET = `whsec_${Buffer.from('this is only an example of a key').toString('base64')}`;

/** The receiver of the recording. */
const RECEIVER = /^http:\/\/127\.0\.0\.1:\d+/;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

/** Times further from now than this come from a request. */
const DAYS = 31 * 86_400_000;

/** When things happen, by field, in minutes after the first one. */
const MINUTES: Readonly<Record<string, number>> = {
  updated_at: 30,
  last_used_at: 45,
  revoked_at: 60,
  submitted_at: 4,
  closed_at: 4,
  expires_at: 60,
  link_expires_at: 30 * 24 * 60,
  reversed_at: 90,
  as_of: 5,
  from: -30,
  to: 30,
  previous_secret_ends_at: 30 + 24 * 60,
};

/** What a field always has instead of a value of the same type. */
const VALUES: Readonly<Record<string, number | string>> = {
  duration_ms: 84,
  median: 41.5,
  p10: 18,
  p90: 120,
  as_of_seq: 1204,
  since_seq: 1203,
  to_seq: 1204,
  request_id: HEADERS.RequestId.example,
  access_token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjbyJ9.c2lnbmF0dXJl',
  next_cursor: 'eyJhZnRlciI6WyIxNzY4NDY5NDAwMDAwMDAwIiwiMSJdLCJsaXN0IjoiZXhhbXBsZSJ9',
  statement: 'eyJhbGciOiJFZERTQSIsInR5cCI6InNldHRsZW1lbnQrand0In0.eyJuZXQiOjEwMH0.c2lnbmF0dXJl',
  sha256: createHash('sha256').update('the file of a settlement').digest('hex'),
  respondent: 'resp_4f1c2a9b8d7e6f5a4b3c2d1e0f9a8b7c',
  receipt: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4In0.eyJyZXdhcmQiOjEwMH0.c2lnbmF0dXJl',
  // The public key that RFC 8037 has as its example.
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: '11qYAYKx',
};

/** Attempts are the only list with the oldest first; they are 5 seconds apart, in hours. */
const AFTER_ATTEMPT = -5 / 3_600;

const FIRST_MOMENT = Date.parse('2026-01-15T09:30:00.000Z');

/** Normalizes one response body, with the identifiers that it has. */
type Fields = Record<string, unknown>;

class ExampleNormalizer {
  private readonly ids = new Map<string, string>();
  private readonly secrets = new Map<string, string>();

  /** @param age how many hours before the first moment of its kind the value was made */
  normalize(value: unknown, field = '', age = 0): unknown {
    if (Array.isArray(value)) {
      // Lists are in the order of time, newest first.
      const step = field === 'attempts' ? AFTER_ATTEMPT : 1;
      return value.map((item, index) => this.normalize(item, field, age + index * step));
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      return Object.fromEntries(
        members.map(([name, member]) => [
          name,
          this.normalize(member, kindOfField(name, value as Fields), age),
        ]),
      );
    }
    if (typeof value === typeof VALUES[field]) {
      return VALUES[field];
    }
    return typeof value === 'string' ? this.text(value, field, age) : value;
  }

  private text(text: string, field: string, age: number): string {
    if (TIME.test(text) && Math.abs(Date.parse(text) - Date.now()) < DAYS) {
      const minutes = (MINUTES[field] ?? 0) - 60 * age;
      return new Date(FIRST_MOMENT + minutes * 60_000).toISOString();
    }
    return text
      .replaceAll(IDENTIFIER, (id, kind: string) => this.identifier(id, `${kind}_`))
      .replaceAll(SECRET, (secret) => this.secret(secret))
      .replaceAll(LINK_TOKEN, (_, mark: string) => API_KEY.replace('csk_', `c${mark}`))
      .replaceAll(WEBHOOK_SECRET, EXAMPLE_SECRET)
      .replace(RECEIVER, 'https://example.com');
  }

  /** The first identifier of a kind is the one in the examples; others differ in the last digit. */
  private identifier(id: string, kind: string): string {
    const earlier = [...this.ids.keys()].filter((each) => each.startsWith(kind)).length;
    const made = this.ids.get(id) ?? `${kind}${SUFFIX.slice(0, -1)}${DIGITS[earlier] ?? ''}`;
    this.ids.set(id, made);
    return made;
  }

  /** A key, or the first characters of one. */
  private secret(text: string): string {
    const prefix = text.slice(0, 10);
    const { size } = this.secrets;
    const made =
      this.secrets.get(prefix) ?? (size === 0 ? API_KEY : API_KEY.replace('6m', `${size}n`));
    this.secrets.set(prefix, made);
    return made.slice(0, text.length);
  }
}

/** The name by which the tables above know a field. */
function kindOfField(name: string, parent: Fields): string {
  // A resource that was never updated keeps equal times.
  if (name === 'updated_at' && parent.created_at === parent.updated_at) {
    return 'created_at';
  }
  return name === 'expires_at' && 'link_id' in parent ? 'link_expires_at' : name;
}

/**
 * Normalizes one response body.
 *
 * @param sent the request; identifiers in it stand for those of the examples
 */
export function normalized(body: RecordedBody, sent?: unknown): RecordedBody {
  const normalizer = new ExampleNormalizer();
  normalizer.normalize(sent);
  return normalizer.normalize(body) as RecordedBody;
}

if (EXAMPLE_KEY_ID !== `key_${SUFFIX}`) {
  throw new Error('the identifiers of the examples must have one suffix');
}
