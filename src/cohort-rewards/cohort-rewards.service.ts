import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { withConstraints } from '../database/constraint-violation';
import { ApiError } from '../http/api-error';
import { UpdateCohortRewardsDto } from './cohort-rewards.dto';

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
    return withConstraints(
      () =>
        this.campaigns.updateOwned(companyId, rewards.post_id, {
          cohortRewards: {
            cohort1Reward: rewards.cohort_1_reward.toString(),
            cohort2Reward: rewards.cohort_2_reward.toString(),
            cohort3Reward: rewards.cohort_3_reward.toString(),
            cohort4Reward: rewards.cohort_4_reward.toString(),
            cohort5Reward: rewards.cohort_5_reward.toString(),
          },
        }),
      {
        campaign_cohort_5_equals_reward: () =>
          new ApiError(
            'cohort_reward_mismatch',
            "cohort_5_reward must equal the campaign's reward_amount.",
            [
              {
                field: 'cohort_5_reward',
                code: 'differs_from_reward_amount',
                message: "cohort_5_reward must equal the campaign's reward_amount.",
              },
            ],
          ),
      },
    );
  }
}
