import { Injectable } from '@nestjs/common';
import { DeepPartial, Repository } from 'typeorm';
import { defaultCohortRewards, toDecimal } from '../cohort-rewards/ladder';
import { newId } from '../database/identifiers';
import { columnList, insertRow, toEntity, updateRow } from '../database/rows';
import { TransactionContext } from '../database/transaction-context';
import { ExpectedVersions, isExpected, versionConflict } from '../http/etag';
import { actorOf, Principal } from '../http/principal';
import { withConstraints } from '../database/constraint-violation';
import {
  CreateAdvertisementDto,
  CreateCampaignDto,
  CreateSurveyDto,
  ToggleLiveDto,
  UpdateCampaignDto,
} from './campaign.dto';
import { Campaign } from './campaign.entity';
import {
  advertisementFieldsOnSurvey,
  campaignNotFound,
  campaignNotOwned,
  nothingToUpdate,
} from './campaign.errors';
import type { QuestionSetSummary } from '../questions/question-set.entity';
import type { ImageSurveyFormat } from './campaign-type';
import type { ImageSurvey } from './image-survey';

@Injectable()
export class CampaignService {
  constructor(private readonly transaction: TransactionContext) {}

  private get campaigns(): Repository<Campaign> {
    return this.transaction.manager.getRepository(Campaign);
  }

  /** Creates a stopped survey with the default cohort rewards (section 4.1). */
  async createSurvey(caller: Principal, survey: CreateSurveyDto): Promise<Campaign> {
    return this.insert(caller, survey, { type: 'survey', format: 'questionnaire' });
  }

  /** Creates a stopped image survey with its content (section 4.7), in one statement. */
  async createImageSurvey(
    caller: Principal,
    survey: CreateCampaignDto,
    format: ImageSurveyFormat,
    imageSurvey: ImageSurvey,
  ): Promise<Campaign> {
    return this.insert(caller, survey, { type: 'survey', format, imageSurvey });
  }

  /** Creates a stopped advertisement with the default cohort rewards (section 4.7). */
  async createAdvertisement(
    caller: Principal,
    advertisement: CreateAdvertisementDto,
  ): Promise<Campaign> {
    return this.insert(caller, advertisement, {
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
   * @throws ApiError `nothing_to_update`, `campaign_not_found`, `campaign_not_owned`,
   *   `version_conflict`, or `wrong_campaign_type` for an advertisement's field on a survey
   */
  async update(
    caller: Principal,
    { post_id, ...changes }: UpdateCampaignDto,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const rewardAmount =
      changes.reward_amount === undefined ? undefined : toDecimal(changes.reward_amount);
    const set: DeepPartial<Campaign> = {
      ...(changes.title !== undefined && { title: changes.title }),
      ...(changes.description !== undefined && { description: changes.description }),
      ...(changes.content_url !== undefined && { contentUrl: changes.content_url }),
      ...(changes.category !== undefined && { category: changes.category }),
      ...(changes.tagline !== undefined && { tagline: changes.tagline }),
      ...(changes.video_url !== undefined && { videoUrl: changes.video_url }),
      ...(changes.thumbnail_url !== undefined && { thumbnailUrl: changes.thumbnail_url }),
      ...(changes.duration_seconds !== undefined && { durationSeconds: changes.duration_seconds }),
      ...(rewardAmount !== undefined && {
        rewardAmount,
        cohortRewards: defaultCohortRewards(rewardAmount),
      }),
    };
    if (Object.keys(set).length === 0) {
      throw nothingToUpdate();
    }
    return withConstraints(() => this.updateOwned(caller, post_id, set, expected), {
      campaign_advertisement_fields: advertisementFieldsOnSurvey,
    });
  }

  /**
   * Starts or stops a campaign (section 4.6). The state it already has succeeds and stays.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async toggleLive(
    caller: Principal,
    { post_id, is_live }: ToggleLiveDto,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    return this.updateOwned(caller, post_id, { isLive: is_live }, expected);
  }

  /**
   * Changes a campaign of a company, in one statement.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `version_conflict`
   */
  async updateOwned(
    caller: Principal,
    postId: string,
    set: DeepPartial<Campaign>,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const { companyId } = caller;
    const campaign = await updateRow(
      this.campaigns,
      { ...set, updatedBy: actorOf(caller) },
      { postId, companyId, ...(expected && { version: expected }) },
    );
    if (campaign === null) {
      await this.findOwned(companyId, postId, expected);
      throw new Error('a campaign was there, but its update found no row');
    }
    return campaign;
  }

  /**
   * Says why a statement on a company's campaign found no row. Returns the campaign where the
   * company does own it, so that the caller can say what else was in the way.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned` or `version_conflict`
   */
  async findOwned(
    companyId: string,
    postId: string,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const campaign = owned(await this.campaigns.findOneBy({ postId }), companyId);
    if (!isExpected(campaign.version, expected)) {
      throw versionConflict();
    }
    return campaign;
  }

  /**
   * A campaign of a company with its current question set, but not the questions themselves.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async read(companyId: string, postId: string): Promise<Campaign> {
    const [row] = await this.campaigns.query<(QuestionSummaryRow & Record<string, unknown>)[]>(
      `SELECT ${columnList(this.campaigns)}, questions.question_id, questions.total_questions,
         questions.created_at AS questions_created_at
       FROM campaign
       LEFT JOIN question_set AS questions
         ON questions.campaign_id = campaign.id
         AND questions.version = campaign.question_set_version
       WHERE post_id = $1`,
      [postId],
    );
    if (row === undefined) {
      throw campaignNotFound();
    }
    const campaign = owned(toEntity(this.campaigns, row), companyId);
    campaign.currentQuestionSet = toQuestionSummary(row);
    return campaign;
  }

  private async insert(
    caller: Principal,
    described: CreateCampaignDto,
    specific: DeepPartial<Campaign>,
  ): Promise<Campaign> {
    const rewardAmount = toDecimal(described.reward_amount);
    return insertRow(this.campaigns, {
      postId: newId('post'),
      companyId: caller.companyId,
      updatedBy: actorOf(caller),
      title: described.title,
      description: described.description,
      contentUrl: described.content_url ?? null,
      category: described.category,
      tagline: described.tagline,
      rewardAmount,
      cohortRewards: defaultCohortRewards(rewardAmount),
      ...specific,
    });
  }
}

interface QuestionSummaryRow {
  question_id: string | null;
  total_questions: number;
  questions_created_at: Date;
}

function toQuestionSummary({
  question_id: questionId,
  total_questions: totalQuestions,
  questions_created_at: createdAt,
}: QuestionSummaryRow): QuestionSetSummary | null {
  return questionId === null ? null : { questionId, totalQuestions, createdAt };
}

function owned(campaign: Campaign | null, companyId: string): Campaign {
  if (campaign === null) {
    throw campaignNotFound();
  }
  if (campaign.companyId !== companyId) {
    throw campaignNotOwned();
  }
  return campaign;
}
