import { Module } from '@nestjs/common';
import { ApprovalModule } from '../approval/approval.module';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { GuardrailModule } from '../guardrail/guardrail.module';
import { TargetingModule } from '../targeting/targeting.module';
import { QuestionsModule } from '../questions/questions.module';
import { CampaignDocumentController } from './campaign-document.controller';
import { CampaignDocumentService } from './campaign-document.service';

@Module({
  imports: [
    ApprovalModule,
    ApiKeyModule,
    CampaignModule,
    GuardrailModule,
    QuestionsModule,
    TargetingModule,
  ],
  controllers: [CampaignDocumentController],
  providers: [CampaignDocumentService],
  exports: [CampaignDocumentService],
})
export class CampaignDocumentModule {}
