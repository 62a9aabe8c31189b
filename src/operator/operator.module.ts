import { Module } from '@nestjs/common';
import { OperatorCommands } from './operator-commands.registry';
import { OperatorSocket } from './operator-socket.service';

@Module({ providers: [OperatorCommands, OperatorSocket], exports: [OperatorCommands] })
export class OperatorModule {}
