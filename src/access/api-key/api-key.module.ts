import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventModule } from '../../platform/event/event.module';
import { CompanyModule } from '../company/company.module';
import { CredentialKeysModule } from '../credential-keys/credential-keys.module';
import { ApiKeyController } from './api-key.controller';
import { ApiKey } from './api-key.entity';
import { ApiKeyGuard } from './api-key.guard';
import { KeySpendingService } from './key-spending.service';
import { ApiKeyService } from './api-key.service';

@Module({
  imports: [TypeOrmModule.forFeature([ApiKey]), CompanyModule, CredentialKeysModule, EventModule],
  controllers: [ApiKeyController],
  providers: [ApiKeyService, KeySpendingService, ApiKeyGuard],
  exports: [CredentialKeysModule, ApiKeyGuard, ApiKeyService, KeySpendingService],
})
export class ApiKeyModule {}
