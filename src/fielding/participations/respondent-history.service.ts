import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import { Done, findAudienceRefusal } from '../../campaigns/targeting/audience.rules';
import { TargetingRules } from '../../campaigns/targeting/targeting-rules.service';
import { byCompany } from '../../platform/database/by-company';
import type { StoredId } from '../../platform/database/identifiers';

/** How many participations of a respondent are compared: those in the newest campaigns. */
const MAXIMUM = 1_000;

const HISTORY = `
  SELECT company_id, campaign_id, state, cohort, expires_at <= clock_timestamp() AS is_over,
    extract(epoch FROM clock_timestamp() - begun_at)::double precision AS seconds
  FROM participation
  WHERE respondent = $1 AND company_id = ANY ($2::uuid[])
  ORDER BY campaign_id DESC LIMIT ${MAXIMUM}`;

const DAY = 24 * 60 * 60;

interface Row {
  company_id: StoredId;
  campaign_id: string;
  state: string;
  cohort: number | null;
  is_over: boolean;
  seconds: number;
}

/** Knows what respondents have done in the campaigns of companies whose rules ask about it. */
@Injectable()
export class RespondentHistory {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly targeting: TargetingRules,
  ) {}

  /**
   * Returns the campaigns that do not refuse a respondent because of what the respondent has done.
   * It reads something only if one of them has such rules.
   */
  async asking(respondent: Buffer, candidates: readonly Campaign[]): Promise<readonly Campaign[]> {
    const rules = await this.targeting.readAll(candidates);
    const careful = candidates.filter(({ id }) => (rules.get(id)?.audience ?? null) !== null);
    if (careful.length === 0) {
      return candidates;
    }
    const rows = await this.campaigns.query<Row[]>(HISTORY, [
      respondent,
      [...new Set(careful.map(({ companyId }) => companyId))],
    ]);
    const done = byCompany(rows);
    return candidates.filter(({ id, companyId }) => {
      const audience = rules.get(id)?.audience ?? null;
      return (
        audience === null ||
        findAudienceRefusal(audience, (done.get(companyId) ?? []).map(toDone)) === null
      );
    });
  }
}

const toDone = ({ campaign_id, state, cohort, is_over, seconds }: Row): Done => ({
  campaign: Number(campaign_id),
  state,
  isOver: is_over,
  cohort,
  days: seconds / DAY,
});
