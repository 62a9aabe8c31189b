import { Body, Controller, Get, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { ChangePageDto } from '../audit/audit.dto';
import { AuditService } from '../audit/audit.service';
import { PageQueryDto } from '../http/page.dto';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { etagOf, ExpectedVersions, IfMatch } from '../http/etag';
import { Caller, Principal } from '../http/principal';
import { Idempotent } from '../idempotency/idempotent';
import {
  ToggledCampaignDto,
  ToggleLiveDto,
  UpdateCampaignDto,
  UpdatedCampaignDto,
} from './campaign.dto';
import { CampaignListService } from './campaign-list.service';
import {
  CampaignDto,
  CampaignListQueryDto,
  CampaignPageDto,
  CampaignPathDto,
  CampaignSummaryDto,
} from './campaign-reads.dto';
import { CampaignService } from './campaign.service';
import { UPDATE_EXAMPLES } from './campaign.examples';

@ApiTags('Campaigns')
@Controller('svc/campaign')
export class CampaignController {
  constructor(
    private readonly campaigns: CampaignService,
    private readonly lists: CampaignListService,
    private readonly audit: AuditService,
  ) {}

  /**
   * List campaigns
   *
   * @remarks Your company's campaigns, newest first. Go on with `next_cursor` until it is `null`;
   * campaigns that are created meanwhile neither repeat nor hide one.
   */
  @Get('list')
  @ApiKeyAuth('campaigns:read')
  @Answers(CampaignPageDto, { input: 'parameters' })
  async listCampaigns(
    @Caller() caller: Principal,
    @Query() query: CampaignListQueryDto,
  ): Promise<Envelope<CampaignPageDto>> {
    const { items, nextCursor } = await this.lists.list(caller.companyId, query);
    return success('Campaigns listed.', {
      items: items.map((campaign) => CampaignSummaryDto.from(campaign)),
      next_cursor: nextCursor,
    });
  }

  /**
   * Read a campaign
   *
   * @remarks Everything that is stored of it, with its cohort rewards and a summary of its
   * questions.
   */
  @Get(':post_id')
  @ApiKeyAuth('campaigns:read')
  @Answers(CampaignDto, {
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getCampaign(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignDto>> {
    const campaign = await this.campaigns.read(caller.companyId, post_id);
    reply.header('etag', etagOf(campaign.version));
    return success('Campaign found.', CampaignDto.from(campaign));
  }

  /**
   * Read the history of a campaign
   *
   * @remarks Every change of it, its rewards, its questions and its state, newest first: who made
   * it, when, and the old and new values.
   */
  @Get(':post_id/history')
  @ApiKeyAuth('campaigns:read')
  @Answers(ChangePageDto, {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getCampaignHistory(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<ChangePageDto>> {
    const campaign = await this.campaigns.findOwned(caller.companyId, post_id);
    const changes = await this.audit.history(campaign.postId, page);
    return success('Campaign history found.', ChangePageDto.from(changes));
  }

  /**
   * Update a campaign
   *
   * @remarks Only the fields sent are changed; at least one besides `post_id` must be. A `reward_amount`
   * recalculates the cohort rewards, and only then does the answer carry them.
   */
  @Patch('update')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @ApiBody({ type: UpdateCampaignDto, examples: UPDATE_EXAMPLES })
  @Answers(UpdatedCampaignDto, {
    etag: true,
    errors: [
      'nothing_to_update',
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'wrong_campaign_type',
    ],
  })
  async updateCampaign(
    @Caller() caller: Principal,
    @Body() update: UpdateCampaignDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<UpdatedCampaignDto>> {
    const campaign = await this.campaigns.update(caller, update, expected);
    reply.header('etag', etagOf(campaign.version));
    const rewardChanged = update.reward_amount !== undefined;
    return success('Campaign updated.', UpdatedCampaignDto.from(campaign, rewardChanged));
  }

  /**
   * Start or stop a campaign
   *
   * @remarks Works for surveys and advertisements. The state a campaign already has succeeds and changes
   * nothing.
   */
  @Patch('toggle-live')
  @Idempotent()
  @ApiKeyAuth('campaigns:write')
  @Answers(ToggledCampaignDto, {
    etag: true,
    errors: ['campaign_not_found', 'campaign_not_owned', 'version_conflict'],
  })
  async toggleLive(
    @Caller() caller: Principal,
    @Body() toggle: ToggleLiveDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<ToggledCampaignDto>> {
    const campaign = await this.campaigns.toggleLive(caller, toggle, expected);
    reply.header('etag', etagOf(campaign.version));
    return success(
      campaign.isLive ? 'Campaign started.' : 'Campaign stopped.',
      ToggledCampaignDto.from(campaign),
    );
  }
}
