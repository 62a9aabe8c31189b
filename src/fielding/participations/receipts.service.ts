import { createPublicKey, sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CohortRewardsDto } from '../../campaigns/campaign/cohort-rewards.dto';
import { printId } from '../../platform/database/identifiers';
import { Mode, modeOf } from '../../platform/caller/environment.rules';
import { FieldingKeys } from './fielding-keys.service';
import type { ParticipationStatus } from './participation.types';
import type { ReadParticipation } from './participations.service';
import type { ReceiptKeyDto } from './receipt-keys.dto';

const ALGORITHM = 'EdDSA';
const ISSUER = 'campaign-service';

/** Characters of the public key that serve as its name. */
const KEY_ID_LENGTH = 8;

/** What a receipt states about a reward. */
export interface ReceiptContent {
  /** A company can try submissions in test mode, and score them as it likes. */
  mode: Mode;
  post_id: string;
  participation_id: string;
  /** The question set that was answered; `null` if the campaign had none. */
  question_id: string | null;
  /** The currency of the rewards (ISO 4217). */
  currency: string;
  /** The rewards of the five cohorts, as promised when the participation began. */
  cohort_rewards: CohortRewardsDto;
  attention_score: number;
  cohort: number;
  reward: number;
  /** What was paid besides the reward; absent for nothing. */
  bonus?: number;
  /** When it was submitted, in seconds since 1970. */
  iat: number;
}

/** What a submission leads to, without the receipt and the signals of quality. */
export interface Submitted {
  status: ParticipationStatus;
  content: ReceiptContent;
}

/** Returns what a receipt states about a submitted participation. */
export function receiptContent({
  postId,
  currency,
  participation,
  questionId,
}: ReadParticipation): ReceiptContent {
  const { companyId, participationId, rewards, bonus, closedAt } = participation;
  return {
    mode: modeOf(companyId),
    post_id: postId,
    participation_id: printId('part', participationId),
    question_id: questionId,
    currency,
    cohort_rewards: CohortRewardsDto.from(rewards),
    attention_score: Number(participation.attentionScore),
    cohort: Number(participation.cohort),
    reward: Number(participation.reward),
    ...(bonus !== null && { bonus: Number(bonus) }),
    iat: Math.floor(Number(closedAt) / 1000),
  };
}

/** Signs receipts, as JSON Web Signatures that anyone can check with the public key. */
@Injectable()
export class ReceiptsService {
  private exported?: ReceiptKeyDto;

  constructor(private readonly keys: FieldingKeys) {}

  /**
   * Returns the receipt of what was submitted, in the compact form of RFC 7515. The same content
   * has the same receipt.
   *
   * Libraries for tokens have another thread make the signature, which takes three times the CPU.
   */
  sign({ iat, ...content }: ReceiptContent): string {
    return this.signAs('JWT', content, iat);
  }

  /**
   * Returns a statement that is signed like a receipt.
   *
   * @param typ says what it is (RFC 8725, section 3.11)
   * @param iat when that was, in seconds since 1970
   */
  signAs(typ: string, content: object, iat: number): string {
    const { kid } = this.publicKey;
    const signed = [
      { alg: ALGORITHM, kid, typ },
      { ...content, iss: ISSUER, iat },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign(null, Buffer.from(signed), this.keys.signingKey);
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** The key that receipts are checked with. */
  get publicKey(): ReceiptKeyDto {
    this.exported ??= this.export();
    return this.exported;
  }

  private export(): ReceiptKeyDto {
    const { x = '' } = createPublicKey(this.keys.signingKey).export({ format: 'jwk' });
    const kid = x.slice(0, KEY_ID_LENGTH);
    return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: ALGORITHM, use: 'sig' };
  }
}
