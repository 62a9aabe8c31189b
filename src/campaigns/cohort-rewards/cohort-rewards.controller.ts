import { Body, Controller, Patch, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SPENDING_ERROR_CODES } from '../../access/api-key/spending.errors';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { requireMinorUnit } from '../../access/company/currency.field';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { Caller, currencyOf, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { UpdateCohortRewardsDto, UpdatedCohortRewardsDto } from './cohort-rewards.dto';
import { toColumns } from '../campaign/campaign.columns';
import { CampaignService } from '../campaign/campaign.service';
import { defaultCohortRewards, toDecimal } from '../campaign/cohort-ladder.rules';
import { CohortRewardsPreviewDto, PreviewCohortRewardsDto } from './preview.dto';

@ApiTags('Cohort rewards')
@Controller('svc/campaign')
export class CohortRewardsController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Set the cohort rewards
   *
   * @remarks All five at once. Cohort 1 gets at least 3, and cohort 5 exactly the campaign's
   * `reward_amount`.
   */
  @Patch('cohort-rewards')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(UpdatedCohortRewardsDto, 'The cohort rewards as stored.', {
    etag: true,
    errors: [
      'cohort_reward_mismatch',
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      ...SPENDING_ERROR_CODES,
    ],
  })
  async updateCohortRewards(
    @Caller() caller: Principal,
    @Body() { post_id, ...cohort_rewards }: UpdateCohortRewardsDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<UpdatedCohortRewardsDto>> {
    const currency = currencyOf(caller);
    requireMinorUnit(currency, { ...cohort_rewards });
    const set = toColumns({ cohort_rewards }, currency);
    const campaign = await this.campaigns.updateOwned(caller, post_id, set, expected);
    reply.header('etag', etagOf(campaign.version));
    return success('Cohort rewards updated.', UpdatedCohortRewardsDto.from(campaign));
  }

  /**
   * Preview cohort rewards
   *
   * @remarks Computes the five rewards for a `reward_amount` and, given the share of respondents you
   * expect in each cohort, the average cost of a response. Nothing is stored.
   */
  @Post('cohort-rewards/preview')
  @Idempotent()
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CohortRewardsPreviewDto, 'The computed cohort rewards.')
  previewCohortRewards(
    @Caller() caller: Principal,
    @Body() { reward_amount, cohort_shares }: PreviewCohortRewardsDto,
  ): Envelope<CohortRewardsPreviewDto> {
    const currency = currencyOf(caller);
    requireMinorUnit(currency, { reward_amount });
    const rewards = defaultCohortRewards(toDecimal(reward_amount), currency);
    return success(
      'Cohort rewards computed; nothing was stored.',
      CohortRewardsPreviewDto.from(rewards, cohort_shares, currency),
    );
  }
}
