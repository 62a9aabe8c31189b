import { Sha256 } from './sha256.js';
import { readSigned, SIGNATURE_PROBLEMS, type SignatureProblem } from './signed-statement.js';
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
export type SettlementVerificationReason = SignatureProblem | 'wrong_file';

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
  const stated = await readSigned<SettlementStatement>(statement, TYPE, keys);
  if (typeof stated === 'string') {
    throw new SettlementVerificationError(SIGNATURE_PROBLEMS[stated], stated);
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
