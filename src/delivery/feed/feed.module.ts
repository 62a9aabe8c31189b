import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { Event } from '../../platform/event/event.entity';
import { EventModule } from '../../platform/event/event.module';
import { FeedController } from './feed.controller';
import { FeedService } from './feed.service';

/** The routes of events. They need API keys, whose module needs histories, so they are apart. */
@Module({
  imports: [TypeOrmModule.forFeature([Event]), EventModule, ApiKeyModule, CampaignModule],
  controllers: [FeedController],
  providers: [FeedService],
})
export class FeedModule {}
