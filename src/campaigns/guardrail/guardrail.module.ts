import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { QuestionsModule } from '../questions/questions.module';
import { TargetingModule } from '../targeting/targeting.module';
import { DeletionModule } from '../../platform/deletion/deletion.module';
import { EventModule } from '../../platform/event/event.module';
import { BacktestController } from './backtest.controller';
import { BacktestService } from './backtest.service';
import { CampaignGuardrailsService } from './campaign-guardrails.service';
import { EvaluationService } from './evaluation.service';
import { GuardrailConditions } from './guardrail-conditions.service';
import { GuardrailController } from './guardrail.controller';
import { Guardrail } from './guardrail.entity';
import { GuardrailService } from './guardrail.service';
import { GuardrailWatcher } from './guardrail-watcher.service';

/** Rules that stop or report campaigns, and that can be tried on what already happened. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Guardrail]),
    ApiKeyModule,
    CampaignModule,
    DeletionModule,
    EventModule,
    QuestionsModule,
    TargetingModule,
  ],
  controllers: [GuardrailController, BacktestController],
  providers: [
    BacktestService,
    CampaignGuardrailsService,
    EvaluationService,
    GuardrailConditions,
    GuardrailService,
    GuardrailWatcher,
  ],
  exports: [CampaignGuardrailsService, GuardrailService, GuardrailWatcher],
})
export class GuardrailModule {}
