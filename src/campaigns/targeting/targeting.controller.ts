import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SPENDING_ERROR_CODES } from '../../access/api-key/spending.errors';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-read.dto';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, MIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { CampaignQuotasDto } from './quotas.dto';
import { StoredTargetingDto } from './stored-targeting.dto';
import { SetTargetingDto, toTargeting } from './targeting.dto';
import { TARGETING_EXAMPLES } from './targeting.examples';
import { TargetingService } from './targeting.service';

@ApiTags('Targeting')
@Controller('svc/campaign')
export class TargetingController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly targeting: TargetingService,
  ) {}

  /**
   * Set whom a campaign asks
   *
   * @remarks Replaces all rules as a whole: the attributes, the screening, the quotas, whom past
   * participations exclude or include, and the pace. Those who have begun keep the quotas that they
   * count in. A quota keeps its counts as long as it keeps its name, and its limit cannot be below the
   * places that are taken. Send no rules but an empty `attributes` to ask everybody.
   */
  @Post('targeting')
  @BodyLimit(2 * MIB)
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @ApiBody({ type: SetTargetingDto, examples: TARGETING_EXAMPLES })
  @RespondsWith(StoredTargetingDto, 'The rules as stored.', {
    etag: true,
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'quota_below_taken',
      ...SPENDING_ERROR_CODES,
    ],
  })
  async setTargeting(
    @Caller() caller: Principal,
    @Body() request: SetTargetingDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<StoredTargetingDto>> {
    const { post_id } = request;
    const stored = await this.targeting.replace(caller, post_id, toTargeting(request), {
      expected,
    });
    reply.header('etag', etagOf(stored.campaignVersion));
    const { version, targeting } = stored;
    return success('Targeting stored.', StoredTargetingDto.of(post_id, version, targeting));
  }

  /**
   * Read whom a campaign asks
   *
   * @remarks The rules as they were last set. A campaign without rules asks everybody.
   */
  @Get(':post_id/targeting')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(StoredTargetingDto, 'The current rules.', {
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getTargeting(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<StoredTargetingDto>> {
    const { version, targeting, campaignVersion } = await this.targeting.current(
      caller.callerId,
      post_id,
    );
    reply.header('etag', etagOf(campaignVersion));
    return success('Targeting found.', StoredTargetingDto.of(post_id, version, targeting));
  }

  /**
   * Read how far the quotas are
   *
   * @remarks The places of each quota, and how often which rule has refused a respondent. Refusals
   * appear within a second or two.
   */
  @Get(':post_id/quotas')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CampaignQuotasDto, 'The quotas, and what the rules have refused.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getQuotas(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
  ): Promise<Envelope<CampaignQuotasDto>> {
    const quotas = await this.targeting.quotas(caller.callerId, post_id);
    return success('Quotas found.', CampaignQuotasDto.of(post_id, quotas));
  }
}
