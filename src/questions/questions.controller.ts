import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
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
    errors: ['campaign_not_found', 'campaign_not_owned', 'wrong_campaign_type'],
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
    return success('Feedback questions stored.', QuestionSetDto.from(set, request.post_id, 'ad'));
  }
}
