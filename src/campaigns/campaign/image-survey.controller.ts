import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SPENDING_ERROR_CODES } from '../../access/api-key/spending.errors';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { CreateCampaignDto } from './campaign.dto';
import { CampaignService } from './campaign.service';
import type { ImageSurveyFormat } from './campaign.types';
import type { ImageSurvey } from './image-survey.rules';
import {
  completeScale,
  CreateBinaryDto,
  CreatedImageSurveyDto,
  CreateImageSliderDto,
  CreateRoundRobinDto,
  toImageSurvey,
} from './image-survey.dto';

const MESSAGES: Readonly<Record<ImageSurveyFormat, string>> = {
  round_robin: 'Round-robin survey created.',
  binary: 'Binary survey created.',
  image_slider: 'Image slider survey created.',
};

/** What the three routes have in common. */
const CREATED = { etag: true, errors: ['ends_before_start', ...SPENDING_ERROR_CODES] } as const;

@ApiTags('Image surveys')
@Controller('svc/image-survey')
export class ImageSurveyController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Create a round-robin image survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent compares
   * every pair of the images.
   */
  @Post('round-robin')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(CreatedImageSurveyDto, 'The round-robin survey, not yet started.', CREATED)
  async createRoundRobinSurvey(
    @Caller() caller: Principal,
    @Body() survey: CreateRoundRobinDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    return this.create(reply, caller, survey, 'round_robin', toImageSurvey(survey));
  }

  /**
   * Create a binary image survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent picks one of
   * two images.
   */
  @Post('binary')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(CreatedImageSurveyDto, 'The binary survey, not yet started.', CREATED)
  async createBinarySurvey(
    @Caller() caller: Principal,
    @Body() survey: CreateBinaryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    return this.create(reply, caller, survey, 'binary', toImageSurvey(survey));
  }

  /**
   * Create an image slider survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent rates every
   * image on the scale.
   */
  @Post('slider')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(2 * MIB)
  @RespondsWith(CreatedImageSurveyDto, 'The slider survey, not yet started.', CREATED)
  async createImageSliderSurvey(
    @Caller() caller: Principal,
    @Body() survey: CreateImageSliderDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    const content = toImageSurvey({ ...survey, scale: completeScale(survey.scale) });
    return this.create(reply, caller, survey, 'image_slider', content);
  }

  private async create(
    reply: FastifyReply,
    caller: Principal,
    survey: CreateCampaignDto,
    format: ImageSurveyFormat,
    content: ImageSurvey,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    const kind = { type: 'survey', format, imageSurvey: content } as const;
    const campaign = await this.campaigns.create(caller, survey, kind);
    reply.header('etag', etagOf(campaign.version));
    return success(MESSAGES[format], CreatedImageSurveyDto.create(campaign, content));
  }
}
