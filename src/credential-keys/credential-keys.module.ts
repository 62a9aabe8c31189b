import { Module } from '@nestjs/common';
import { CredentialKeysService } from './credential-keys.service';
import { KeyCache } from './key-cache';
import { KeyUsageService } from './key-usage.service';

@Module({
  providers: [CredentialKeysService, KeyCache, KeyUsageService],
  exports: [CredentialKeysService],
})
export class CredentialKeysModule {}
