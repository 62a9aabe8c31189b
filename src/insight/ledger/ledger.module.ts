import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { LedgerController } from './ledger.controller';
import { LedgerExportController } from './ledger-export.controller';
import { LedgerExportService } from './ledger-export.service';
import { LedgerWatch } from './ledger-watch.service';
import { LedgerService } from './ledger.service';
import { ReconciliationService } from './reconciliation.service';
import { Transfer } from './transfer.entity';

@Module({
  imports: [TypeOrmModule.forFeature([Transfer]), ApiKeyModule, CampaignModule],
  controllers: [LedgerController, LedgerExportController],
  providers: [LedgerExportService, LedgerService, LedgerWatch, ReconciliationService],
})
export class LedgerModule {}
