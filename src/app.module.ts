import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ApiKeyModule } from './access/api-key/api-key.module';
import { ARCHIVE_COMMAND } from './operations/archive/archive.commands';
import { ApprovalModule } from './campaigns/approval/approval.module';
import { BalanceModule } from './campaigns/balance/balance.module';
import { BALANCE_COMMAND } from './campaigns/balance/balance.commands';
import { BACKUP_COMMAND } from './operations/backup/backup.commands';
import { CampaignModule } from './campaigns/campaign/campaign.module';
import { CampaignDocumentModule } from './campaigns/document/campaign-document.module';
import { CampaignLifeModule } from './campaigns/life/campaign-life.module';
import { CohortRewardsModule } from './campaigns/cohort-rewards/cohort-rewards.module';
import { CompanyModule } from './access/company/company.module';
import { ConfigModule } from './platform/config/config.module';
import { Env } from './platform/config/env';
import { DatabaseModule } from './platform/database/database.module';
import { FeedModule } from './delivery/feed/feed.module';
import { BonusModule } from './fielding/bonus/bonus.module';
import { DisputeModule } from './fielding/dispute/dispute.module';
import { FieldingModule } from './fielding/participations/fielding.module';
import { ForecastModule } from './insight/forecast/forecast.module';
import { GuardrailModule } from './campaigns/guardrail/guardrail.module';
import { HealthModule } from './platform/health/health.module';
import { ErrorFilter } from './platform/protocol/error.filter';
import { UndeclaredQueryGuard } from './platform/validation/undeclared-query.guard';
import { RequestValidationPipe } from './platform/validation/validation.pipe';
import { IdempotencyModule } from './platform/idempotency/idempotency.module';
import { LedgerModule } from './insight/ledger/ledger.module';
import { RECONCILE_COMMAND } from './insight/ledger/reconcile.commands';
import { McpModule } from './delivery/mcp/mcp.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import { OperatorModule } from './platform/operator/operator.module';
import { PLATFORM_KEY_COMMAND } from './access/platform-key/platform-key.commands';
import { PlatformKeyModule } from './access/platform-key/platform-key.module';
import { QuestionsModule } from './campaigns/questions/questions.module';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module';
import { ResponsesModule } from './insight/responses/responses.module';
import { CrosstabModule } from './insight/crosstab/crosstab.module';
import { WavesModule } from './insight/waves/waves.module';
import { PlatformScoresModule } from './insight/platform-scores/platform-scores.module';
import { ResultsModule } from './insight/results/results.module';
import { PreviewModule } from './insight/preview/preview.module';
import { ResultsPageModule } from './insight/results-page/results-page.module';
import { SchedulingModule } from './platform/scheduling/scheduling.module';
import { SETTLEMENT_COMMAND } from './operations/settlement/settlement.commands';
import { SettlementModule } from './operations/settlement/settlement.module';
import { SimulationModule } from './insight/simulation/simulation.module';
import { TargetingModule } from './campaigns/targeting/targeting.module';
import { WebhookModule } from './delivery/webhook/webhook.module';
import { ApiKey } from './access/api-key/api-key.entity';
import { Campaign } from './campaigns/campaign/campaign.entity';
import { Company } from './access/company/company.entity';
import { Event } from './platform/event/event.entity';
import { Participation } from './fielding/participations/participation.entity';
import { SealedKey } from './fielding/participations/sealed-key.entity';
import { Guardrail } from './campaigns/guardrail/guardrail.entity';
import { Transfer } from './insight/ledger/transfer.entity';
import { PlatformKey } from './access/platform-key/platform-key.entity';
import { QuestionSet } from './campaigns/questions/question-set.entity';
import { ResultsLink } from './insight/results-page/results-link.entity';
import { Settlement } from './operations/settlement/settlement.entity';
import { WebhookEndpoint } from './delivery/webhook/webhook-endpoint.entity';

/** The entities of every table whose rows the code reads as objects. */
export const entities = [
  Company,
  ApiKey,
  PlatformKey,
  Campaign,
  QuestionSet,
  Participation,
  Transfer,
  ResultsLink,
  Guardrail,
  SealedKey,
  Event,
  WebhookEndpoint,
  Settlement,
];

/**
 * Every feature, and what applies to all handlers: the guard and the pipe that validate requests,
 * and the error filter. `pipeline.ts` lists the steps that run before them.
 */
@Module({})
export class AppModule {
  static forRoot(env: Env, dataSource: DataSource): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot(dataSource),
        SchedulingModule,
        RateLimitModule,
        MetricsModule,
        CompanyModule,
        ApiKeyModule,
        PlatformKeyModule,
        ApprovalModule,
        CampaignModule,
        BalanceModule,
        QuestionsModule,
        CohortRewardsModule,
        TargetingModule,
        CampaignDocumentModule,
        CampaignLifeModule,
        FieldingModule,
        BonusModule,
        DisputeModule,
        ResponsesModule,
        CrosstabModule,
        WavesModule,
        PlatformScoresModule,
        ResultsModule,
        ResultsPageModule,
        PreviewModule,
        LedgerModule,
        SettlementModule,
        GuardrailModule,
        ForecastModule,
        SimulationModule,
        FeedModule,
        WebhookModule,
        McpModule,
        IdempotencyModule,
        HealthModule,
        OperatorModule.forRoot(
          ARCHIVE_COMMAND,
          BACKUP_COMMAND,
          BALANCE_COMMAND,
          PLATFORM_KEY_COMMAND,
          RECONCILE_COMMAND,
          SETTLEMENT_COMMAND,
        ),
      ],
      providers: [
        { provide: APP_GUARD, useClass: UndeclaredQueryGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
