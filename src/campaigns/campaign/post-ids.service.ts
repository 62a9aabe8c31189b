import { Injectable, OnModuleInit } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { environmentOf } from '../../platform/caller/environment.rules';
import { COMPANY_DIGITS, Mask, maskOf, newPostId, routeOf } from './post-id.rules';

/** A campaign that a post_id names, whoever asks. */
export interface OwnedCampaign {
  companyId: StoredId;
  campaignId: string;
  /** The currency of its rewards (ISO 4217). */
  currency: string;
}

/** Companies with the last digits of a route. Every node of a cluster has all companies. */
const CANDIDATES = `
  SELECT company_id FROM company WHERE right(company_id::text, ${COMPANY_DIGITS}) = $1`;

/** On the shard of a company. */
const OWNED = `
  SELECT company_id AS "companyId", id AS "campaignId", currency FROM campaign
  WHERE company_id = $1 AND post_id = $2`;

/** Makes post_ids, and finds the campaigns that they name without asking every shard. */
@Injectable()
export class PostIds implements OnModuleInit {
  private mask!: Mask;

  constructor(private readonly transaction: TransactionContext) {}

  /** The migration has made the key. */
  async onModuleInit(): Promise<void> {
    const [row] = await this.transaction.manager.query<{ key: Uint8Array }[]>(
      'SELECT key FROM post_id_key',
    );
    if (row === undefined) {
      throw new Error('The table post_id_key is empty: restore its row from a backup.');
    }
    this.mask = maskOf(row.key);
  }

  /** Returns a new post_id for a campaign of a company, which {@link find} finds by it. */
  create(companyId: StoredId): string {
    return newPostId(this.mask, companyId);
  }

  /** Returns the campaign of any company that a post_id names; `undefined` if there is none. */
  async find(postId: string): Promise<OwnedCampaign | undefined> {
    const route = routeOf(this.mask, postId);
    if (route === undefined) {
      return undefined;
    }
    const { manager } = this.transaction;
    const candidates = await manager.query<{ company_id: StoredId }[]>(CANDIDATES, [route.company]);
    // Usually one.
    for (const { company_id: companyId } of candidates) {
      const environment = environmentOf(companyId, route.mode);
      const [owned] = await manager.query<OwnedCampaign[]>(OWNED, [environment, postId]);
      if (owned !== undefined) {
        return owned;
      }
    }
    return undefined;
  }
}
