import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/caller/principal';
import { newStoredId, printId, StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import { ExpectedVersions, isExpected, NOT_CREATED } from '../../platform/protocol/etag';
import { approvalRefused, tooManyApprovals, Waiting } from './approval.errors';
import { FIND_TARGET, REHEARSE, REHEARSED, REQUEST } from './approval.statements';

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

/** Keeps the requests of keys that need an approval. */
@Injectable()
export class ApprovalGate {
  constructor(private readonly transaction: TransactionContext) {}

  /**
   * Stores a request that waits for its account. It is rehearsed first, against the version of the
   * campaign that the approval is for: what would be refused anyhow does not wait, and the account
   * is told what the campaign would cost.
   *
   * @returns the approval; of the same request, if that waits already
   * @throws ApiError `approval_refused`, `too_many_approvals`, or why the request is refused anyhow
   */
  async keep(request: GatedRequest): Promise<Waiting> {
    for (let attempt = 1; ; attempt += 1) {
      const target = await this.targetOf(request);
      try {
        return await this.transaction.run(() => this.rehearseAndKeep(request, target));
      } catch (error) {
        const hasChanged = error instanceof ApiError && error.code === 'version_conflict';
        if (!hasChanged || attempt === ATTEMPTS || request.expected !== undefined) {
          throw error;
        }
      }
    }
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

  private async rehearseAndKeep(
    { operation, caller, body, expected, limit, run }: GatedRequest,
    target: Target | undefined,
  ): Promise<Waiting> {
    const { callerId, keyId = '', currency = '' } = caller;
    const { manager } = this.transaction;
    const approvalId = newStoredId();
    const { commits, adds } = await this.transaction.rehearse(async () => {
      await this.transaction.manager.query(REHEARSE, [callerId, approvalId, keyId]);
      await run(versionsOf(target, expected));
      const [committed] = await this.transaction.manager.query<[Committed]>(REHEARSED, [
        callerId,
        approvalId,
      ]);
      return committed;
    });
    const text = JSON.stringify(body);
    const same = JSON.stringify([operation, keyId, target?.version, text]);
    const [{ refusal, reason, ...asked }] = await manager.query<[Asked]>(REQUEST, [
      callerId,
      approvalId,
      keyId,
      operation,
      text,
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

interface Committed {
  commits: string | null;
  adds: string | null;
}

interface Asked {
  refusal: 'refused' | 'too_many' | null;
  reason: string | null;
  approvalId: StoredId;
  expiresAt: Date;
}
