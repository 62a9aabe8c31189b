import { Injectable } from '@nestjs/common';
import { toColumns } from '../campaign/campaign.columns';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { requireMinorUnit } from '../../access/company/currency.field';
import { withConstraints } from '../../platform/database/constraint-violation';
import { ExpectedVersions } from '../../platform/protocol/etag';
import { currencyOf, Principal } from '../../platform/caller/principal';
import { UpdateCohortRewardsDto } from './cohort-rewards.dto';
import { cohortRewardMismatch } from './cohort-rewards.errors';

@Injectable()
export class CohortRewardsService {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Sets the reward of each cohort (section 4.5). The database checks that cohort 5 equals the
   * campaign's reward, against the current row, so that a concurrent update of the reward cannot
   * break the rule.
   *
   * @throws ApiError `cohort_reward_mismatch`, `campaign_not_found`, `campaign_not_owned` or
   *   `version_conflict`
   */
  async update(
    caller: Principal,
    { post_id, ...cohort_rewards }: UpdateCohortRewardsDto,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const currency = currencyOf(caller);
    requireMinorUnit(currency, { ...cohort_rewards });
    const set = toColumns({ cohort_rewards }, currency);
    return withConstraints(() => this.campaigns.updateOwned(caller, post_id, set, expected), {
      campaign_cohort_5_equals_reward: () => cohortRewardMismatch(),
    });
  }
}
