import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DeepPartial, QueryDeepPartialEntity, Repository } from 'typeorm';
import { defaultCohortRewards } from '../cohort-rewards/ladder';
import { newId } from '../database/identifiers';
import { returnedEntity } from '../database/returned-entity';
import {
  CreateAdvertisementDto,
  CreateSurveyDto,
  ToggleLiveDto,
  UpdateCampaignDto,
} from './campaign.dto';
import { Campaign } from './campaign.entity';
import { campaignNotFound, campaignNotOwned, nothingToUpdate } from './campaign.errors';

@Injectable()
export class CampaignService {
  constructor(@InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>) {}

  /** Creates a stopped survey with the default cohort rewards (section 4.1). */
  async createSurvey(companyId: string, survey: CreateSurveyDto): Promise<Campaign> {
    return this.insert(companyId, survey, { type: 'survey' });
  }

  /** Creates a stopped advertisement with the default cohort rewards (section 4.7). */
  async createAdvertisement(
    companyId: string,
    advertisement: CreateAdvertisementDto,
  ): Promise<Campaign> {
    return this.insert(companyId, advertisement, {
      type: 'advertisement',
      videoUrl: advertisement.video_url,
      thumbnailUrl: advertisement.thumbnail_url ?? null,
      durationSeconds: advertisement.duration_seconds ?? null,
      hasFeedback: advertisement.has_feedback ?? false,
    });
  }

  /**
   * Changes the fields that are present, and with `reward_amount` the cohort rewards too
   * (section 4.4). One statement changes the row and checks whose it is.
   *
   * @throws ApiError `nothing_to_update`, `campaign_not_found` or `campaign_not_owned`
   */
  async update(companyId: string, { post_id, ...changes }: UpdateCampaignDto): Promise<Campaign> {
    const rewardAmount = changes.reward_amount?.toString();
    const set: QueryDeepPartialEntity<Campaign> = {
      ...(changes.title !== undefined && { title: changes.title }),
      ...(changes.description !== undefined && { description: changes.description }),
      ...(changes.content_url !== undefined && { contentUrl: changes.content_url }),
      ...(changes.category !== undefined && { category: changes.category }),
      ...(changes.tagline !== undefined && { tagline: changes.tagline }),
      ...(rewardAmount !== undefined && {
        rewardAmount,
        cohortRewards: defaultCohortRewards(rewardAmount),
      }),
    };
    if (Object.keys(set).length === 0) {
      throw nothingToUpdate();
    }
    return this.updateOwned(companyId, post_id, set);
  }

  /**
   * Starts or stops a campaign (section 4.6). The state it already has succeeds and stays.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async toggleLive(companyId: string, { post_id, is_live }: ToggleLiveDto): Promise<Campaign> {
    return this.updateOwned(companyId, post_id, { isLive: is_live });
  }

  /**
   * Changes a campaign of a company, in one statement.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async updateOwned(
    companyId: string,
    postId: string,
    set: QueryDeepPartialEntity<Campaign>,
  ): Promise<Campaign> {
    const result = await this.campaigns
      .createQueryBuilder()
      .update()
      .set(set)
      .where({ postId, companyId })
      .returning('*')
      .execute();
    return returnedEntity(this.campaigns, result) ?? this.refuse(companyId, postId);
  }

  /**
   * Says why a statement on a company's campaign found no row. Returns the campaign where the
   * company does own it, so that the caller can say what else was in the way.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async findOwned(companyId: string, postId: string): Promise<Campaign> {
    const campaign = await this.campaigns.findOneBy({ postId });
    if (campaign === null) {
      throw campaignNotFound();
    }
    if (campaign.companyId !== companyId) {
      throw campaignNotOwned();
    }
    return campaign;
  }

  private async refuse(companyId: string, postId: string): Promise<never> {
    await this.findOwned(companyId, postId);
    throw new Error('a campaign was there, but its update found no row');
  }

  private async insert(
    companyId: string,
    described: CreateSurveyDto,
    specific: DeepPartial<Campaign>,
  ): Promise<Campaign> {
    const rewardAmount = described.reward_amount.toString();
    const campaign = this.campaigns.create({
      postId: newId('post'),
      companyId,
      title: described.title,
      description: described.description,
      contentUrl: described.content_url ?? null,
      category: described.category,
      tagline: described.tagline,
      rewardAmount,
      cohortRewards: defaultCohortRewards(rewardAmount),
      ...specific,
    });
    await this.campaigns.insert(campaign);
    return campaign;
  }
}
