import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseGuards,
} from '@nestjs/common';
import { allOf, rewardsOf, stateOf, success, summaryOf, updatedOf } from './answers';
import { ApiKeyGuard, Key } from './api-key.guard';
import { CampaignsService } from './campaigns.service';
import {
  CohortRewardsDto,
  CreateSurveyDto,
  ListDto,
  SetQuestionsDto,
  ToggleLiveDto,
  UpdateCampaignDto,
} from './dto';
import { ApiKey } from './entities';

@Controller('svc')
@UseGuards(ApiKeyGuard)
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Post('survey/create')
  @HttpCode(200)
  async createSurvey(@Key() key: ApiKey, @Body() dto: CreateSurveyDto) {
    const campaign = await this.campaigns.createSurvey(key, dto);
    return success('Survey campaign created.', stateOf(campaign));
  }

  @Post('survey/questions')
  @HttpCode(200)
  async setQuestions(@Key() key: ApiKey, @Body() dto: SetQuestionsDto) {
    const set = await this.campaigns.setQuestions(key, dto);
    return success('Survey questions stored.', {
      question_id: set.questionId,
      post_id: dto.post_id,
      ad_id: Number(set.campaignId),
      question_type: 'survey',
      total_questions: set.totalQuestions,
    });
  }

  @Patch('campaign/toggle-live')
  async toggleLive(@Key() key: ApiKey, @Body() dto: ToggleLiveDto) {
    const campaign = await this.campaigns.toggleLive(key, dto);
    return success(campaign.isLive ? 'Campaign started.' : 'Campaign stopped.', stateOf(campaign));
  }

  @Patch('campaign/update')
  async update(@Key() key: ApiKey, @Body() dto: UpdateCampaignDto) {
    const campaign = await this.campaigns.update(key, dto);
    return success('Campaign updated.', updatedOf(campaign, dto.reward_amount !== undefined));
  }

  @Patch('campaign/cohort-rewards')
  async setCohortRewards(@Key() key: ApiKey, @Body() dto: CohortRewardsDto) {
    const campaign = await this.campaigns.setCohortRewards(key, dto);
    return success('Cohort rewards updated.', {
      post_id: campaign.postId,
      title: campaign.title,
      type: campaign.type,
      currency: campaign.currency,
      cohort_rewards: rewardsOf(campaign),
    });
  }

  @Get('campaign/list')
  async list(@Key() key: ApiKey, @Query() { limit }: ListDto) {
    const found = await this.campaigns.list(key, limit);
    const items = found
      .slice(0, limit)
      .map(({ campaign, progress }) => summaryOf(campaign, progress));
    return success('Campaigns listed.', {
      items,
      next_cursor: found.length > limit ? String(items.at(-1)?.id) : null,
    });
  }

  @Get('campaign/:post_id')
  async read(@Key() key: ApiKey, @Param('post_id') postId: string) {
    return success('Campaign found.', allOf(await this.campaigns.read(key, postId)));
  }
}
