import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { GuardrailModule } from '../../campaigns/guardrail/guardrail.module';
import { EventModule } from '../../platform/event/event.module';
import { FoldService } from './fold.service';
import { ResultsController } from './results.controller';
import { ResultsTurns } from './results-turns.service';
import { ResultsService } from './results.service';
import { TabulationsService } from './tabulations.service';

/** What the responses of a campaign add up to. */
@Module({
  imports: [ApiKeyModule, CampaignModule, EventModule, GuardrailModule],
  controllers: [ResultsController],
  providers: [FoldService, ResultsService, ResultsTurns, TabulationsService],
  exports: [FoldService, ResultsService, ResultsTurns],
})
export class ResultsModule {}
