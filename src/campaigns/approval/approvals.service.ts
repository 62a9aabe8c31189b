import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { ApiKeyService } from '../../access/api-key/api-key.service';
import { environmentOf, Mode, MODES } from '../../platform/caller/environment.rules';
import { actorOf, Principal } from '../../platform/caller/principal';
import { printId, storedId, StoredId } from '../../platform/database/identifiers';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SequencerService } from '../../platform/event/sequencer.service';
import { ApiError } from '../../platform/protocol/api-error';
import type { Envelope } from '../../platform/protocol/envelope';
import { cutPage, Page, readCursor } from '../../platform/protocol/cursor';
import { NOT_CREATED } from '../../platform/protocol/etag';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { RequestValidationPipe } from '../../platform/validation/validation.pipe';
import { callHandler, operationOf } from './approvable.decorator';
import type { ApprovalListQueryDto, RefuseApprovalDto } from './approval.dto';
import {
  approvalClosed,
  approvalKeyEnded,
  approvalNotFound,
  approvalOutdated,
} from './approval.errors';
import { DECIDE, FINISH, listApprovals, READ_APPROVAL } from './approval.statements';
import type { Approval, ApprovalState, ApprovalWithRequest } from './approval.types';

/** After every identifier. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Requests of keys that wait for their account: lists them, carries them out, refuses them. */
@Injectable()
export class ApprovalsService {
  private readonly pipe = new RequestValidationPipe();

  constructor(
    private readonly transaction: TransactionContext,
    private readonly keys: ApiKeyService,
    private readonly sequencer: SequencerService,
    private readonly modules: ModuleRef,
  ) {}

  /**
   * Returns a page of the approvals in one environment of a company, newest first.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    { callerId }: Principal,
    { mode = 'live', state, limit = PAGE_LIMIT_DEFAULT, cursor }: ApprovalListQueryDto,
  ): Promise<Page<Approval>> {
    const environment = environmentOf(callerId, mode);
    const list = { approvalsOf: environment, state };
    const [id] = readCursor(cursor, list, ['identifier']);
    const rows = await this.transaction.manager.query<Approval[]>(
      listApprovals(`${statementLimit(limit) + 1}`),
      [environment, id === undefined ? LAST : storedId('apr', id), state],
    );
    return cutPage(rows, limit, ({ approvalId }) => [printId('apr', approvalId)], list);
  }

  /**
   * Returns an approval of the environment of a key.
   *
   * @throws ApiError `approval_not_found`
   */
  read({ callerId }: Principal, approvalId: string): Promise<ApprovalWithRequest> {
    return this.find([callerId], approvalId);
  }

  /**
   * Returns an approval of a company, live or test.
   *
   * @throws ApiError `approval_not_found`
   */
  readOwned({ callerId }: Principal, approvalId: string): Promise<ApprovalWithRequest> {
    return this.find(
      MODES.map((mode: Mode) => environmentOf(callerId, mode)),
      approvalId,
    );
  }

  /**
   * Carries a request out that waits, once: exactly as it was sent, on behalf of its key, and only
   * if its campaign has not changed since. What refuses it leaves it waiting, unless the campaign
   * has changed. Approving again returns the same approval.
   *
   * @returns the approval; its state is `outdated` if the campaign has changed
   * @throws ApiError `approval_not_found`, `approval_closed`, `approval_key_ended`, or why the
   *   request is refused
   */
  async approve(caller: Principal, approvalId: string, reply: FastifyReply): Promise<Approval> {
    const found = await this.readOwned(caller, approvalId);
    return this.transaction.run(async () => {
      try {
        await this.transaction.run(async () => {
          if (await this.decide(caller, found, 'approved')) {
            const postId = await this.carryOut(found, reply);
            await this.finish(caller, found, postId);
          }
        });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'version_conflict')) {
          throw error;
        }
        // Of a version that was undone.
        reply.removeHeader('etag');
        await this.decide(caller, found, 'outdated');
      }
      this.transaction.afterSuccess(() => {
        this.sequencer.wake(found.companyId);
      });
      return this.find([found.companyId], approvalId);
    });
  }

  /**
   * Refuses a request that waits. Refusing again returns the same approval.
   *
   * @throws ApiError `approval_not_found` or `approval_closed`
   */
  async refuse(
    caller: Principal,
    { approval_id, reason }: RefuseApprovalDto,
  ): Promise<ApprovalWithRequest> {
    const found = await this.readOwned(caller, approval_id);
    await this.decide(caller, found, 'refused', reason);
    this.transaction.afterSuccess(() => {
      this.sequencer.wake(found.companyId);
    });
    return this.find([found.companyId], approval_id);
  }

  /** @returns whether this call has decided it; `false` if it was decided so before */
  private async decide(
    caller: Principal,
    { companyId, approvalId }: Approval,
    decision: ApprovalState,
    reason?: string,
  ): Promise<boolean> {
    const [{ decided, state }] = await this.transaction.manager.query<
      [{ decided: boolean; state: ApprovalState }]
    >(DECIDE, [companyId, approvalId, decision, reason, actorOf(caller)]);
    if (!decided && state !== decision) {
      throw approvalClosed(state === 'pending' ? 'expired' : state);
    }
    return decided;
  }

  /** @returns the post_id of the campaign */
  private async carryOut(
    { companyId, keyId, operation, version, body }: ApprovalWithRequest,
    reply: FastifyReply,
  ): Promise<string> {
    const caller = await this.keys.principalOf(companyId, printId('key', keyId));
    if (caller === null) {
      throw approvalKeyEnded();
    }
    const approvable = operationOf(operation);
    const { controller, body: metatype } = approvable;
    const request = this.pipe.transform(JSON.parse(body), { type: 'body', metatype }) as object;
    const expected = version === null ? NOT_CREATED : [version];
    const response = await callHandler(
      approvable,
      this.modules.get(controller, { strict: false }),
      { caller, body: request, expected, reply },
    );
    return (response as Envelope<{ post_id: string }>).data.post_id;
  }

  /** @throws ApiError `version_conflict` if the campaign can cost more than what was approved */
  private async finish(
    caller: Principal,
    { companyId, approvalId }: Approval,
    postId: string,
  ): Promise<void> {
    const [{ finished }] = await this.transaction.manager.query<[{ finished: boolean }]>(FINISH, [
      companyId,
      approvalId,
      postId,
      actorOf(caller),
    ]);
    if (!finished) {
      throw approvalOutdated();
    }
  }

  private async find(
    environments: readonly StoredId[],
    approvalId: string,
  ): Promise<ApprovalWithRequest> {
    const stored = storedId('apr', approvalId);
    for (const environment of environments) {
      const [found] = await this.transaction.manager.query<ApprovalWithRequest[]>(READ_APPROVAL, [
        environment,
        stored,
      ]);
      if (found !== undefined) {
        return found;
      }
    }
    throw approvalNotFound();
  }
}
