import { Module, OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../api-key/api-key.module';
import { OperatorCommands } from '../operator/operator-commands.registry';
import { OperatorModule } from '../operator/operator.module';
import { LedgerController } from './ledger.controller';
import { LedgerWatch } from './ledger-watch.service';
import { LedgerService } from './ledger.service';
import { RECONCILE_COMMAND } from './reconcile.commands';
import { ReconciliationService } from './reconciliation.service';
import { Transfer } from './transfer.entity';

@Module({
  imports: [TypeOrmModule.forFeature([Transfer]), ApiKeyModule, OperatorModule],
  controllers: [LedgerController],
  providers: [LedgerService, LedgerWatch, ReconciliationService],
})
export class LedgerModule implements OnModuleInit {
  constructor(private readonly commands: OperatorCommands) {}

  onModuleInit(): void {
    this.commands.add(RECONCILE_COMMAND);
  }
}
