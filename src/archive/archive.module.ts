import { Module, OnModuleInit } from '@nestjs/common';
import { OperatorCommands } from '../operator/operator-commands.registry';
import { OperatorModule } from '../operator/operator.module';
import { ARCHIVE_COMMAND } from './archive.commands';

/** Lets the running service archive, which alone can open the embedded database. */
@Module({ imports: [OperatorModule] })
export class ArchiveModule implements OnModuleInit {
  constructor(private readonly commands: OperatorCommands) {}

  onModuleInit(): void {
    this.commands.add(ARCHIVE_COMMAND);
  }
}
