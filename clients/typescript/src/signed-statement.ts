import type { ReceiptKey } from './types.js';

const ISSUER = 'campaign-service';

/** Why a signed statement is not to be trusted. */
export type SignatureProblem = 'unknown_key' | 'wrong_signature';

/** What each problem means. */
export const SIGNATURE_PROBLEMS: Readonly<Record<SignatureProblem, string>> = {
  unknown_key: 'none of the keys has signed this',
  wrong_signature: 'the key has not signed this, or it is something else',
};

/**
 * Verifies a JSON Web Signature of the service, and returns what it says or why it is not to be
 * trusted.
 *
 * @param type what it is, by the `typ` of its header
 */
export async function readSigned<Content>(
  statement: string,
  type: string,
  keys: readonly ReceiptKey[],
): Promise<Content | SignatureProblem> {
  const [head = '', content = '', signature = ''] = statement.trim().split('.');
  const header = parse<{ typ?: string; kid?: string }>(head);
  const jwk = keys.find(({ kid }) => kid === header?.kid);
  if (jwk === undefined) {
    return 'unknown_key';
  }
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${content}`);
  const bytes = fromBase64Url(signature);
  const isSigned = bytes && (await crypto.subtle.verify('Ed25519', key, bytes, signed));
  const stated = parse<Content & { iss?: string }>(content);
  return isSigned && header?.typ === type && stated?.iss === ISSUER ? stated : 'wrong_signature';
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function parse<T>(part: string): T | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(fromBase64Url(part))) as T;
  } catch {
    return undefined;
  }
}
