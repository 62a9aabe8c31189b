import { Injectable } from '@nestjs/common';
import { TransactionContext } from '../../platform/database/transaction-context';
import { SERVICE } from '../../platform/event/event.types';
import { countTransition } from './campaign-life.registry';
import { DUE } from './status.columns';
import type { StoredId } from '../../platform/database/identifiers';

/** A campaign whose state the clock has changed, but which is stored as it was before. */
export interface DueCampaign {
  company_id: StoredId;
  id: string;
  /** Seconds for which it has been due. */
  age: number;
}

/** A plain read over all companies, which a cluster sends to every shard. */
const findDue = (limit: number) =>
  `SELECT company_id, id, extract(epoch FROM statement_timestamp() - due_at)::float8 AS age
  FROM campaign WHERE ${DUE} AND id <> ALL ($1) AND company_id <> ALL ($2)
  ORDER BY due_at LIMIT ${limit}`;

/**
 * A trigger of the table starts or ends each campaign and sets when it is due next. Campaigns are
 * locked in the order of their identifiers, as everywhere, so that no two transactions deadlock.
 * What another one has stored meanwhile is not returned.
 */
const settle = (ofLocked: '' | 'SKIP LOCKED') => `
  UPDATE campaign SET due_at = NULL, updated_by = $1
  WHERE company_id = $2 AND id IN (
    SELECT id FROM campaign WHERE company_id = $2 AND id = ANY ($3) AND due_at IS NOT NULL
    ORDER BY id FOR NO KEY UPDATE ${ofLocked}
  )
  RETURNING id, status`;

const SETTLE = settle('');
const SETTLE_FREE = settle('SKIP LOCKED');

/** Stores the starts and ends that have come. */
@Injectable()
export class DueCampaignsService {
  constructor(private readonly transaction: TransactionContext) {}

  /**
   * Returns the campaigns that have been due longest.
   *
   * @param except campaigns that are left out
   * @param exceptOf companies whose campaigns are left out
   */
  async find(
    limit: number,
    except: readonly string[] = [],
    exceptOf: readonly StoredId[] = [],
  ): Promise<DueCampaign[]> {
    return this.transaction.manager.query<DueCampaign[]>(findDue(limit), [except, exceptOf]);
  }

  /**
   * Stores what is due for campaigns of one company, with its events. Whoever comes second changes
   * nothing, so it happens once. A campaign whose start and end have both come is due once more.
   *
   * @param waits whether it waits for a campaign that another transaction has locked, or leaves it
   * @returns the campaigns that it changed
   */
  async settle(
    companyId: StoredId,
    ids: readonly string[],
    { waits = true } = {},
  ): Promise<string[]> {
    const [campaigns] = await this.transaction.manager.query<
      [{ id: string; status: string }[], number]
    >(waits ? SETTLE : SETTLE_FREE, [SERVICE, companyId, ids]);
    this.transaction.afterSuccess(() => {
      campaigns.forEach(({ status }) => {
        countTransition({ status });
      });
    });
    return campaigns.map(({ id }) => id);
  }
}
