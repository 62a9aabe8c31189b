import 'reflect-metadata';
import { Controller, Get, Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from './api-key.guard';
import { CampaignsController } from './campaigns.controller';
import { CampaignsService } from './campaigns.service';
import { ApiKey, Campaign, CampaignProgress, QuestionSet } from './entities';
import { RefusalFilter, validationFailed } from './refusal';

/*
 * What a team would write on its first day, following the documentation of Nest and TypeORM:
 * Express, repositories, `findOne` then `save`, transactions.
 */

const entities = [ApiKey, Campaign, CampaignProgress, QuestionSet];

@Controller('health')
class HealthController {
  @Get('ready')
  ready() {
    return { success: true, message: 'Ready.', data: {} };
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      entities,
      poolSize: 10,
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [CampaignsController, HealthController],
  providers: [CampaignsService, ApiKeyGuard],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  app.useGlobalPipes(
    new ValidationPipe({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      exceptionFactory: validationFailed,
    }),
  );
  app.useGlobalFilters(new RefusalFilter());
  app.enableShutdownHooks();
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exitCode = 1;
});
