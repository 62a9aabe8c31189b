import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { Caller, Principal } from '../../platform/caller/principal';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { goneSignal } from '../../platform/protocol/when-closed';
import { CrosstabDto, CrosstabQueryDto } from './crosstab.dto';
import { CrosstabService } from './crosstab.service';

@ApiTags('Campaign responses')
@Controller('svc/campaign')
export class CrosstabController {
  constructor(private readonly crosstabs: CrosstabService) {}

  /**
   * Cross the answers to a question with others
   *
   * @remarks A table: how many in each column gave each answer, their share of the column with its
   * 95 % interval, and how it differs from the share of all others. Columns are compared with each
   * other by letters, as in market research. Probabilities are corrected over the table after Holm.
   * Columns of cohorts, quotas and versions, and those in `banners`, cost the same for ten responses
   * and for a million; any other table is counted from the stored answers.
   */
  @Get(':post_id/results/crosstab')
  @ApiKeyAuth('responses:read')
  @RespondsWith(CrosstabDto, 'The table.', {
    input: 'parameters',
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'question_set_not_found',
      'quota_not_found',
      'crosstab_not_possible',
    ],
  })
  async getCrosstab(
    @Caller() { callerId: companyId }: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() query: CrosstabQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CrosstabDto>> {
    const table = await this.crosstabs.read(companyId, post_id, query, goneSignal(reply));
    return success('Table counted.', table);
  }
}
