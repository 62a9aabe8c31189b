import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Big } from 'big.js';
import stringify from 'safe-stable-stringify';
import type { Principal } from '../../platform/caller/principal';
import { newStoredId, printId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import { ExpectedVersions, isExpected, NOT_CREATED } from '../../platform/protocol/etag';
import { approvalRefused, tooManyApprovals, Waiting } from './approval.errors';
import { COMMITMENT, FIND_TARGET, FORGET, PERMIT, PERMITTED, REQUEST } from './approval.statements';

/** How often a request is rehearsed, if its campaign changes meanwhile. */
const ATTEMPTS = 3;

/** A request that commits more than its key may without its account. */
export interface GatedRequest {
  operation: string;
  caller: Principal;
  /** The body, as it was sent. */
  body: unknown;
  expected: ExpectedVersions;
  /** What the key may commit without an approval. */
  limit: number;
  /** Does what the request asks for. */
  run: (expected: ExpectedVersions) => Promise<unknown>;
}

/** What a request comes to: it waits, or it was carried out, with this response. */
export type Kept = { waits: Waiting } | { response: unknown };

/** Keeps the requests of keys that need an approval. */
@Injectable()
export class ApprovalGate {
  constructor(private readonly transaction: TransactionContext) {}

  /**
   * Stores a request that waits for its account. It is rehearsed first, against the version of the
   * campaign that the approval is for: what would be refused anyhow does not wait, and the account
   * is told what the campaign would cost. If only a step of the request costs too much, and the
   * whole does not, it is carried out at once.
   *
   * @returns the approval; of the same request, if that waits already
   * @throws ApiError `approval_refused`, `too_many_approvals`, or why the request is refused anyhow
   */
  async keep(request: GatedRequest): Promise<Kept> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction.run(() => this.rehearseAndKeep(request));
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'version_conflict';
        if (!hasChanged || attempt === ATTEMPTS || request.expected !== undefined) {
          throw error;
        }
      }
    }
  }

  private async rehearseAndKeep(request: GatedRequest): Promise<Kept> {
    const { caller, limit } = request;
    const target = await this.targetOf(request);
    const versions = versionsOf(target, request.expected);
    const before = target === undefined ? '0' : await this.commitment(caller, target.id);
    const commits = await this.transaction.rehearse(async () => {
      const { id } = await this.permitted(request, versions);
      return id === null ? undefined : this.commitment(caller, id);
    });
    const adds = before === null || commits == null ? null : Big(commits).minus(before).toFixed();
    if (commits === undefined || isWithin(limit, commits, adds)) {
      const { response, approvalId } = await this.permitted(request, versions);
      await this.transaction.manager.query(FORGET, [caller.callerId, approvalId]);
      return { response };
    }
    return { waits: await this.store(request, target, commits, adds) };
  }

  /** Carries a request out with a permission, which the caller undoes or forgets. */
  private async permitted(
    { caller: { callerId, keyId }, run }: GatedRequest,
    versions: ExpectedVersions,
  ): Promise<{ approvalId: StoredId; response: unknown; id: string | null }> {
    const approvalId = newStoredId();
    const { manager } = this.transaction;
    await manager.query(PERMIT, [callerId, approvalId, keyId]);
    const response = await run(versions);
    const [{ id }] = await manager.query<[{ id: string | null }]>(PERMITTED, [
      callerId,
      approvalId,
    ]);
    return { approvalId, response, id };
  }

  private async commitment({ callerId }: Principal, campaignId: string): Promise<string | null> {
    const { manager } = this.transaction;
    const [{ amount }] = await manager.query<[{ amount: string | null }]>(COMMITMENT, [
      callerId,
      campaignId,
    ]);
    return amount;
  }

  private async targetOf({ caller, body }: GatedRequest): Promise<Target | undefined> {
    const { post_id, external_ref } = body as { post_id?: string; external_ref?: string };
    const [target] = await this.transaction.manager.query<Target[]>(FIND_TARGET, [
      caller.callerId,
      post_id,
      external_ref,
    ]);
    return target;
  }

  private async store(
    { operation, caller, body, limit }: GatedRequest,
    target: Target | undefined,
    commits: string | null,
    adds: string | null,
  ): Promise<Waiting> {
    const { callerId, keyId = '', currency = '' } = caller;
    // Canonical JSON: equal content matches, however it is formatted.
    const same = stringify([operation, keyId, target?.version, body]);
    const { manager } = this.transaction;
    const [{ refusal, reason, ...asked }] = await manager.query<[Asked]>(REQUEST, [
      callerId,
      newStoredId(),
      keyId,
      operation,
      JSON.stringify(body),
      createHash('sha256').update(same).digest(),
      target?.id,
      target?.version,
      currency,
      commits,
      adds,
    ]);
    if (refusal !== null) {
      throw refusal === 'refused' ? approvalRefused(reason) : tooManyApprovals();
    }
    return {
      approval_id: printId('apr', asked.approvalId),
      limit,
      ...(commits === null ? {} : { required: Number(commits) }),
      currency,
      expires_at: asked.expiresAt.toISOString(),
    };
  }
}

/** Whether a campaign costs no more than the key may commit, or no more than before. */
function isWithin(limit: number, commits: string | null, adds: string | null): boolean {
  return (commits !== null && Big(commits).lte(limit)) || (adds !== null && Big(adds).lte(0));
}

/** The version that the approval is for; none if the client expects others. */
function versionsOf(target: Target | undefined, expected: ExpectedVersions): ExpectedVersions {
  if (target === undefined) {
    return NOT_CREATED;
  }
  return isExpected(target.version, expected) ? [target.version] : [];
}

interface Target {
  id: string;
  version: number;
}

interface Asked {
  refusal: 'refused' | 'too_many' | null;
  reason: string | null;
  approvalId: StoredId;
  expiresAt: Date;
}
