import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SPENDING_ERROR_CODES } from '../../access/api-key/spending.errors';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, KIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { CreateSurveyDto } from './campaign.dto';
import { CreatedSurveyDto } from './campaign-state.dto';
import { CampaignService } from './campaign.service';

@ApiTags('Surveys')
@Controller('svc/survey')
export class SurveyController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Create a survey campaign
   *
   * @remarks The campaign is created stopped, with cohort rewards computed from `reward_amount`: 100,
   * 80, 60 and 40 percent for cohorts 5 to 2, and 3 for cohort 1. Next, set its questions and start it.
   */
  @Post('create')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(256 * KIB)
  @RespondsWith(CreatedSurveyDto, 'The survey campaign, not yet started.', {
    etag: true,
    errors: ['ends_before_start', ...SPENDING_ERROR_CODES],
  })
  async createSurvey(
    @Caller() caller: Principal,
    @Body() survey: CreateSurveyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedSurveyDto>> {
    const campaign = await this.campaigns.create(caller, survey, {
      type: 'survey',
      format: 'questionnaire',
    });
    reply.header('etag', etagOf(campaign.version));
    return success('Survey campaign created.', CreatedSurveyDto.from(campaign));
  }
}
