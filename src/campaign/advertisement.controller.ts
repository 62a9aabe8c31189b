import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent';
import { CreateAdvertisementDto, CreatedAdvertisementDto } from './campaign.dto';
import { CampaignService } from './campaign.service';

@ApiTags('Advertisements')
@Controller('svc/advertisement')
export class AdvertisementController {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Create an advertisement campaign
   *
   * @remarks Like a survey, with a video. With `has_feedback` true it can be given feedback questions.
   */
  @Post('create')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(CreatedAdvertisementDto, { etag: true })
  async createAdvertisement(
    @Caller() caller: Principal,
    @Body() advertisement: CreateAdvertisementDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedAdvertisementDto>> {
    const campaign = await this.campaigns.createAdvertisement(caller, advertisement);
    reply.header('etag', etagOf(campaign.version));
    return success('Advertisement campaign created.', CreatedAdvertisementDto.from(campaign));
  }
}
