import { Module, OnModuleInit } from '@nestjs/common';
import { OperatorCommands } from '../operator/operator-commands.registry';
import { OperatorModule } from '../operator/operator.module';
import { BACKUP_COMMAND } from './backup.commands';

/** Lets the running service copy the embedded database, which it alone can open. */
@Module({ imports: [OperatorModule] })
export class BackupModule implements OnModuleInit {
  constructor(private readonly commands: OperatorCommands) {}

  onModuleInit(): void {
    this.commands.add(BACKUP_COMMAND);
  }
}
