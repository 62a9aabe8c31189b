import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { FieldingModule } from '../fielding/fielding.module';
import { Participation } from '../fielding/participation.entity';
import { ExportController } from './export.controller';
import { ExportService } from './export.service';
import { ResponsesController } from './responses.controller';
import { ResponsesService } from './responses.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([Participation]),
    ApiKeyModule,
    CampaignModule,
    FieldingModule,
  ],
  controllers: [ResponsesController, ExportController],
  providers: [ResponsesService, ExportService],
})
export class ResponsesModule {}
