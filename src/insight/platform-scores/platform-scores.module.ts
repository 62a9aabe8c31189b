import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { ResultsModule } from '../results/results.module';
import { PlatformScoresController } from './platform-scores.controller';
import { PlatformScoresService } from './platform-scores.service';

/** What the attention scores of platforms are worth. */
@Module({
  imports: [ApiKeyModule, CampaignModule, ResultsModule],
  controllers: [PlatformScoresController],
  providers: [PlatformScoresService],
})
export class PlatformScoresModule {}
