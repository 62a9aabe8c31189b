import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { CampaignModule } from '../campaign/campaign.module';
import { QuestionSet } from './question-set.entity';
import { QuestionsController } from './questions.controller';
import { QuestionHistoryService } from './question-history.service';
import { QuestionsService } from './questions.service';

@Module({
  imports: [TypeOrmModule.forFeature([QuestionSet]), ApiKeyModule, CampaignModule],
  controllers: [QuestionsController],
  providers: [QuestionsService, QuestionHistoryService],
  exports: [QuestionsService],
})
export class QuestionsModule {}
