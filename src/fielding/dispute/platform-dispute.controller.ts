import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { PlatformAuth } from '../../access/platform-key/platform-key.guard';
import { Caller, Principal } from '../../platform/caller/principal';
import { IdempotentInPhases } from '../../platform/idempotency/idempotent.decorator';
import type { Phases } from '../../platform/idempotency/phases.types';
import { Heavy } from '../../platform/limits/heavy-requests';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { CampaignOwners } from '../participations/campaign-owners.service';
import { DecideDisputeDto, DisputeDto, DisputeListQueryDto, DisputePageDto } from './dispute.dto';
import { DisputeLists } from './dispute-list.service';
import { DisputeService } from './dispute.service';

@ApiTags('Fielding')
@Controller('svc/fielding')
export class PlatformDisputeController {
  constructor(
    private readonly owners: CampaignOwners,
    private readonly disputes: DisputeService,
    private readonly lists: DisputeLists,
  ) {}

  /**
   * List disputes about your respondents
   *
   * @remarks Responses of your respondents that companies dispute, newest first. One that is `open` is
   * declined by itself at `lapses_at`.
   */
  @Get('disputes')
  @PlatformAuth('fielding:read')
  @RespondsWith(DisputePageDto, 'A page of the disputes.', { input: 'parameters' })
  async listFieldingDisputes(
    @Caller() caller: Principal,
    @Query() query: DisputeListQueryDto,
  ): Promise<Envelope<DisputePageDto>> {
    const page = await this.lists.ofPlatform(caller, query);
    return success('Disputes about your respondents listed.', DisputePageDto.from(page));
  }

  /**
   * Decide a dispute
   *
   * @remarks Accepts a dispute about your respondent, which reverses the participation for the reason of
   * the dispute, or declines it. To reverse the participation accepts its dispute too. Deciding again in
   * the same way returns the same result.
   */
  @Post('decide-dispute')
  @Heavy()
  @IdempotentInPhases()
  @PlatformAuth('fielding:write')
  @RespondsWith(DisputeDto, 'The dispute, with what became of it.', {
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'participation_not_found',
      'dispute_not_found',
      'dispute_closed',
    ],
  })
  decideDispute(
    @Caller() caller: Principal,
    @Body() request: DecideDisputeDto,
  ): Phases<void, DisputeDto, Envelope<DisputeDto>> {
    return {
      companyId: () => this.owners.companyOf(caller, request.post_id),
      work: async () => DisputeDto.from(await this.disputes.decide(caller, request)),
      respond: (decided) => success('Dispute decided.', decided),
    };
  }
}
