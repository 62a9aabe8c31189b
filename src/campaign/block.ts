import type { Repository } from 'typeorm';
import type { Campaign } from './campaign.entity';
import type { Block } from './campaign.types';
import { blockedBy } from './status.columns';

const READ = `SELECT ${blockedBy('campaign')} AS blocked_by FROM campaign WHERE company_id = $1 AND id = $2`;

/**
 * Adds why nobody can begin a campaign that was just changed. Only one that is live and has limits
 * is read again: what an UPDATE returns cannot look at the counters on every database.
 */
export async function withBlock(
  campaigns: Repository<Campaign>,
  campaign: Campaign,
): Promise<Campaign> {
  const { companyId, id, isLive, maxResponses, budget } = campaign;
  if (isLive && (maxResponses !== null || budget !== null)) {
    const [row] = await campaigns.query<{ blocked_by: Block | null }[]>(READ, [companyId, id]);
    campaign.blockedBy = row?.blocked_by;
  }
  return campaign;
}
