import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-reads.dto';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { PageQueryDto } from '../http/page.dto';
import { Idempotent } from '../idempotency/idempotent';
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
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(QuestionSetDto, {
    etag: true,
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'wrong_campaign_type',
      'questions_fixed',
    ],
  })
  async setSurveyQuestions(
    @Caller() caller: Principal,
    @Body() request: SetQuestionsDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<QuestionSetDto>> {
    const set = await this.questions.replace(caller, 'survey', request, expected);
    reply.header('etag', etagOf(set.campaignVersion));
    return success('Survey questions stored.', QuestionSetDto.from(set, request.post_id, 'survey'));
  }

  /**
   * Set an advertisement's feedback questions
   *
   * @remarks Only for an advertisement that was created with `has_feedback` true. Sending questions again
   * replaces them.
   */
  @Post('advertisement/questions')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(QuestionSetDto, {
    etag: true,
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'wrong_campaign_type',
      'feedback_not_enabled',
    ],
  })
  async setAdvertisementQuestions(
    @Caller() caller: Principal,
    @Body() request: SetQuestionsDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<QuestionSetDto>> {
    const set = await this.questions.replace(caller, 'advertisement', request, expected);
    reply.header('etag', etagOf(set.campaignVersion));
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
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuestions(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignQuestionsDto>> {
    const { campaign, set } = await this.questions.current(caller.companyId, post_id);
    reply.header('etag', etagOf(campaign.version));
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
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<QuestionHistoryDto>> {
    const { campaign, sets } = await this.questions.history(caller.companyId, post_id, page);
    return success('Question history found.', {
      items: sets.items.map((set) => StoredQuestionSetDto.of(campaign, set)),
      next_cursor: sets.nextCursor,
    });
  }
}
