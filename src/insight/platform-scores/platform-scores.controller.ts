import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { Caller, Principal } from '../../platform/caller/principal';
import { Heavy } from '../../platform/limits/heavy-requests';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { PlatformScoresListDto } from './platform-scores.dto';
import { PlatformScoresService } from './platform-scores.service';

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class PlatformScoresController {
  constructor(private readonly scores: PlatformScoresService) {}

  /**
   * Compare the scores of platforms
   *
   * @remarks What the attention scores of each platform are worth: how they go with what the platform
   * does not control, by how much they differ from those of the others beyond that, and what a careful
   * response costs. Reversed and erased responses are not counted.
   */
  @Get(':post_id/results/platforms')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @RespondsWith(PlatformScoresListDto, 'The platforms of the campaign.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getPlatformScores(
    @Caller() { callerId: companyId }: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<PlatformScoresListDto>> {
    const scores = await this.scores.read(companyId, post_id, goneSignal(reply));
    return success('Platforms compared.', scores);
  }
}
