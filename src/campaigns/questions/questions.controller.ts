import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-read.dto';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { CampaignQuestionsDto, QuestionHistoryDto } from './questions-read.dto';
import { QuestionSetDto, SetQuestionsDto } from './questions.dto';
import { MultipleChoiceOptionDto, OptionDto, SingleChoiceOptionDto } from './option.dto';
import { QUESTION_DTOS } from './question.dto';
import { QuestionTranslationDto } from './question-set.dto';
import { ConditionGroupDto, QuestionConditionDto } from './show-if.dto';
import { QuestionHistoryService } from './question-history.service';
import { QuestionsService } from './questions.service';

// Other schemas only refer to them.
@ApiExtraModels(
  ...Object.values(QUESTION_DTOS),
  OptionDto,
  SingleChoiceOptionDto,
  MultipleChoiceOptionDto,
  QuestionTranslationDto,
  QuestionConditionDto,
  ConditionGroupDto,
)
@ApiTags('Questions')
@Controller('svc')
export class QuestionsController {
  constructor(
    private readonly questions: QuestionsService,
    private readonly histories: QuestionHistoryService,
  ) {}

  /**
   * Set a survey's questions
   *
   * @remarks Replaces the current questions, if there are any. The campaign stays started or stopped.
   */
  @Post('survey/questions')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(QuestionSetDto, 'The question set of the survey.', {
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
   * @remarks Only for an advertisement that was created with `has_feedback` true. Replaces the current
   * questions, if there are any.
   */
  @Post('advertisement/questions')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(QuestionSetDto, 'The feedback questions of the advertisement.', {
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
   * @remarks The current question set; for an image survey, its question and images.
   */
  @Get('campaign/:post_id/questions')
  @Heavy()
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CampaignQuestionsDto, 'The current questions.', {
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuestions(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignQuestionsDto>> {
    const { campaign, set } = await this.questions.current(caller.callerId, post_id);
    reply.header('etag', etagOf(campaign.version));
    return success('Questions found.', CampaignQuestionsDto.of(campaign, set));
  }

  /**
   * Read the history of a campaign's questions
   *
   * @remarks Every question set that was ever stored, newest first.
   */
  @Get('campaign/:post_id/questions/history')
  @Heavy()
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(QuestionHistoryDto, 'A page of the question sets.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuestionHistory(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<QuestionHistoryDto>> {
    const sets = await this.histories.history(caller.callerId, post_id, page);
    return success('Question history found.', QuestionHistoryDto.from(sets));
  }
}
