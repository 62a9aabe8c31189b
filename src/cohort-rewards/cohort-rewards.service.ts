import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { withConstraints } from '../database/constraint-violation';
import { toCohortRewards, UpdateCohortRewardsDto } from './cohort-rewards.dto';
import { cohortRewardMismatch } from './cohort-rewards.errors';

@Injectable()
export class CohortRewardsService {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Sets what each cohort is paid (section 4.5). That cohort 5 is paid the campaign's reward is
   * judged by the database against the row as it is at that moment, so a racing update of the
   * reward cannot break it.
   *
   * @throws ApiError `cohort_reward_mismatch`, `campaign_not_found` or `campaign_not_owned`
   */
  async update(companyId: string, rewards: UpdateCohortRewardsDto): Promise<Campaign> {
    const cohortRewards = toCohortRewards(rewards);
    return withConstraints(
      () => this.campaigns.updateOwned(companyId, rewards.post_id, { cohortRewards }),
      { campaign_cohort_5_equals_reward: () => cohortRewardMismatch() },
    );
  }
}
