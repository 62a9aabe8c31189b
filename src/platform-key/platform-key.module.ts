import { Module } from '@nestjs/common';
import { CredentialKeysModule } from '../credential-keys/credential-keys.module';
import { OperatorSocket } from './operator-socket.service';
import { PlatformGuard } from './platform-key.guard';

@Module({
  imports: [CredentialKeysModule],
  providers: [OperatorSocket, PlatformGuard],
  exports: [CredentialKeysModule, PlatformGuard],
})
export class PlatformKeyModule {}
