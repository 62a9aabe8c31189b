import { Injectable } from '@nestjs/common';
import { ApiKeyDto } from '../../access/api-key/api-key.dto';
import { ApiKeyService } from '../../access/api-key/api-key.service';
import { KeySpendingService } from '../../access/api-key/key-spending.service';
import { KeySpendingDto } from '../../access/api-key/spending-limit.dto';
import { CompanyDto } from '../../access/company/company.dto';
import { CompanyService } from '../../access/company/company.service';
import { ApprovalListQueryDto, ApprovalPageDto } from '../../campaigns/approval/approval.dto';
import { ApprovalsService } from '../../campaigns/approval/approvals.service';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import { companyOf, modeOf, queueNameOf } from '../../platform/caller/environment.rules';
import type { Principal } from '../../platform/caller/principal';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ConnectionShares } from '../../platform/limits/connection-shares';

/** What an agent may do, and what is left of its limits. */
export interface Identity {
  company: { company_id: string; name: string; currency: string };
  key: { key_id: string; name: string | null; mode: string; scopes: readonly string[] };
  approval_above: number | null;
  spending: KeySpendingDto;
}

/** Where a campaign is that a document describes. */
export interface Stored {
  post_id: string;
  version: number;
}

/** What tools need that no operation of the service returns to an API key. */
@Injectable()
export class AgentService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly shares: ConnectionShares,
    private readonly keys: ApiKeyService,
    private readonly spending: KeySpendingService,
    private readonly companies: CompanyService,
    private readonly approvals: ApprovalsService,
  ) {}

  /** Returns whose key the caller has, what it may do, and what it may still commit. */
  identify(caller: Principal): Promise<Identity> {
    return this.share(caller, async () => {
      const { callerId, keyId = '' } = caller;
      const key = await this.keys.findOwned(companyOf(callerId), keyId);
      const company = CompanyDto.from(await this.companies.byId(companyOf(callerId)));
      const { company_id, name, currency } = company;
      const { approval_above, ...shown } = ApiKeyDto.from(key);
      return {
        company: { company_id, name, currency },
        key: { key_id: keyId, name: shown.name, mode: shown.mode, scopes: shown.scopes },
        approval_above,
        spending: KeySpendingDto.from(key, await this.spending.spendingOf(key)),
      };
    });
  }

  /**
   * Returns a page of the approvals of the caller's company in the mode of its key, newest first.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  listApprovals(caller: Principal, query: ApprovalListQueryDto): Promise<ApprovalPageDto> {
    const mode = modeOf(caller.callerId);
    const company = { ...caller, callerId: companyOf(caller.callerId) };
    return this.share(caller, async () =>
      ApprovalPageDto.from(await this.approvals.list(company, { ...query, mode })),
    );
  }

  /** Returns the campaign that a document would change; `null` if it would create one. */
  find(caller: Principal, externalRef: string): Promise<Stored | null> {
    return this.share(caller, async () => {
      const { manager } = this.transaction;
      const { callerId: companyId } = caller;
      const found = await manager.findOneBy(Campaign, { companyId, externalRef });
      return found && { post_id: found.postId, version: found.version };
    });
  }

  /** Runs work in the caller's share of the connections, as a request does. */
  private share<T>({ callerId }: Principal, work: () => Promise<T>): Promise<T> {
    const company = queueNameOf(callerId);
    this.shares.note(company);
    return this.shares.run(company, work);
  }
}
