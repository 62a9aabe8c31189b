import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { BalanceModule } from '../balance/balance.module';
import { CampaignModule } from '../campaign/campaign.module';
import { EventModule } from '../../platform/event/event.module';
import { GuardrailModule } from '../guardrail/guardrail.module';
import { TargetingModule } from '../targeting/targeting.module';
import { QuestionsModule } from '../questions/questions.module';
import { CampaignClockService } from './campaign-clock.service';
import { CampaignLifeController } from './campaign-life.controller';
import { CampaignLifeService } from './campaign-life.service';
import { LaunchCheckService } from './launch-check.service';

@Module({
  imports: [
    ApiKeyModule,
    BalanceModule,
    CampaignModule,
    EventModule,
    GuardrailModule,
    QuestionsModule,
    TargetingModule,
  ],
  controllers: [CampaignLifeController],
  providers: [CampaignLifeService, CampaignClockService, LaunchCheckService],
  exports: [LaunchCheckService],
})
export class CampaignLifeModule {}
