import { DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ApiKeyModule } from './api-key/api-key.module';
import { CampaignModule } from './campaign/campaign.module';
import { CampaignDocumentModule } from './campaign-document/campaign-document.module';
import { CohortRewardsModule } from './cohort-rewards/cohort-rewards.module';
import { CompanyModule } from './company/company.module';
import { ConfigModule } from './config/config.module';
import { Env } from './config/env';
import { DatabaseModule } from './database/database.module';
import { HealthModule } from './health/health.module';
import { ErrorFilter } from './http/error.filter';
import { RequestValidationPipe } from './http/validation.pipe';
import { IdempotencyModule } from './idempotency/idempotency.module';
import { MetricsModule } from './metrics/metrics.module';
import { QuestionsModule } from './questions/questions.module';
import { RateLimitModule } from './rate-limit/rate-limit.module';

/**
 * The features, and the whole global pipeline: a request passes its route's guard, the validation
 * pipe, the look for an idempotency key, the handler; errors leave by the filter.
 */
@Module({})
export class AppModule {
  static forRoot(env: Env, dataSource: DataSource): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(env),
        DatabaseModule.forRoot(dataSource),
        RateLimitModule,
        MetricsModule,
        CompanyModule,
        ApiKeyModule,
        CampaignModule,
        QuestionsModule,
        CohortRewardsModule,
        CampaignDocumentModule,
        IdempotencyModule,
        HealthModule,
      ],
      providers: [
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
