import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { EventModule } from '../event/event.module';
import { BacktestController } from './backtest.controller';
import { BacktestService } from './backtest.service';
import { CampaignGuardrailsService } from './campaign-guardrails.service';
import { EvaluationService } from './evaluation.service';
import { GuardrailController } from './guardrail.controller';
import { Guardrail } from './guardrail.entity';
import { GuardrailRemover } from './guardrail-remover.service';
import { GuardrailService } from './guardrail.service';
import { GuardrailWatcher } from './guardrail-watcher.service';

/** Rules that stop or report campaigns, and that can be tried on what already happened. */
@Module({
  imports: [TypeOrmModule.forFeature([Guardrail]), ApiKeyModule, CampaignModule, EventModule],
  controllers: [GuardrailController, BacktestController],
  providers: [
    BacktestService,
    CampaignGuardrailsService,
    EvaluationService,
    GuardrailRemover,
    GuardrailService,
    GuardrailWatcher,
  ],
  exports: [CampaignGuardrailsService, GuardrailService, GuardrailWatcher],
})
export class GuardrailModule {}
