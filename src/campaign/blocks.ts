import type { Repository } from 'typeorm';
import type { Campaign } from './campaign.entity';
import type { Block } from './campaign.types';
import { BLOCKED_BY } from './status.columns';
import { standingOf } from './status.rules';

/** By the primary key, as a cluster does not look into other tables for every row of a list. */
const LOOK = `
  SELECT id, statement_timestamp() AS read_at, ${BLOCKED_BY} AS blocked_by
  FROM campaign WHERE company_id = $1 AND id = ANY ($2)`;

interface Look {
  id: string;
  read_at: Date;
  blocked_by: Block | null;
}

const hasLimits = ({ maxResponses, budget }: Campaign) => maxResponses !== null || budget !== null;

/** Adds why nobody can begin the campaigns of a page that are live and have limits. */
export async function addBlocks(
  campaigns: Repository<Campaign>,
  companyId: string,
  listed: readonly Campaign[],
): Promise<void> {
  const limited = listed.filter((each) => hasLimits(each) && standingOf(each).isLive);
  if (limited.length === 0) {
    return;
  }
  const rows = await campaigns.query<Look[]>(LOOK, [companyId, limited.map(({ id }) => id)]);
  const blocks = new Map(rows.map(({ id, blocked_by }) => [id, blocked_by]));
  for (const each of limited) {
    each.blockedBy = blocks.get(each.id);
  }
}

/**
 * Completes a campaign that a write has returned: a cluster cannot return the time and the counters
 * with it. They matter only to a campaign with times, and to a live one with limits; no other is read
 * again.
 */
export async function completeWritten(
  campaigns: Repository<Campaign>,
  campaign: Campaign,
): Promise<Campaign> {
  const { companyId, id, startsAt, endsAt, isLive } = campaign;
  if (startsAt !== null || endsAt !== null || (isLive && hasLimits(campaign))) {
    const [row] = await campaigns.query<[Look]>(LOOK, [companyId, [id]]);
    campaign.readAt = row.read_at;
    campaign.blockedBy = row.blocked_by;
  } else {
    campaign.readAt = campaign.updatedAt;
  }
  return campaign;
}
