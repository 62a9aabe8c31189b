import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent';
import { CreateCampaignDto } from './campaign.dto';
import { CampaignService } from './campaign.service';
import type { ImageSurveyFormat } from './campaign-type';
import type { ImageSurvey } from './image-survey';
import {
  completeScale,
  CreateBinaryDto,
  CreatedImageSurveyDto,
  CreateImageSliderDto,
  CreateRoundRobinDto,
  toImageSurvey,
} from './image-survey.dto';

@ApiTags('Image surveys')
@Controller('svc/image-survey')
export class ImageSurveyController {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Create a round-robin image survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent compares
   * every pair of the images.
   */
  @Post('round-robin')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto, { etag: true })
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
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto, { etag: true })
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
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto, { etag: true })
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
    const campaign = await this.campaigns.createImageSurvey(caller, survey, format, content);
    reply.header('etag', etagOf(campaign.version));
    return success('Image survey created.', CreatedImageSurveyDto.create(campaign, content));
  }
}
