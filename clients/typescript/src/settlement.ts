import { Sha256 } from './sha256.js';
import type { ReceiptKey, Settlement } from './types.js';

/** What the service says in its header that a statement is. */
const TYPE = 'settlement+jwt';

/** What a settlement states, signed by the service. */
export type SettlementStatement = Pick<
  Settlement,
  | 'settlement_id'
  | 'previous_settlement_id'
  | 'platform'
  | 'currency'
  | 'payments'
  | 'campaigns'
  | 'net'
  | 'sha256'
> & {
  mode: 'live' | 'test';
  iss: string;
  /** When it was closed, in seconds since 1970. */
  iat: number;
};

/** Why a settlement is not to be trusted. */
export type SettlementVerificationReason = 'unknown_key' | 'wrong_signature' | 'wrong_file';

/** The statement is not from the service, or the file is another one. */
export class SettlementVerificationError extends Error {
  override readonly name = 'SettlementVerificationError';

  constructor(
    message: string,
    readonly reason: SettlementVerificationReason,
  ) {
    super(message);
  }
}

/** The bytes of a file, whole or in chunks. */
export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Verifies the signature of a settlement's statement, and that a file is the one that it states. The
 * file is read chunk by chunk, so it can be of any size.
 *
 * @param statement the `statement` of the settlement
 * @param file what `downloadSettlement` returns, or the bytes that you have stored
 * @param keys what `receiptKeys` returns, or the keys that you have stored
 * @returns what the statement says
 * @throws SettlementVerificationError if the statement or the file is not to be trusted
 */
export async function verifySettlement(
  statement: string,
  file: FileContent,
  { keys }: { keys: readonly ReceiptKey[] },
): Promise<SettlementStatement> {
  const [head = '', content = '', signature = ''] = statement.split('.');
  const header = parse<{ typ?: string; kid?: string }>(head);
  const jwk = keys.find(({ kid }) => kid === header?.kid);
  if (jwk === undefined) {
    throw new SettlementVerificationError('no key has signed the statement', 'unknown_key');
  }
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const signed = new TextEncoder().encode(`${head}.${content}`);
  const bytes = fromBase64Url(signature);
  const isSigned = bytes && (await crypto.subtle.verify('Ed25519', key, bytes, signed));
  const stated = parse<SettlementStatement>(content);
  if (!isSigned || header?.typ !== TYPE || stated === undefined) {
    throw new SettlementVerificationError(
      'the key has not signed this statement of a settlement',
      'wrong_signature',
    );
  }
  if ((await hashOf(file)) !== stated.sha256) {
    throw new SettlementVerificationError(
      `the file is not the one of ${stated.settlement_id}`,
      'wrong_file',
    );
  }
  return stated;
}

async function hashOf(file: FileContent): Promise<string> {
  const hash = new Sha256();
  if (typeof file === 'string' || file instanceof Uint8Array) {
    return hash.update(typeof file === 'string' ? new TextEncoder().encode(file) : file).digest();
  }
  for await (const chunk of file) {
    hash.update(chunk);
  }
  return hash.digest();
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
