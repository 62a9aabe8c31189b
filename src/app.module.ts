import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ApiKeyModule } from './api-key/api-key.module';
import { ARCHIVE_COMMAND } from './archive/archive.commands';
import { BACKUP_COMMAND } from './backup/backup.commands';
import { CampaignModule } from './campaign/campaign.module';
import { CampaignDocumentModule } from './campaign-document/campaign-document.module';
import { CampaignLifeModule } from './campaign-life/campaign-life.module';
import { CohortRewardsModule } from './cohort-rewards/cohort-rewards.module';
import { CompanyModule } from './company/company.module';
import { ConfigModule } from './config/config.module';
import { Env } from './config/env';
import { DatabaseModule } from './database/database.module';
import { FeedModule } from './feed/feed.module';
import { FieldingModule } from './fielding/fielding.module';
import { ForecastModule } from './forecast/forecast.module';
import { GuardrailModule } from './guardrail/guardrail.module';
import { HealthModule } from './health/health.module';
import { ErrorFilter } from './http/error.filter';
import { UndeclaredQueryGuard } from './validation/undeclared-query.guard';
import { RequestValidationPipe } from './validation/validation.pipe';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { LedgerModule } from './ledger/ledger.module';
import { RECONCILE_COMMAND } from './ledger/reconcile.commands';
import { MetricsModule } from './metrics/metrics.module';
import { OperatorModule } from './operator/operator.module';
import { PLATFORM_KEY_COMMAND } from './platform-key/platform-key.commands';
import { PlatformKeyModule } from './platform-key/platform-key.module';
import { QuestionsModule } from './questions/questions.module';
import { RateLimitModule } from './rate-limit/rate-limit.module';
import { ResponsesModule } from './responses/responses.module';
import { ResultsModule } from './results/results.module';
import { ResultsPageModule } from './results-page/results-page.module';
import { SchedulingModule } from './scheduling/scheduling.module';
import { SimulationModule } from './simulation/simulation.module';
import { WebhookModule } from './webhook/webhook.module';

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
        CampaignModule,
        QuestionsModule,
        CohortRewardsModule,
        CampaignDocumentModule,
        CampaignLifeModule,
        FieldingModule,
        ResponsesModule,
        ResultsModule,
        ResultsPageModule,
        LedgerModule,
        GuardrailModule,
        ForecastModule,
        SimulationModule,
        FeedModule,
        WebhookModule,
        IdempotencyModule,
        HealthModule,
        OperatorModule.forRoot(
          ARCHIVE_COMMAND,
          BACKUP_COMMAND,
          PLATFORM_KEY_COMMAND,
          RECONCILE_COMMAND,
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
