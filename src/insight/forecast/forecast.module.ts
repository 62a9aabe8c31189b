import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { CampaignDocumentModule } from '../../campaigns/document/campaign-document.module';
import { GuardrailModule } from '../../campaigns/guardrail/guardrail.module';
import { CampaignLifeModule } from '../../campaigns/life/campaign-life.module';
import { TargetingModule } from '../../campaigns/targeting/targeting.module';
import { ForecastController } from './forecast.controller';
import { ForecastService } from './forecast.service';
import { PastResponsesService } from './past-responses.service';

/** What a campaign will cost, before it starts. */
@Module({
  imports: [
    ApiKeyModule,
    CampaignModule,
    CampaignDocumentModule,
    CampaignLifeModule,
    GuardrailModule,
    TargetingModule,
  ],
  controllers: [ForecastController],
  providers: [ForecastService, PastResponsesService],
})
export class ForecastModule {}
