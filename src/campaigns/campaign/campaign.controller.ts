import { Body, Controller, Get, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SPENDING_ERROR_CODES } from '../../access/api-key/spending.errors';
import { ApiKeyAuth } from '../../access/api-key/api-key.guard';
import { HistoryService } from '../../platform/event/history.service';
import { PageQueryDto } from '../../platform/validation/page-query.dto';
import { RespondsWith } from '../../platform/openapi/responds-with';
import { BodyLimit, KIB } from '../../platform/limits/body-limit';
import { Envelope, success } from '../../platform/protocol/envelope';
import { Heavy } from '../../platform/limits/heavy-requests';
import { etagOf, ExpectedVersions, IfMatch } from '../../platform/protocol/etag';
import { Caller, Principal } from '../../platform/caller/principal';
import { Approvable } from '../approval/approvable.decorator';
import { ApprovalGate } from '../approval/approval-gate.service';
import { ToggleLiveDto, UpdateCampaignDto } from './campaign.dto';
import { LIFE_ERROR_CODES } from './campaign.errors';
import { ToggledCampaignDto, UpdatedCampaignDto } from './campaign-state.dto';
import { CampaignChangePageDto } from './campaign-history.dto';
import { CampaignListQueryDto } from './campaign-list.dto';
import { CampaignListService } from './campaign-list.service';
import { CampaignDto, CampaignPageDto, CampaignPathDto } from './campaign-read.dto';
import { CampaignService } from './campaign.service';
import { UPDATE_EXAMPLES } from './campaign.examples';

@ApiTags('Campaigns')
@Controller('svc/campaign')
export class CampaignController {
  constructor(
    readonly approvals: ApprovalGate,
    private readonly campaigns: CampaignService,
    private readonly lists: CampaignListService,
    private readonly histories: HistoryService,
  ) {}

  /**
   * List campaigns
   *
   * @remarks Your company's campaigns, newest first, without archived ones. Continue with `next_cursor` until it is `null`.
   * Campaigns created in the meantime cause no repeats and no gaps.
   */
  @Get('list')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CampaignPageDto, "A page of your company's campaigns.", { input: 'parameters' })
  async listCampaigns(
    @Caller() caller: Principal,
    @Query() query: CampaignListQueryDto,
  ): Promise<Envelope<CampaignPageDto>> {
    const page = await this.lists.list(caller.callerId, query);
    return success('Campaigns listed.', CampaignPageDto.from(page));
  }

  /**
   * Read a campaign
   *
   * @remarks Everything stored about it, with its cohort rewards and a summary of its questions.
   */
  @Get(':post_id')
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CampaignDto, 'The campaign.', {
    etag: true,
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getCampaign(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<CampaignDto>> {
    const campaign = await this.campaigns.read(caller.callerId, post_id);
    reply.header('etag', etagOf(campaign.version));
    return success('Campaign found.', CampaignDto.from(campaign));
  }

  /**
   * Read the history of a campaign
   *
   * @remarks Every change to its fields, rewards, questions and state, newest first: who made it,
   * when, and the old and new values.
   */
  @Get(':post_id/history')
  @Heavy()
  @ApiKeyAuth('campaigns:read')
  @RespondsWith(CampaignChangePageDto, 'A page of the changes to the campaign.', {
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getCampaignHistory(
    @Caller() caller: Principal,
    @Param() { post_id }: CampaignPathDto,
    @Query() page: PageQueryDto,
  ): Promise<Envelope<CampaignChangePageDto>> {
    const campaign = await this.campaigns.findOwned(caller.callerId, post_id);
    const changes = await this.histories.history(caller.callerId, campaign.postId, page);
    return success(
      'Campaign history found.',
      CampaignChangePageDto.from(changes, campaign.currency),
    );
  }

  /**
   * Update a campaign
   *
   * @remarks Changes only the fields you send; at least one besides `post_id` is required. A
   * `reward_amount` recalculates the cohort rewards, and only then does the response include them. An
   * archived campaign can be updated too.
   */
  @Patch('update')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @BodyLimit(256 * KIB)
  @ApiBody({ type: UpdateCampaignDto, examples: UPDATE_EXAMPLES })
  @RespondsWith(UpdatedCampaignDto, 'The campaign after the update.', {
    etag: true,
    errors: [
      'nothing_to_update',
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'wrong_campaign_type',
      ...LIFE_ERROR_CODES,
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
   * @remarks Works for surveys and advertisements. Setting the state that a campaign already has
   * succeeds and changes nothing. `true` starts a campaign at once, whatever its `starts_at`; one that
   * is archived, has ended or has no place or budget left is refused.
   */
  @Patch('toggle-live')
  @Approvable()
  @ApiKeyAuth('campaigns:write')
  @RespondsWith(ToggledCampaignDto, 'The campaign in its new state.', {
    etag: true,
    errors: [
      'campaign_not_found',
      'campaign_not_owned',
      'version_conflict',
      'campaign_completed',
      'balance_low',
      ...SPENDING_ERROR_CODES,
    ],
  })
  async toggleLive(
    @Caller() caller: Principal,
    @Body() { post_id, is_live }: ToggleLiveDto,
    @IfMatch() expected: ExpectedVersions,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Envelope<ToggledCampaignDto>> {
    const set = { isLive: is_live };
    const campaign = await this.campaigns.updateOwned(caller, post_id, set, expected);
    reply.header('etag', etagOf(campaign.version));
    const toggled = ToggledCampaignDto.from(campaign);
    const stopped =
      toggled.status === 'scheduled'
        ? 'Campaign not live, and still scheduled.'
        : 'Campaign stopped.';
    return success(is_live ? 'Campaign started.' : stopped, toggled);
  }
}
