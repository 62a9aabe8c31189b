import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../api-key/api-key.module';
import { AdvertisementController } from './advertisement.controller';
import { CampaignController } from './campaign.controller';
import { Campaign } from './campaign.entity';
import { CampaignService } from './campaign.service';
import { SurveyController } from './survey.controller';

@Module({
  imports: [TypeOrmModule.forFeature([Campaign]), ApiKeyModule],
  controllers: [SurveyController, AdvertisementController, CampaignController],
  providers: [CampaignService],
  exports: [CampaignService],
})
export class CampaignModule {}
