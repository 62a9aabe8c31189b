import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../../campaigns/campaign/campaign-read.dto';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { goneSignal } from '../../platform/protocol/when-closed';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { QUESTION_RESULT_DTOS } from './question-results.dto';
import { ResultsDto, ResultsQueryDto } from './results.dto';
import { ResultsService } from './results.service';

@ApiTags('Campaign responses')
@ApiExtraModels(...Object.values(QUESTION_RESULT_DTOS))
@Controller('svc/campaign')
export class ResultsController {
  constructor(private readonly results: ResultsService) {}

  /**
   * Read the results of a campaign
   *
   * @remarks What its responses add up to: shares, means and strengths with 95 % intervals, cohorts,
   * money and times. Reversed and erased responses are not counted. The counts are exact up to the event
   * `as_of_seq`, and cost the same for ten responses and for a million.
   */
  @Get(':post_id/results')
  @Heavy()
  @ApiKeyAuth('responses:read')
  @RespondsWith(ResultsDto, 'The results of the campaign.', {
    input: 'parameters',
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'question_set_not_found',
      'quota_not_found',
      'margins_not_possible',
    ],
  })
  async getCampaignResults(
    @Caller() { callerId: companyId }: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() query: ResultsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<ResultsDto>> {
    const results = await this.results.read(companyId, post_id, query, goneSignal(reply));
    return success('Results counted.', results);
  }
}
