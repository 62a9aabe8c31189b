import { createPublicKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { exportJWK, JWK, JWTPayload, SignJWT } from 'jose';
import { CohortRewardsDto } from '../campaign/cohort-rewards.dto';
import { printId } from '../database/identifiers';
import { Mode, modeOf } from '../http/environment.rules';
import { FieldingKeys } from './fielding-keys.service';
import type { ReadParticipation } from './participations.service';

const ALGORITHM = 'EdDSA';
const ISSUER = 'campaign-service';

/** Characters of the public key that serve as its name. */
const KEY_ID_LENGTH = 8;

/** What a receipt states about a reward. */
export interface ReceiptContent extends JWTPayload {
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
  /** When it was submitted, in seconds since 1970. */
  iat: number;
}

/** Returns what a receipt states about a submitted participation. */
export function receiptContent({
  postId,
  currency,
  participation,
  questionId,
}: ReadParticipation): ReceiptContent {
  const { companyId, participationId, rewards, closedAt } = participation;
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
    iat: Math.floor(Number(closedAt) / 1000),
  };
}

/** A public key, in the format of RFC 7517. */
export type ReceiptKey = Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'kid' | 'alg' | 'use'>>;

/** Signs receipts, as JSON Web Signatures that anyone can check with the public key. */
@Injectable()
export class ReceiptsService {
  private exported?: Promise<ReceiptKey>;

  constructor(private readonly keys: FieldingKeys) {}

  /** Returns the receipt of what was submitted. The same content has the same receipt. */
  async sign({ iat, ...content }: ReceiptContent): Promise<string> {
    const { kid } = await this.publicKey();
    return new SignJWT(content)
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setIssuedAt(iat)
      .sign(this.keys.signingKey);
  }

  /** The key that receipts are checked with. */
  async publicKey(): Promise<ReceiptKey> {
    this.exported ??= this.export();
    return this.exported;
  }

  private async export(): Promise<ReceiptKey> {
    const { x = '' } = await exportJWK(createPublicKey(this.keys.signingKey));
    const kid = x.slice(0, KEY_ID_LENGTH);
    return { kty: 'OKP', crv: 'Ed25519', x, kid, alg: ALGORITHM, use: 'sig' };
  }
}
