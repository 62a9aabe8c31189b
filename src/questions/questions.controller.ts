import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-reads.dto';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
import { PageQueryDto } from '../http/page.dto';
import {
  CampaignQuestionsDto,
  QuestionHistoryDto,
  StoredQuestionSetDto,
} from './questions-reads.dto';
import { QuestionSetDto, SetQuestionsDto } from './questions.dto';
import { QuestionsService } from './questions.service';

@ApiTags('Questions')
@Controller('svc')
export class QuestionsController {
  constructor(private readonly questions: QuestionsService) {}

  /**
   * Set a survey's questions
   *
   * @remarks Sending questions again replaces them; the campaign stays started or stopped as it is.
   */
  @Post('survey/questions')
  @ApiKeyAuth('campaigns:write')
  @Answers(QuestionSetDto, {
    errors: ['campaign_not_found', 'campaign_not_owned', 'wrong_campaign_type', 'questions_fixed'],
  })
  async setSurveyQuestions(
    @CompanyId() companyId: string,
    @Body() request: SetQuestionsDto,
  ): Promise<Envelope<QuestionSetDto>> {
    const set = await this.questions.replace(companyId, 'survey', request);
    return success('Survey questions stored.', QuestionSetDto.from(set, request.post_id, 'survey'));
  }

  /**
   * Set an advertisement's feedback questions
   *
   * @remarks Only for an advertisement that was created with `has_feedback` true. Sending questions again
   * replaces them.
   */
  @Post('advertisement/questions')
  @ApiKeyAuth('campaigns:write')
  @Answers(QuestionSetDto, {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'wrong_campaign_type',
      'feedback_not_enabled',
    ],
  })
  async setAdvertisementQuestions(
    @CompanyId() companyId: string,
    @Body() request: SetQuestionsDto,
  ): Promise<Envelope<QuestionSetDto>> {
    const set = await this.questions.replace(companyId, 'advertisement', request);
    return success(
      'Feedback questions stored.',
      QuestionSetDto.from(set, request.post_id, 'advertisement'),
    );
  }

  /**
   * Read a campaign's questions
   *
   * @remarks The current set; for an image survey, its content.
   */
  @Get('campaign/:post_id/questions')
  @ApiKeyAuth('campaigns:read')
  @Answers(CampaignQuestionsDto, {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuestions(
    @CompanyId() companyId: string,
    @Param() { post_id }: CampaignPathDto,
  ): Promise<Envelope<CampaignQuestionsDto>> {
    const { campaign, set } = await this.questions.current(companyId, post_id);
    return success('Questions found.', CampaignQuestionsDto.of(campaign, set));
  }

  /**
   * Read the history of a campaign's questions
   *
   * @remarks Every set that was ever stored, newest first: replacing questions loses nothing.
   */
  @Get('campaign/:post_id/questions/history')
  @ApiKeyAuth('campaigns:read')
  @Answers(QuestionHistoryDto, {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuestionHistory(
    @CompanyId() companyId: string,
    @Param() { post_id }: CampaignPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<QuestionHistoryDto>> {
    const { campaign, sets, nextCursor } = await this.questions.history(companyId, post_id, page);
    return success('Question history found.', {
      items: sets.map((set) => StoredQuestionSetDto.of(campaign, set)),
      next_cursor: nextCursor,
    });
  }
}
