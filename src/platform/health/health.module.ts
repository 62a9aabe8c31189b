import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { DatabaseSize } from './database-size.service';
import { HealthService } from './health.service';

@Module({ controllers: [HealthController], providers: [DatabaseSize, HealthService] })
export class HealthModule {}
