import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { Caller, Principal } from '../../platform/caller/principal';
import { Heavy } from '../../platform/limits/heavy-requests';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { WavesDto, WavesQueryDto } from './waves.dto';
import { WavesService } from './waves.service';

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class WavesController {
  constructor(private readonly waves: WavesService) {}

  /**
   * Compare the results of two campaigns
   *
   * @remarks The questions that both ask by the same key and type, side by side: shares and means of
   * each, and how they differ, with the 95 % interval of the difference. Both count their current
   * questions.
   */
  @Get(':post_id/results/waves')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @RespondsWith(WavesDto, 'The results of both campaigns.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async compareWaves(
    @Caller() { callerId: companyId }: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() query: WavesQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<WavesDto>> {
    const waves = await this.waves.read(companyId, post_id, query, goneSignal(reply));
    return success('Waves compared.', waves);
  }
}
