import { Module } from '@nestjs/common';
import { CredentialKeysService } from './credential-keys.service';
import { KeyUsageService } from './key-usage.service';

@Module({
  providers: [CredentialKeysService, KeyUsageService],
  exports: [CredentialKeysService],
})
export class CredentialKeysModule {}
