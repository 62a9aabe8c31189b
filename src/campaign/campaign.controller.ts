import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ApiKeyAuth } from '../api-key/api-key.guard';
import { Answers } from '../http/api-docs';
import { Envelope, success } from '../http/envelope';
import { CompanyId } from '../http/principal';
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
    @CompanyId() companyId: string,
    @Query() query: CampaignListQueryDto,
  ): Promise<Envelope<CampaignPageDto>> {
    const { campaigns, nextCursor } = await this.lists.list(companyId, query);
    return success('Campaigns listed.', {
      items: campaigns.map((campaign) => CampaignSummaryDto.from(campaign)),
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
    input: 'parameters',
    errors: ['campaign_not_found', 'campaign_not_owned'],
  })
  async getCampaign(
    @CompanyId() companyId: string,
    @Param() { post_id }: CampaignPathDto,
  ): Promise<Envelope<CampaignDto>> {
    return success(
      'Campaign found.',
      CampaignDto.from(await this.campaigns.read(companyId, post_id)),
    );
  }

  /**
   * Update a campaign
   *
   * @remarks Only the fields sent are changed; at least one besides `post_id` must be. A `reward_amount`
   * recalculates the cohort rewards, and only then does the answer carry them.
   */
  @Patch('update')
  @ApiKeyAuth('campaigns:write')
  @ApiBody({ type: UpdateCampaignDto, examples: UPDATE_EXAMPLES })
  @Answers(UpdatedCampaignDto, {
    errors: [
      'nothing_to_update',
      'campaign_not_found',
      'campaign_not_owned',
      'wrong_campaign_type',
    ],
  })
  async updateCampaign(
    @CompanyId() companyId: string,
    @Body() update: UpdateCampaignDto,
  ): Promise<Envelope<UpdatedCampaignDto>> {
    const campaign = await this.campaigns.update(companyId, update);
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
  @ApiKeyAuth('campaigns:write')
  @Answers(ToggledCampaignDto, { errors: ['campaign_not_found', 'campaign_not_owned'] })
  async toggleLive(
    @CompanyId() companyId: string,
    @Body() toggle: ToggleLiveDto,
  ): Promise<Envelope<ToggledCampaignDto>> {
    const campaign = await this.campaigns.toggleLive(companyId, toggle);
    return success(
      campaign.isLive ? 'Campaign started.' : 'Campaign stopped.',
      ToggledCampaignDto.from(campaign),
    );
  }
}
