import type { CampaignEvent, EventType, WebhookMessage } from './types.js';

/** A message whose signature is older or newer than this may be a replay of an attacker. */
const TOLERANCE_SECONDS = 300;

const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** The headers of a request: `Headers`, those of Node's `IncomingMessage`, or a plain object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Why a message is not to be trusted. */
export type WebhookVerificationReason =
  'missing_header' | 'timestamp_out_of_tolerance' | 'wrong_signature';

/** The message is not from the service, was changed, or is too old. Respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    message: string,
    readonly reason: WebhookVerificationReason,
  ) {
    super(message);
  }
}

/**
 * Verifies the signature and the age of a message, as Standard Webhooks defines them.
 *
 * `toleranceSeconds` is how far the time of the signature may be from this machine's clock, 300 by
 * default.
 * @param payload the exact body of the request, not JSON that was parsed and written again
 * @param secret the secret of the webhook, which begins with `whsec_`
 * @throws WebhookVerificationError if the message is not to be trusted
 * @throws TypeError if the secret is not one of a webhook
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: { toleranceSeconds?: number } = {},
): Promise<WebhookMessage> {
  if (!(toleranceSeconds >= 0)) {
    throw new RangeError('toleranceSeconds must not be negative');
  }
  const key = await keyOf(secret, 'verify');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      `webhook-timestamp is not within ${toleranceSeconds} seconds of this machine's time`,
      'timestamp_out_of_tolerance',
    );
  }
  const body = typeof payload === 'string' ? utf8(payload) : new Uint8Array(payload);
  const signed = joined(utf8(`${id}.${timestamp}.`), body);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    const bytes = version === 'v1' ? fromBase64(value) : undefined;
    if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
      return JSON.parse(new TextDecoder().decode(body)) as WebhookMessage;
    }
  }
  throw new WebhookVerificationError(
    'webhook-signature has no signature of this body with this secret',
    'wrong_signature',
  );
}

/** The first word of a type of event. */
type Kind = EventType extends `${infer K}.${string}` ? K : never;

/** What the identifiers of the subjects of each kind of event begin with. */
const SUBJECT_PREFIXES: Readonly<Record<Kind, string>> = {
  campaign: 'post',
  api_key: 'key',
  webhook: 'whk',
  response: 'part',
  participation: 'part',
  dispute: 'part',
  guardrail: 'grd',
  quota: 'quota',
  balance: 'co',
  approval: 'apr',
};

/** An event for a test: its type and changes, and whatever else the test is about. */
export type TestEvent = {
  [T in EventType]: { type: T } & Pick<Extract<CampaignEvent, { type: T }>, 'changes'> &
    Partial<Extract<CampaignEvent, { type: T }>>;
}[EventType];

/** The body and the headers of a request to a webhook. */
export interface SignedMessage {
  body: string;
  headers: Record<
    'content-type' | 'webhook-id' | 'webhook-timestamp' | 'webhook-signature',
    string
  >;
}

/**
 * Makes a message about an event as the service would send it, for the tests of a receiver. What the
 * event does not say gets a value of the right form.
 *
 * @param secret the secret that the receiver has, which begins with `whsec_`
 * @param options `at`: the time of the signature, now by default
 * @throws TypeError if the secret is not one of a webhook
 */
export async function signTestMessage(
  event: TestEvent,
  secret: string,
  { at = new Date() }: { at?: Date } = {},
): Promise<SignedMessage> {
  const key = await keyOf(secret, 'sign');
  const [kind] = event.type.split('.') as [Kind];
  const data = {
    seq: 1,
    event_id: randomEventId(),
    mode: 'test',
    subject: `${SUBJECT_PREFIXES[kind]}_01k9x2v8zdf3xbz0q4v5rk6t7m`,
    version: 1,
    actor: { type: 'service', id: 'service' },
    created_at: at.toISOString(),
    currency: 'USD',
    ...event,
  };
  const body = JSON.stringify({ type: data.type, timestamp: data.created_at, data });
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = utf8(`${data.event_id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': data.event_id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
    },
  };
}

function randomEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(25));
  const digits = Array.from(bytes, (byte) => '0123456789abcdefghjkmnpqrstvwxyz'.charAt(byte % 32));
  return `evt_0${digits.join('')}`;
}

function keyOf(secret: string, use: 'sign' | 'verify') {
  const bytes = fromBase64(SECRET.exec(secret)?.[1] ?? '');
  if (!bytes?.length) {
    throw new TypeError('The secret of a webhook begins with whsec_ and continues in base64');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

/** Names of headers are compared regardless of case. */
function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const [only] = [value].flat();
  if (typeof only !== 'string' || only === '') {
    throw new WebhookVerificationError(`The header ${name} is missing`, 'missing_header');
  }
  return only;
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Returns undefined if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
