import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { CohortRewardsController } from './cohort-rewards.controller';

@Module({
  imports: [ApiKeyModule, CampaignModule],
  controllers: [CohortRewardsController],
})
export class CohortRewardsModule {}
