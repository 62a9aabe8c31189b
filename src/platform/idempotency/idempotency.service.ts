import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../database/transaction-context';
import { ApiError, retryLater } from '../protocol/api-error';
import { ErrorCode, STORED_STATUSES } from '../protocol/error-codes';
import type { IdempotentRequest } from './idempotent-request';
import { RecordSeal, RecordSeals } from './record-seal';

/** The outcome of a request: a result, or a refusal that depends on stored data. */
export type Outcome =
  | { body: unknown; etag?: string }
  | { error: Pick<ApiError, 'code' | 'message' | 'details' | 'properties'> };

/** An outcome, and whether it comes from an earlier request. */
export interface OnceOutcome {
  outcome: Outcome;
  replayed: boolean;
}

const ABOUT_KEY: readonly ErrorCode[] = ['idempotency_in_progress', 'idempotency_key_reused'];
const NEVER_STORED: readonly ErrorCode[] = [
  ...ABOUT_KEY,
  'fully_held',
  'balance_low',
  'quota_full',
  'pace_reached',
  'spending_limit_exceeded',
  'approval_required',
  'approval_refused',
  'too_many_approvals',
  'insufficient_scope',
];

const IN_FORCE = `record.scope = $1 AND record.key_hash = $2
    AND record.created_at > now() - interval '24 hours'`;

const FIND = `
  SELECT record.fingerprint, record.outcome FROM idempotency_record AS record WHERE ${IN_FORCE}`;

/**
 * One statement tries to take the key's lock and reads its record. Another request may write the
 * record between the two; storing a second record then fails, and a refusal is looked up.
 */
const CLAIM = `
  SELECT pg_try_advisory_xact_lock($3) AS locked, record.fingerprint, record.outcome
  FROM (SELECT 1) AS one LEFT JOIN idempotency_record AS record ON ${IN_FORCE}`;

/**
 * Writes a record, also over an expired one, but never over one that is in force. After DO UPDATE,
 * Citus allows only immutable functions: no now(), and no timestamp minus an interval.
 */
const STORE = `
  INSERT INTO idempotency_record AS record (scope, key_hash, fingerprint, outcome)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (scope, key_hash) DO UPDATE
    SET fingerprint = excluded.fingerprint, outcome = excluded.outcome,
      created_at = excluded.created_at
    WHERE excluded.created_at - record.created_at >= interval '24 hours'
  RETURNING 1`;

/** What a record has, encrypted or as keyed hashes: see `RecordSeal`. */
interface StoredOutcome {
  /** Hash of what another request with the same key must match. */
  fingerprint: Buffer;
  outcome: Buffer;
}
type Claim = { locked: boolean } & (StoredOutcome | { fingerprint: null });

/** Another request with the same key was committed while this one worked. */
class LostRace extends Error {}

@Injectable()
export class IdempotencyService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly seals: RecordSeals,
  ) {}

  /**
   * Returns the outcome of an earlier request with the key.
   *
   * @throws ApiError `idempotency_key_reused` if the earlier request was a different one
   */
  async find(request: IdempotentRequest): Promise<OnceOutcome | undefined> {
    const { current, previous } = this.seals;
    return (
      (await this.findSealed(request, current)) ??
      (previous && (await this.findSealed(request, previous)))
    );
  }

  /**
   * Does work once per key. The first outcome is stored in the transaction of the work and replayed
   * for 24 hours. Of several concurrent requests, one does the work.
   *
   * @throws ApiError `idempotency_in_progress` while another request with the key is in progress,
   *   `idempotency_key_reused` if the key was used for a different request
   */
  async once(request: IdempotentRequest, work: () => Promise<Outcome>): Promise<OnceOutcome> {
    try {
      return await this.attempt(request, work);
    } catch (error) {
      if (error instanceof LostRace) {
        return this.attempt(request, work);
      }
      if (error instanceof ApiError && !ABOUT_KEY.includes(error.code)) {
        // What another request with the key changed may have caused the refusal, such as a 412.
        const earlier = await this.find(request);
        if (earlier !== undefined) {
          return earlier;
        }
      }
      throw error;
    }
  }

  private async attempt(
    request: IdempotentRequest,
    work: () => Promise<Outcome>,
  ): Promise<OnceOutcome> {
    const { current, previous } = this.seals;
    const { scope, keyHash } = current.addressOf(request);
    return this.transaction.run(async () => {
      const { manager } = this.transaction;
      const [claim] = await manager.query<[Claim]>(CLAIM, [scope, keyHash, lockId(request)]);
      // Holding the lock, the query cannot miss a record that was written with the previous key.
      const earlier =
        claim.fingerprint === null
          ? previous && (await this.findSealed(request, previous))
          : open(request, claim, current);
      if (earlier !== undefined) {
        return earlier;
      }
      if (!claim.locked) {
        throw retryLater(
          'idempotency_in_progress',
          'A request with this Idempotency-Key is still in progress.',
        );
      }
      const outcome = await this.workOnce(work);
      const stored = await manager.query<unknown[]>(STORE, [
        scope,
        keyHash,
        current.fingerprintOf(request),
        current.encrypt(JSON.stringify(outcome), request),
      ]);
      if (stored.length === 0) {
        throw new LostRace();
      }
      return { outcome, replayed: false };
    });
  }

  private async findSealed(
    request: IdempotentRequest,
    seal: RecordSeal,
  ): Promise<OnceOutcome | undefined> {
    const { scope, keyHash } = seal.addressOf(request);
    const { manager } = this.transaction;
    const [record] = await manager.query<StoredOutcome[]>(FIND, [scope, keyHash]);
    return record && open(request, record, seal);
  }

  /** Runs the work in a savepoint: a refusal undoes the work but not the record of the refusal. */
  private async workOnce(work: () => Promise<Outcome>): Promise<Outcome> {
    try {
      return await this.transaction.run(work);
    } catch (error) {
      if (
        error instanceof ApiError &&
        STORED_STATUSES.has(error.getStatus()) &&
        !NEVER_STORED.includes(error.code)
      ) {
        const { code, message, details, properties } = error;
        return { error: { code, message, details, properties } };
      }
      throw error;
    }
  }
}

/** Returns the outcome in a record if the record belongs to this request. */
function open(request: IdempotentRequest, record: StoredOutcome, seal: RecordSeal): OnceOutcome {
  if (!record.fingerprint.equals(seal.fingerprintOf(request))) {
    throw keyReused('This Idempotency-Key was used with another route, body or If-Match.');
  }
  const text = seal.decrypt(record.outcome, request);
  if (text === undefined) {
    throw keyReused('The outcome for this Idempotency-Key can no longer be read. Use a new key.');
  }
  return { outcome: JSON.parse(text) as Outcome, replayed: true };
}

/**
 * PostgreSQL identifies advisory locks by 64-bit numbers. The number depends on no secret, so
 * instances with different encryption keys exclude each other. It is not stored.
 */
function lockId({ scope, companyId, key }: IdempotentRequest): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([scope, companyId, key]))
    .digest();
  return digest.readBigInt64BE().toString();
}

function keyReused(message: string): ApiError {
  return new ApiError('idempotency_key_reused', message);
}
