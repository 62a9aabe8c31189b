import { Module, OnModuleInit } from '@nestjs/common';
import { CredentialKeysModule } from '../credential-keys/credential-keys.module';
import { OperatorCommands } from '../operator/operator-commands.registry';
import { OperatorModule } from '../operator/operator.module';
import { PLATFORM_KEY_COMMAND } from './platform-key.commands';
import { PlatformGuard } from './platform-key.guard';

@Module({
  imports: [CredentialKeysModule, OperatorModule],
  providers: [PlatformGuard],
  exports: [CredentialKeysModule, PlatformGuard],
})
export class PlatformKeyModule implements OnModuleInit {
  constructor(private readonly commands: OperatorCommands) {}

  onModuleInit(): void {
    this.commands.add(PLATFORM_KEY_COMMAND);
  }
}
