import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { CompanyModule } from '../company/company.module';
import { ApiKeyController } from './api-key.controller';
import { ApiKey } from './api-key.entity';
import { ApiKeyGuard } from './api-key.guard';
import { ApiKeyService } from './api-key.service';
import { KeyCache } from './key-cache';
import { KeyChangesListener } from './key-changes.listener';
import { KeyUsageService } from './key-usage.service';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), CompanyModule, AuditModule],
  controllers: [ApiKeyController],
  providers: [ApiKeyService, ApiKeyGuard, KeyCache, KeyChangesListener, KeyUsageService],
  exports: [ApiKeyService, ApiKeyGuard],
})
export class ApiKeyModule {}
