import { Body, Controller, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
import { CampaignService } from './campaign.service';

@ApiTags('Campaigns')
@Controller('svc/campaign')
export class CampaignController {
  constructor(private readonly campaigns: CampaignService) {}

  /**
   * Update a campaign
   *
   * @remarks Only the fields sent are changed; at least one besides `post_id` must be. A `reward_amount`
   * recalculates the cohort rewards, and only then does the answer carry them.
   */
  @Patch('update')
  @ApiKeyAuth('campaigns:write')
  @Answers(UpdatedCampaignDto, {
    errors: ['nothing_to_update', 'campaign_not_found', 'campaign_not_owned'],
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
