import { Module } from '@nestjs/common';
import { ApprovalModule } from '../approval/approval.module';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { EventModule } from '../../platform/event/event.module';
import { CampaignModule } from '../campaign/campaign.module';
import { Audiences } from './audiences.service';
import { RefusedBegins } from './refused-begins.service';
import { TargetingController } from './targeting.controller';
import { TargetingRules } from './targeting-rules.service';
import { TargetingService } from './targeting.service';

/** Whom campaigns ask: attributes, screening and quotas. */
@Module({
  imports: [ApprovalModule, ApiKeyModule, CampaignModule, EventModule],
  controllers: [TargetingController],
  providers: [Audiences, RefusedBegins, TargetingRules, TargetingService],
  exports: [RefusedBegins, TargetingRules, TargetingService],
})
export class TargetingModule {}
