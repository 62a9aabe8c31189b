import { Module } from '@nestjs/common';
import { ApprovalModule } from '../approval/approval.module';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { EventModule } from '../../platform/event/event.module';
import { AdvertisementController } from './advertisement.controller';
import { CampaignController } from './campaign.controller';
import { Campaign } from './campaign.entity';
import { CampaignListService } from './campaign-list.service';
import { CampaignService } from './campaign.service';
import { DueCampaignsService } from './due-campaigns.service';
import { ImageSurveyController } from './image-survey.controller';
import { PostIds } from './post-ids.service';
import { SurveyController } from './survey.controller';

@Module({
  imports: [ApprovalModule, TypeOrmModule.forFeature([Campaign]), ApiKeyModule, EventModule],
  controllers: [
    SurveyController,
    AdvertisementController,
    ImageSurveyController,
    CampaignController,
  ],
  providers: [CampaignService, CampaignListService, DueCampaignsService, PostIds],
  exports: [CampaignService, DueCampaignsService, PostIds],
})
export class CampaignModule {}
