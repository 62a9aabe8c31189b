import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { RateLimitModule } from '../../platform/rate-limit/rate-limit.module';
import { ResultsModule } from '../results/results.module';
import { CountingService } from './counting.service';
import { CrosstabController } from './crosstab.controller';
import { CrosstabService } from './crosstab.service';

/** Tables that cross the answers to a question with others. */
@Module({
  imports: [ApiKeyModule, CampaignModule, RateLimitModule, ResultsModule],
  controllers: [CrosstabController],
  providers: [CountingService, CrosstabService],
  exports: [CrosstabService],
})
export class CrosstabModule {}
