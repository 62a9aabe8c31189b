import { Module } from '@nestjs/common';
import { CredentialKeysModule } from '../credential-keys/credential-keys.module';
import { PlatformGuard } from './platform-key.guard';

@Module({
  imports: [CredentialKeysModule],
  providers: [PlatformGuard],
  exports: [CredentialKeysModule, PlatformGuard],
})
export class PlatformKeyModule {}
