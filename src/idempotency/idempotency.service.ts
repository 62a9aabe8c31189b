import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../database/transaction-context';
import { ApiError } from '../http/api-error';
import { ErrorCode } from '../http/error-codes';
import type { IdempotencyRecord } from './idempotency-record.entity';
import type { IdempotentRequest } from './idempotent-request';
import { OutcomeCipher } from './outcome-cipher';

/** What a request came to: an answer, or a refusal that came from the work itself. */
export type Outcome =
  { body: unknown; etag?: string } | { error: Pick<ApiError, 'code' | 'message' | 'details'> };

/** An outcome, and whether it is that of an earlier request. */
export interface Answer {
  outcome: Outcome;
  replayed: boolean;
}

/** Refusals that would be the same again: they come from what is stored, not from the request. */
const STORED_STATUSES = new Set([403, 404, 409, 412, 422]);
const NEVER_STORED: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused'];

/**
 * One statement asks for the key's lock, without waiting for it, and for its record. The record
 * may have been written between the two; then the writing of a second one fails.
 */
const CLAIM = `
  SELECT pg_try_advisory_xact_lock($1) AS locked, record.route, record.fingerprint, record.outcome
  FROM (SELECT 1) AS one
  LEFT JOIN idempotency_record AS record ON record.scope = $2 AND record.key_hash = $3
    AND record.created_at > now() - interval '24 hours'`;

/** Writes the record, also over one that has expired, but never over one that is in force. */
const STORE = `
  INSERT INTO idempotency_record AS record (scope, key_hash, route, fingerprint, outcome)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (scope, key_hash) DO UPDATE
    SET route = excluded.route, fingerprint = excluded.fingerprint, outcome = excluded.outcome,
      created_at = now()
    WHERE record.created_at <= now() - interval '24 hours'
  RETURNING 1`;

type ClaimRow = { locked: boolean } & (
  Pick<IdempotencyRecord, 'route' | 'fingerprint' | 'outcome'> | { route: null }
);

/** Another request with the same key was committed while this one worked. */
class LostRace extends Error {}

@Injectable()
export class IdempotencyService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly cipher: OutcomeCipher,
  ) {}

  /**
   * Does work once for a key. The first outcome is stored in the transaction of the work and
   * answered again for 24 hours; of requests at once, one works.
   *
   * @throws ApiError `idempotency_in_progress` while another request with the key is at work,
   *   `idempotency_key_reused` if the key came with another route or body
   */
  async once(request: IdempotentRequest, work: () => Promise<Outcome>): Promise<Answer> {
    try {
      return await this.attempt(request, work);
    } catch (error) {
      if (error instanceof LostRace) {
        return this.attempt(request, work);
      }
      throw error;
    }
  }

  private async attempt(request: IdempotentRequest, work: () => Promise<Outcome>): Promise<Answer> {
    const keyHash = createHash('sha256').update(request.key).digest();
    return this.transaction.run(async () => {
      const { manager } = this.transaction;
      const [claim] = await manager.query<[ClaimRow]>(CLAIM, [
        lockKey(request.scope, keyHash),
        request.scope,
        keyHash,
      ]);
      if (claim.route !== null) {
        return { outcome: this.replay(request, claim), replayed: true };
      }
      if (!claim.locked) {
        throw inProgress();
      }
      const outcome = await this.workOnce(work);
      const stored = await manager.query<unknown[]>(STORE, [
        request.scope,
        keyHash,
        request.route,
        request.fingerprint,
        this.cipher.encrypt(JSON.stringify(outcome), request.key),
      ]);
      if (stored.length === 0) {
        throw new LostRace();
      }
      return { outcome, replayed: false };
    });
  }

  /** The work in a savepoint, so that a refusal undoes it but not the record of the refusal. */
  private async workOnce(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.transaction.run(work);
    } catch (error) {
      if (
        error instanceof ApiError &&
        STORED_STATUSES.has(error.getStatus()) &&
        !NEVER_STORED.includes(error.code)
      ) {
        const { code, message, details } = error;
        return { error: { code, message, details } };
      }
      throw error;
    }
  }

  private replay(
    { key, route, fingerprint }: IdempotentRequest,
    record: Pick<IdempotencyRecord, 'route' | 'fingerprint' | 'outcome'>,
  ): Outcome {
    if (record.route !== route || !record.fingerprint.equals(fingerprint)) {
      throw keyReused('This Idempotency-Key was used with another route or body.');
    }
    const text = this.cipher.decrypt(record.outcome, key);
    if (text === undefined) {
      throw keyReused('The answer to this Idempotency-Key can no longer be read. Use a new key.');
    }
    return JSON.parse(text) as Outcome;
  }
}

/** PostgreSQL's advisory locks are named by 64-bit numbers. */
function lockKey(scope: string, keyHash: Buffer): string {
  const digest = createHash('sha256').update(scope).update(keyHash).digest();
  return digest.readBigInt64BE().toString();
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being worked on.',
    [],
    { 'retry-after': '1' },
  );
}

function keyReused(message: string): ApiError {
  return new ApiError('idempotency_key_reused', message);
}
