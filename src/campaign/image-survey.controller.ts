import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
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
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto)
  async createRoundRobinSurvey(
    @CompanyId() companyId: string,
    @Body() survey: CreateRoundRobinDto,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    return this.create(companyId, survey, 'round_robin', toImageSurvey(survey));
  }

  /**
   * Create a binary image survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent picks one of
   * two images.
   */
  @Post('binary')
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto)
  async createBinarySurvey(
    @CompanyId() companyId: string,
    @Body() survey: CreateBinaryDto,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    return this.create(companyId, survey, 'binary', toImageSurvey(survey));
  }

  /**
   * Create an image slider survey
   *
   * @remarks One call creates the campaign, stopped, and its content. Each respondent rates every
   * image on the scale.
   */
  @Post('slider')
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedImageSurveyDto)
  async createImageSliderSurvey(
    @CompanyId() companyId: string,
    @Body() survey: CreateImageSliderDto,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    const content = toImageSurvey({ ...survey, scale: completeScale(survey.scale) });
    return this.create(companyId, survey, 'image_slider', content);
  }

  private async create(
    companyId: string,
    survey: CreateCampaignDto,
    format: ImageSurveyFormat,
    content: ImageSurvey,
  ): Promise<Envelope<CreatedImageSurveyDto>> {
    const campaign = await this.campaigns.createImageSurvey(companyId, survey, format, content);
    return success('Image survey created.', CreatedImageSurveyDto.create(campaign, content));
  }
}
