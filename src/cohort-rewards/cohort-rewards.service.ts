import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { withConstraints } from '../database/constraint-violation';
import { ExpectedVersions } from '../http/etag';
import { Principal } from '../http/principal';
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
   * @throws ApiError `cohort_reward_mismatch`, `campaign_not_found`, `campaign_not_owned`
   *   or `version_conflict`
   */
  async update(
    caller: Principal,
    rewards: UpdateCohortRewardsDto,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const cohortRewards = toCohortRewards(rewards);
    return withConstraints(
      () => this.campaigns.updateOwned(caller, rewards.post_id, { cohortRewards }, expected),
      { campaign_cohort_5_equals_reward: () => cohortRewardMismatch() },
    );
  }
}
