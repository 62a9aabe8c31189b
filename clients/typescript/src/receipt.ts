import { readSigned, SIGNATURE_PROBLEMS, type SignatureProblem } from './signed-statement.js';
import type { CohortRewards, ReceiptKey } from './types.js';

/** What a receipt states about a reward, signed by the service. */
export interface ReceiptStatement {
  mode: 'live' | 'test';
  post_id: string;
  participation_id: string;
  /** The question set that was answered; `null` if the campaign had none. */
  question_id: string | null;
  currency: string;
  cohort_rewards: CohortRewards;
  attention_score: number;
  cohort: number;
  reward: number;
  /** What was paid besides the reward; absent for nothing. */
  bonus?: number;
  iss: string;
  /** When it was submitted, in seconds since 1970. */
  iat: number;
}

/** The receipt is not from the service. */
export class ReceiptVerificationError extends Error {
  override readonly name = 'ReceiptVerificationError';

  constructor(readonly reason: SignatureProblem) {
    super(SIGNATURE_PROBLEMS[reason]);
  }
}

/**
 * Verifies the signature of a receipt.
 *
 * @param keys what `receiptKeys` returns, or the keys that you have stored
 * @returns what the receipt says
 * @throws ReceiptVerificationError if it is not to be trusted
 */
export async function verifyReceipt(
  receipt: string,
  { keys }: { keys: readonly ReceiptKey[] },
): Promise<ReceiptStatement> {
  const stated = await readSigned<ReceiptStatement>(receipt, 'JWT', keys);
  if (typeof stated === 'string') {
    throw new ReceiptVerificationError(stated);
  }
  return stated;
}
