import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { CampaignPathDto } from '../campaign/campaign-read.dto';
import { CampaignService } from '../campaign/campaign.service';
import { Envelope, success } from '../../platform/protocol/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { writeExactly } from '../../platform/protocol/exact-number';
import { Heavy } from '../../platform/limits/heavy-requests';
import { Caller, Principal } from '../../platform/caller/principal';
import { Idempotent } from '../../platform/idempotency/idempotent.decorator';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { ArchiveCampaignDto, DuplicateCampaignDto, LaunchCheckDto } from './campaign-life.dto';
import { CampaignStateDto } from '../campaign/campaign-state.dto';
import { CampaignLifeService } from './campaign-life.service';
import { LaunchCheckService } from './launch-check.service';

@ApiTags('Campaigns')
@Controller('svc/campaign')
export class CampaignLifeController {
  constructor(
    private readonly lives: CampaignLifeService,
    private readonly campaigns: CampaignService,
    private readonly launches: LaunchCheckService,
  ) {}

  /**
   * Check a campaign before its launch
   *
   * @remarks What would prevent a start, what you may have forgotten, what all responses together can
   * cost at most, and which guardrails watch the campaign. The check itself prevents nothing.
   */
  @Get(':post_id/launch-check')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(LaunchCheckDto, 'The result of the check.', {
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async checkLaunch(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<LaunchCheckDto>> {
    const campaign = await this.campaigns.read(caller.callerId, post_id);
    reply.header('etag', etagOf(campaign.version)).type('application/json; charset=utf-8');
    reply.serializer(writeExactly('maximum_cost'));
    const check = await this.launches.check(campaign);
    return success('Campaign checked.', LaunchCheckDto.from(campaign, check));
  }

  /**
   * Duplicate a campaign
   *
   * @remarks Creates a draft with the same fields, images, questions, cohort rewards and limits, but
   * without an `external_ref`, `starts_at` and `ends_at`. Nothing counts towards its limits yet. The
   * guardrails of the campaign are copied too, armed, unless `guardrails` is `false`.
   */
  @Post('duplicate')
  @Heavy()
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(CampaignStateDto, 'The copy, not yet started.', {
    etag: true,
    errors: ['campaign_not_found', 'campaign_not_owned', 'too_many_guardrails'],
  })
  async duplicateCampaign(
    @Caller() caller: Principal,
    @Body() duplicate: DuplicateCampaignDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignStateDto>> {
    const campaign = await this.lives.duplicate(caller, duplicate);
    reply.header('etag', etagOf(campaign.version));
    return success('Campaign duplicated.', CampaignStateDto.from(campaign));
  }

  /**
   * Archive a campaign
   *
   * @remarks Takes it out of the lists, and stops it if it is live. A start that is still to come is
   * dropped. Archiving an archived campaign succeeds and changes nothing.
   */
  @Post('archive')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(CampaignStateDto, 'The archived campaign.', {
    etag: true,
    errors: ['campaign_not_found', 'campaign_not_owned', 'version_conflict'],
  })
  async archiveCampaign(
    @Caller() caller: Principal,
    @Body() { post_id }: ArchiveCampaignDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignStateDto>> {
    const set = { archived: true, isLive: false };
    const campaign = await this.campaigns.updateOwned(caller, post_id, set, expected);
    reply.header('etag', etagOf(campaign.version));
    return success('Campaign archived.', CampaignStateDto.from(campaign));
  }

  /**
   * Unarchive a campaign
   *
   * @remarks Puts it back into the lists, stopped. Unarchiving a campaign that is not archived succeeds
   * and changes nothing.
   */
  @Post('unarchive')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(CampaignStateDto, 'The campaign, stopped.', {
    etag: true,
    errors: ['campaign_not_found', 'campaign_not_owned', 'version_conflict'],
  })
  async unarchiveCampaign(
    @Caller() caller: Principal,
    @Body() { post_id }: ArchiveCampaignDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignStateDto>> {
    const set = { archived: false };
    const campaign = await this.campaigns.updateOwned(caller, post_id, set, expected);
    reply.header('etag', etagOf(campaign.version));
    return success('Campaign unarchived.', CampaignStateDto.from(campaign));
  }
}
