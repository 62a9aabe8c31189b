import { DynamicModule, Module } from '@nestjs/common';
import { OPERATOR_COMMANDS, OperatorSocket } from './operator-socket.service';
import type { OperatorCommand } from './operator.types';

/** Lets the running service execute commands, because it alone can open the embedded database. */
@Module({})
export class OperatorModule {
  static forRoot(...commands: OperatorCommand[]): DynamicModule {
    const provided = { provide: OPERATOR_COMMANDS, useValue: commands };
    return { module: OperatorModule, providers: [provided, OperatorSocket] };
  }
}
