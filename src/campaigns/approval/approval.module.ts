import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CompanyModule } from '../../access/company/company.module';
import { EventModule } from '../../platform/event/event.module';
import { ApprovalController } from './approval.controller';
import { ApprovalExpiry } from './approval-expiry.service';
import { ApprovalGate } from './approval-gate.service';
import { ApprovalsService } from './approvals.service';

/** Requests of API keys that wait for their account. Controllers take {@link ApprovalGate}. */
@Module({
  imports: [ApiKeyModule, CompanyModule, EventModule],
  controllers: [ApprovalController],
  providers: [ApprovalExpiry, ApprovalGate, ApprovalsService],
  exports: [ApprovalGate, ApprovalsService],
})
export class ApprovalModule {}
