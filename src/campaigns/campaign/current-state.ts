import type { Repository } from 'typeorm';
import type { CampaignProgressDto } from './campaign-progress.dto';
import type { Campaign, CampaignState, StoredState } from './campaign.entity';
import type { BlockReason } from './campaign.types';
import { COUNTERS } from './progress.columns';
import { BLOCKED_BY } from './status.columns';
import { currentStateOf } from './status.rules';
import type { StoredId } from '../../platform/database/identifiers';

/** By the primary key, as a cluster does not look into other tables for every row of a list. */
const CURRENT = `
  SELECT id, statement_timestamp() AS read_at, ${BLOCKED_BY} AS blocked_by
  FROM campaign WHERE company_id = $1 AND id = ANY ($2)`;

interface CurrentRow {
  id: string;
  read_at: Date;
  blocked_by: BlockReason | null;
}

type Limits = Pick<Campaign, 'maxResponses' | 'budget' | 'isPrepaid'>;

const hasLimits = ({ maxResponses, budget, isPrepaid }: Limits) =>
  maxResponses !== null || budget !== null || isPrepaid;

/**
 * Adds why nobody can begin the campaigns of a page that are live, and have limits or an allotment.
 */
export async function addBlockReasons(
  campaigns: Repository<Campaign>,
  companyId: StoredId,
  listed: readonly Campaign[],
): Promise<void> {
  const limited = listed.filter((each) => hasLimits(each) && currentStateOf(each).isLive);
  if (limited.length === 0) {
    return;
  }
  const rows = await campaigns.query<CurrentRow[]>(CURRENT, [
    companyId,
    limited.map(({ id }) => id),
  ]);
  const reasons = new Map(rows.map(({ id, blocked_by }) => [id, blocked_by]));
  for (const each of limited) {
    each.blockedBy = reasons.get(each.id);
  }
}

/** By the primary key alone, whatever the other tables are like. */
const LISTED = `
  SELECT g.campaign_id AS id, ${COUNTERS} AS progress FROM campaign_progress AS g
  WHERE g.company_id = $1 AND g.campaign_id = ANY ($2)`;

/** Adds the counters of the campaigns of a page. */
export async function addProgress(
  campaigns: Repository<Campaign>,
  companyId: StoredId,
  listed: readonly Campaign[],
): Promise<void> {
  if (listed.length === 0) {
    return;
  }
  const ids = listed.map(({ id }) => id);
  const rows = await campaigns.query<{ id: string; progress: CampaignProgressDto }[]>(LISTED, [
    companyId,
    ids,
  ]);
  const found = new Map(rows.map(({ id, progress }) => [id, progress]));
  for (const each of listed) {
    each.progress = found.get(each.id);
  }
}

/**
 * Adds the time, and why nobody can begin it, to a campaign that a write has returned: a cluster
 * cannot return them with it. They matter only to a campaign with times, and to a live one with
 * limits; no other is read again.
 */
export async function addCurrentState<Stored extends StoredState>(
  campaigns: Repository<Campaign>,
  stored: Stored,
): Promise<Stored & CampaignState> {
  const { companyId, id, startsAt, endsAt, isLive, updatedAt } = stored;
  if (startsAt !== null || endsAt !== null || (isLive && hasLimits(stored))) {
    const [row] = await campaigns.query<[CurrentRow]>(CURRENT, [companyId, [id]]);
    return Object.assign(stored, { readAt: row.read_at, blockedBy: row.blocked_by });
  }
  return Object.assign(stored, { readAt: updatedAt });
}
