import { Module } from '@nestjs/common';
import { ApprovalModule } from '../approval/approval.module';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { CohortRewardsController } from './cohort-rewards.controller';

@Module({
  imports: [ApprovalModule, ApiKeyModule, CampaignModule],
  controllers: [CohortRewardsController],
})
export class CohortRewardsModule {}
