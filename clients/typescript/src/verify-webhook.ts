import type { WebhookMessage } from './types.js';

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
 * @param payload the exact body of the request, not JSON that was parsed and written again
 * @param secret the secret of the webhook, which begins with `whsec_`
 * @throws WebhookVerificationError if the message is not to be trusted
 * @throws TypeError if the secret is not one of a webhook
 */
export async function verifyWebhook(
  payload: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookMessage> {
  const key = await keyOf(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError(
      `webhook-timestamp is not within ${TOLERANCE_SECONDS} seconds of this machine's time`,
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

function keyOf(secret: string) {
  const bytes = fromBase64(SECRET.exec(secret)?.[1] ?? '');
  if (!bytes?.length) {
    throw new TypeError('The secret of a webhook begins with whsec_ and continues in base64');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
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

function utf8(text: string): Uint8Array {
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
