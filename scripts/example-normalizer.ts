import { EXAMPLE_KEY_ID } from '../src/api-key/api-key.dto';
import { EXAMPLE_POST_ID } from '../src/campaign/post-id.field';
import { HEADERS } from '../src/openapi/headers';

/*
 * Replaces values that differ from run to run by values that are always the same.
 */

const SUFFIX = EXAMPLE_POST_ID.slice('post_'.length);

/** Digits of Crockford's base 32, starting with the one that the examples end with. */
const DIGITS = 'mnpqrstvwxyz0123456789abcdefghjk';

const API_KEY = 'csk_6mHc2Q9dTzW4yXvB1nKe8sLrGfJpUa0aBcDe';
const TOKEN = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJjbyJ9.c2lnbmF0dXJl';
const CURSOR = 'eyJhZnRlciI6WyIxNzY4NDY5NDAwMDAwMDAwIiwiMSJdLCJsaXN0IjoiZXhhbXBsZSJ9';

const IDENTIFIER = /\b(post|qset|key|pkey|co|evt|whk|part|link|grd)_[0-7][0-9a-z]{25}\b/g;
const SECRET = /\bcsk_[0-9A-Za-z]{6,36}\b/g;
/** The secret part of the address of a results page. */
const LINK_TOKEN = /\bcrl_[0-9A-Za-z]{36}\b/g;
const EXAMPLE_LINK_TOKEN = API_KEY.replace('csk_', 'crl_');
const WEBHOOK_SECRET = /\bwhsec_[A-Za-z0-9+/]{43}=/g;
/** Recognisably the secret of no webhook. */
const EXAMPLE_SECRET = `whsec_${Buffer.from('this is only an example of a key').toString('base64')}`;

/** The receiver of the recording. */
const RECEIVER = /^http:\/\/127\.0\.0\.1:\d+/;

/** The signature of a receipt differs, because its key does. */
const RECEIPT = 'eyJhbGciOiJFZERTQSIsImtpZCI6IjExcVlBWUt4In0.eyJyZXdhcmQiOjEwMH0.c2lnbmF0dXJl';
/** The public key that RFC 8037 has as its example. */
const RECEIPT_KEY = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

/** A respondent, as clients know one. */
const PSEUDONYM = 'resp_4f1c2a9b8d7e6f5a4b3c2d1e0f9a8b7c';

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

/** Numbers that differ from run to run, by field: milliseconds, seconds, and the last event. */
const NUMBERS: Readonly<Record<string, number>> = {
  duration_ms: 84,
  median: 41.5,
  p10: 18,
  p90: 120,
  as_of_seq: 1204,
  since_seq: 1203,
  to_seq: 1204,
};

/** Attempts are the only list with the oldest first; they are 5 seconds apart, in hours. */
const AFTER_ATTEMPT = -5 / 3_600;

const FIRST_MOMENT = Date.parse('2026-01-15T09:30:00.000Z');

/**
 * Normalizes one response body.
 *
 * @param request the body that was sent; identifiers in it stand for those of the examples
 */
export class ExampleNormalizer {
  private readonly known = new Map<string, string>();

  constructor(request: unknown) {
    this.normalize(request);
  }

  normalize(value: unknown, field = '', age = 0): unknown {
    if (Array.isArray(value)) {
      // Lists are in the order of time, newest first.
      const step = field === 'attempts' ? AFTER_ATTEMPT : 1;
      return value.map((item, index) => this.normalize(item, field, age + index * step));
    }
    if (typeof value === 'object' && value !== null) {
      const members = Object.entries(value);
      return Object.fromEntries(
        members.map(([name, member]) => [name, this.member(name, member, value, age)]),
      );
    }
    if (typeof value === 'number') {
      return NUMBERS[field] ?? value;
    }
    return typeof value === 'string' ? this.text(value, field, age) : value;
  }

  private member(name: string, value: unknown, parent: object, age: number): unknown {
    // A resource that was never updated keeps equal times.
    const field =
      'created_at' in parent && parent.created_at === value && name === 'updated_at'
        ? 'created_at'
        : name;
    const isOfLink = 'link_id' in parent && name === 'expires_at';
    return this.normalize(value, isOfLink ? 'link_expires_at' : field, age);
  }

  private text(text: string, field: string, age: number): string {
    switch (field) {
      case 'request_id':
        return HEADERS.RequestId.example;
      case 'access_token':
        return TOKEN;
      case 'next_cursor':
        return CURSOR;
      case 'receipt':
        return RECEIPT;
      case 'respondent':
        return PSEUDONYM;
      case 'x':
        return RECEIPT_KEY;
      case 'kid':
        return RECEIPT_KEY.slice(0, text.length);
    }
    if (TIME.test(text) && Math.abs(Date.parse(text) - Date.now()) < DAYS) {
      const minutes = (MINUTES[field] ?? 0) - 60 * age;
      return new Date(FIRST_MOMENT + minutes * 60_000).toISOString();
    }
    return text
      .replaceAll(IDENTIFIER, (id, kind: string) => this.identifier(id, kind))
      .replaceAll(SECRET, (secret) => this.secret(secret))
      .replaceAll(LINK_TOKEN, EXAMPLE_LINK_TOKEN)
      .replaceAll(WEBHOOK_SECRET, EXAMPLE_SECRET)
      .replace(RECEIVER, 'https://example.com');
  }

  /** The first identifier of a kind is the one in the examples; others differ in the last digit. */
  private identifier(id: string, kind: string): string {
    return this.replacement(id, `${kind}_`, (index) => {
      const digit = DIGITS[index] ?? '';
      return `${kind}_${SUFFIX.slice(0, -1)}${digit}`;
    });
  }

  /** A key, or the first characters of one. */
  private secret(text: string): string {
    const whole = this.replacement(text.slice(0, 10), 'csk_', (index) =>
      index === 0 ? API_KEY : API_KEY.replace('6m', `${index}n`),
    );
    return whole.slice(0, text.length);
  }

  private replacement(text: string, kind: string, make: (index: number) => string): string {
    const count = [...this.known.keys()].filter((each) => each.startsWith(kind)).length;
    const made = this.known.get(text) ?? make(count);
    this.known.set(text, made);
    return made;
  }
}

if (EXAMPLE_KEY_ID !== `key_${SUFFIX}`) {
  throw new Error('the identifiers of the examples must have one suffix');
}
