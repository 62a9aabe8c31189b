import { Module } from '@nestjs/common';
import { ApiKeyModule } from '../../access/api-key/api-key.module';
import { QuestionsModule } from '../../campaigns/questions/questions.module';
import { ResultsPageModule } from '../results-page/results-page.module';
import { PreviewLinkController } from './preview-link.controller';
import { PreviewPageController } from './preview-page.controller';

/** Pages that show what a campaign asks as a respondent sees it, and the links to them. */
@Module({
  imports: [ApiKeyModule, QuestionsModule, ResultsPageModule],
  controllers: [PreviewLinkController, PreviewPageController],
})
export class PreviewModule {}
