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
import { CreateAdvertisementDto } from './campaign.dto';
import { CreatedAdvertisementDto } from './campaign-state.dto';
import { CampaignService } from './campaign.service';

@ApiTags('Advertisements')
@Controller('svc/advertisement')
export class AdvertisementController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Create an advertisement campaign
   *
   * @remarks Like a survey, with a video. With `has_feedback` true it can have feedback questions.
   */
  @Post('create')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(256 * KIB)
  @RespondsWith(CreatedAdvertisementDto, 'The advertisement campaign, not yet started.', {
    etag: true,
    errors: ['ends_before_start', ...SPENDING_ERROR_CODES],
  })
  async createAdvertisement(
    @Caller() caller: Principal,
    @Body() advertisement: CreateAdvertisementDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CreatedAdvertisementDto>> {
    const campaign = await this.campaigns.create(caller, advertisement, {
      type: 'advertisement',
      hasFeedback: advertisement.has_feedback ?? false,
    });
    reply.header('etag', etagOf(campaign.version));
    return success('Advertisement campaign created.', CreatedAdvertisementDto.from(campaign));
  }
}
