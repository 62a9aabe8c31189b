import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, EntityManager, In, Repository } from 'typeorm';
import { newId } from '../limit/identifiers';
import {
  CohortRewardsDto,
  CreateSurveyDto,
  SetQuestionsDto,
  ToggleLiveDto,
  UpdateCampaignDto,
} from './dto';
import type { Described } from './answers';
import { ApiKey, Campaign, CampaignProgress, QuestionSet } from './entities';
import { Refusal } from './refusal';

const ladder = (amount: number) => [
  '3.00',
  ...[0.4, 0.6, 0.8, 1].map((share) => (amount * share).toFixed(2)),
];

@Injectable()
export class CampaignsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    @InjectRepository(QuestionSet) private readonly questionSets: Repository<QuestionSet>,
    @InjectRepository(CampaignProgress) private readonly progress: Repository<CampaignProgress>,
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
      cohortRewards: ladder(dto.reward_amount),
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
        campaign.cohortRewards = ladder(dto.reward_amount);
      }
    });
  }

  async setCohortRewards(key: ApiKey, dto: CohortRewardsDto): Promise<Campaign> {
    return this.change(key, dto.post_id, (campaign) => {
      if (dto.cohort_5_reward !== Number(campaign.rewardAmount)) {
        throw new Refusal(422, 'cohort_reward_mismatch', 'cohort_5_reward must be reward_amount.');
      }
      campaign.cohortRewards = [
        dto.cohort_1_reward,
        dto.cohort_2_reward,
        dto.cohort_3_reward,
        dto.cohort_4_reward,
        dto.cohort_5_reward,
      ].map((reward) => reward.toFixed(2));
    });
  }

  async read(key: ApiKey, postId: string): Promise<Described> {
    const campaign = await this.campaigns.findOne({ where: { postId } });
    const owned = requireOwned(campaign, key);
    const { id, questionSetVersion } = owned;
    const questions =
      questionSetVersion === null
        ? null
        : await this.questionSets.findOne({
            where: { campaignId: id, version: questionSetVersion },
          });
    const [progress] = await this.progress.find({ where: { campaignId: id } });
    return { campaign: owned, questions, progress };
  }

  async list(key: ApiKey, limit: number) {
    const campaigns = await this.campaigns.find({
      where: { companyId: key.companyId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit + 1,
    });
    const ids = campaigns.map(({ id }) => id);
    const progress = await this.progress.find({ where: { campaignId: In(ids) } });
    const found = new Map(progress.map((each) => [each.campaignId, each]));
    return campaigns.map((campaign) => ({ campaign, progress: found.get(campaign.id) }));
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
      await manager.save(campaign);
      // The database decides the status and why it was stopped.
      return manager.findOneByOrFail(Campaign, { id: campaign.id });
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
