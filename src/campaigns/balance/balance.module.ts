import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { EventModule } from '../../platform/event/event.module';
import { AllotmentsService } from './allotments.service';
import { BalanceController } from './balance.controller';
import { BalanceMeasures } from './balance-measures.service';
import { BalanceService } from './balance.service';

/** What companies have paid in advance, and how their campaigns get it. */
@Module({
  imports: [ApiKeyModule, EventModule],
  controllers: [BalanceController],
  providers: [AllotmentsService, BalanceMeasures, BalanceService],
  exports: [AllotmentsService, BalanceService],
})
export class BalanceModule {}
