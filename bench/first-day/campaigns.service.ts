import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, EntityManager, Repository } from 'typeorm';
import { newId } from '../limit/identifiers';
import {
  CohortRewardsDto,
  CreateSurveyDto,
  SetQuestionsDto,
  ToggleLiveDto,
  UpdateCampaignDto,
} from './dto';
import { ApiKey, Campaign, QuestionSet } from './entities';
import { Refusal } from './refusal';

const ladder = (amount: number) => ({
  cohort1Reward: '3.00',
  cohort2Reward: (amount * 0.4).toFixed(2),
  cohort3Reward: (amount * 0.6).toFixed(2),
  cohort4Reward: (amount * 0.8).toFixed(2),
  cohort5Reward: amount.toFixed(2),
});

@Injectable()
export class CampaignsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    @InjectRepository(QuestionSet) private readonly questionSets: Repository<QuestionSet>,
  ) {}

  async createSurvey(key: ApiKey, dto: CreateSurveyDto): Promise<Campaign> {
    const campaign = this.campaigns.create({
      postId: newId('post'),
      companyId: key.companyId,
      updatedBy: key.keyId,
      type: 'survey',
      format: 'questionnaire',
      title: dto.title,
      description: dto.description,
      contentUrl: dto.content_url ?? null,
      category: dto.category,
      tagline: dto.tagline,
      rewardAmount: dto.reward_amount.toFixed(2),
      ...ladder(dto.reward_amount),
    });
    return this.campaigns.save(campaign);
  }

  async setQuestions(key: ApiKey, dto: SetQuestionsDto) {
    return this.dataSource.transaction(async (manager) => {
      const campaign = await this.findOwned(manager, key, dto.post_id);
      if (campaign.type !== 'survey') {
        throw new Refusal(422, 'wrong_campaign_type', 'These questions are for surveys.');
      }
      const set = await manager.save(
        manager.create(QuestionSet, {
          questionId: newId('qset'),
          companyId: key.companyId,
          campaignId: campaign.id,
          version: (campaign.questionSetVersion ?? 0) + 1,
          questions: dto.questions,
          totalQuestions: dto.questions.length,
        }),
      );
      campaign.questionSetVersion = set.version;
      campaign.updatedBy = key.keyId;
      await manager.save(campaign);
      return set;
    });
  }

  async toggleLive(key: ApiKey, dto: ToggleLiveDto): Promise<Campaign> {
    return this.change(key, dto.post_id, (campaign) => {
      campaign.isLive = dto.is_live;
    });
  }

  async update(key: ApiKey, dto: UpdateCampaignDto): Promise<Campaign> {
    return this.change(key, dto.post_id, (campaign) => {
      campaign.title = dto.title ?? campaign.title;
      campaign.description = dto.description ?? campaign.description;
      campaign.contentUrl = dto.content_url ?? campaign.contentUrl;
      campaign.category = dto.category ?? campaign.category;
      campaign.tagline = dto.tagline ?? campaign.tagline;
      if (dto.reward_amount !== undefined) {
        campaign.rewardAmount = dto.reward_amount.toFixed(2);
        Object.assign(campaign, ladder(dto.reward_amount));
      }
    });
  }

  async setCohortRewards(key: ApiKey, dto: CohortRewardsDto): Promise<Campaign> {
    return this.change(key, dto.post_id, (campaign) => {
      if (dto.cohort_5_reward !== Number(campaign.rewardAmount)) {
        throw new Refusal(422, 'cohort_reward_mismatch', 'cohort_5_reward must be reward_amount.');
      }
      campaign.cohort1Reward = dto.cohort_1_reward.toFixed(2);
      campaign.cohort2Reward = dto.cohort_2_reward.toFixed(2);
      campaign.cohort3Reward = dto.cohort_3_reward.toFixed(2);
      campaign.cohort4Reward = dto.cohort_4_reward.toFixed(2);
      campaign.cohort5Reward = dto.cohort_5_reward.toFixed(2);
    });
  }

  async read(key: ApiKey, postId: string) {
    const campaign = await this.campaigns.findOne({ where: { postId } });
    const owned = requireOwned(campaign, key);
    const { id, questionSetVersion } = owned;
    const questions =
      questionSetVersion === null
        ? null
        : await this.questionSets.findOne({
            where: { campaignId: id, version: questionSetVersion },
          });
    return { campaign: owned, questions };
  }

  async list(key: ApiKey, limit: number): Promise<Campaign[]> {
    return this.campaigns.find({
      where: { companyId: key.companyId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit + 1,
    });
  }

  private async change(
    key: ApiKey,
    postId: string,
    apply: (campaign: Campaign) => void,
  ): Promise<Campaign> {
    return this.dataSource.transaction(async (manager) => {
      const campaign = await this.findOwned(manager, key, postId);
      apply(campaign);
      campaign.updatedBy = key.keyId;
      return manager.save(campaign);
    });
  }

  // Locked, because otherwise the second of two concurrent changes would undo the first.
  private async findOwned(manager: EntityManager, key: ApiKey, postId: string): Promise<Campaign> {
    const campaign = await manager.findOne(Campaign, {
      where: { postId },
      lock: { mode: 'pessimistic_write' },
    });
    return requireOwned(campaign, key);
  }
}

function requireOwned(campaign: Campaign | null, key: ApiKey): Campaign {
  if (campaign === null) {
    throw new Refusal(404, 'campaign_not_found', 'There is no campaign with this post_id.');
  }
  if (campaign.companyId !== key.companyId) {
    throw new Refusal(403, 'campaign_not_owned', 'This campaign belongs to another company.');
  }
  return campaign;
}
