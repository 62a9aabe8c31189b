import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent';
import { CreatedSurveyDto, CreateSurveyDto } from './campaign.dto';
import { CampaignService } from './campaign.service';

@ApiTags('Surveys')
@Controller('svc/survey')
export class SurveyController {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Create a survey campaign
   *
   * @remarks The campaign is created stopped, with cohort rewards made from `reward_amount`: 100, 80, 60
   * and 40 percent for cohorts 5 to 2, and 3 for cohort 1. Add questions next, then toggle it live.
   */
  @Post('create')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedSurveyDto, { etag: true })
  async createSurvey(
    @Caller() caller: Principal,
    @Body() survey: CreateSurveyDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedSurveyDto>> {
    const campaign = await this.campaigns.createSurvey(caller, survey);
    reply.header('etag', etagOf(campaign.version));
    return success('Survey campaign created.', CreatedSurveyDto.from(campaign));
  }
}
