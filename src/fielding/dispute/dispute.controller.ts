import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { Caller, Principal } from '../../platform/caller/principal';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { DisputeDto, DisputeListQueryDto, DisputePageDto, OpenDisputeDto } from './dispute.dto';
import { DisputeLists } from './dispute-list.service';
import { DisputeService } from './dispute.service';

@ApiTags('Campaign responses')
@Controller('svc/response')
export class DisputeController {
  constructor(
    private readonly disputes: DisputeService,
    private readonly lists: DisputeLists,
  ) {}

  /**
   * Dispute a response
   *
   * @remarks Asks the respondent's platform to take the reward of a submitted response back, within the
   * `review_days` of its campaign. The platform accepts it, which reverses the response, or declines it;
   * after 14 days without a decision it is declined. `maximum_dispute_share` of the campaign limits how
   * many of the responses so far can be disputed, rounded down. Disputing again for the same reason
   * returns the same dispute.
   */
  @Post('dispute')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(DisputeDto, 'The dispute.', {
    errors: [
      'participation_not_found',
      'participation_not_submitted',
      'response_erased',
      'response_too_old',
      'disputes_not_offered',
      'dispute_share_reached',
      'dispute_exists',
    ],
  })
  async openDispute(
    @Caller() caller: Principal,
    @Body() request: OpenDisputeDto,
  ): Promise<Envelope<DisputeDto>> {
    return success(
      'Response disputed.',
      DisputeDto.from(await this.disputes.open(caller, request)),
    );
  }

  /**
   * List disputes
   *
   * @remarks The disputes of your company, newest first, with what the platforms have decided.
   */
  @Get('disputes')
  @ApiKeyAuth('responses:read')
  @RespondsWith(DisputePageDto, "A page of your company's disputes.", { input: 'parameters' })
  async listDisputes(
    @Caller() caller: Principal,
    @Query() query: DisputeListQueryDto,
  ): Promise<Envelope<DisputePageDto>> {
    const page = await this.lists.ofCompany(caller, query);
    return success('Disputes listed.', DisputePageDto.from(page));
  }
}
