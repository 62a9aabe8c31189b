import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { GuardrailModule } from '../../campaigns/guardrail/guardrail.module';
import { TargetingModule } from '../../campaigns/targeting/targeting.module';
import { CrosstabModule } from '../crosstab/crosstab.module';
import { ResponsesModule } from '../responses/responses.module';
import { ResultsModule } from '../results/results.module';
import { WavesModule } from '../waves/waves.module';
import { ResultsLinkController } from './results-link.controller';
import { ResultsLink } from './results-link.entity';
import { ResultsLinkService } from './results-link.service';
import { ResultsPageController } from './results-page.controller';
import { ResultsPageService } from './results-page.service';

/** Pages with the results of a campaign, and the links to them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ResultsLink]),
    ApiKeyModule,
    CampaignModule,
    GuardrailModule,
    CrosstabModule,
    ResponsesModule,
    ResultsModule,
    TargetingModule,
    WavesModule,
  ],
  controllers: [ResultsLinkController, ResultsPageController],
  providers: [ResultsLinkService, ResultsPageService],
  exports: [ResultsLinkService],
})
export class ResultsPageModule {}
