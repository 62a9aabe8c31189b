import { Module } from '@nestjs/common';
import { EventModule } from '../../platform/event/event.module';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../../campaigns/campaign/campaign.module';
import { FieldingModule } from '../../fielding/participations/fielding.module';
import { Participation } from '../../fielding/participations/participation.entity';
import { ExportController } from './export.controller';
import { ExportService } from './export.service';
import { ResponsesController } from './responses.controller';
import { ResponsesService } from './responses.service';
import { TypedTextsService } from './typed-texts.service';

@Module({
  imports: [
    EventModule,
    TypeOrmModule.forFeature([Participation]),
    ApiKeyModule,
    CampaignModule,
    FieldingModule,
  ],
  controllers: [ResponsesController, ExportController],
  providers: [ResponsesService, ExportService, TypedTextsService],
  exports: [TypedTextsService],
})
export class ResponsesModule {}
