import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { FieldingModule } from '../fielding/fielding.module';
import { Participation } from '../fielding/participation.entity';
import { ResponsesController } from './responses.controller';
import { ResponsesService } from './responses.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([Participation]),
    ApiKeyModule,
    CampaignModule,
    FieldingModule,
  ],
  controllers: [ResponsesController],
  providers: [ResponsesService],
})
export class ResponsesModule {}
