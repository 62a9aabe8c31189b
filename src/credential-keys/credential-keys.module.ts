import { Module } from '@nestjs/common';
import { CredentialKeysService } from './credential-keys.service';
import { KeyCache } from './key-cache';
import { KeyChangesListener } from './key-changes.listener';
import { KeyUsageService } from './key-usage.service';

@Module({
  providers: [CredentialKeysService, KeyCache, KeyChangesListener, KeyUsageService],
  exports: [CredentialKeysService],
})
export class CredentialKeysModule {}
