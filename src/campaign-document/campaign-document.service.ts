import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, EntityManager } from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import { newId } from '../database/identifiers';
import { QuestionSet } from '../questions/question-set.entity';
import { QuestionsService } from '../questions/questions.service';
import { AppliedDocumentDto, CampaignDocumentDto } from './campaign-document.dto';
import { DocumentPlan, planCreation, planUpdate } from './document-plan';

@Injectable()
export class CampaignDocumentService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly questions: QuestionsService,
  ) {}

  /**
   * Creates or changes the campaign that has the document's `external_ref` within the company, so
   * that it is as the document says, in one transaction. Applying a document again changes nothing.
   *
   * @throws ApiError `validation_failed`, `wrong_campaign_type`, `feedback_not_enabled`,
   *   `questions_fixed` or `cohort_reward_mismatch`
   */
  async apply(companyId: string, document: CampaignDocumentDto): Promise<AppliedDocumentDto> {
    return this.dataSource.transaction(async (manager) => {
      const stored = await this.find(manager, companyId, document);
      if (stored !== null) {
        return this.update(manager, stored, document);
      }
      const plan = planCreation(document);
      if (document.dry_run === true) {
        return answer(document, 'created', null, plan);
      }
      const postId = await this.create(manager, companyId, document, plan);
      if (postId !== null) {
        return answer(document, 'created', postId, plan);
      }
      // Another request has created it since; now it is there to be compared with.
      const other = await this.find(manager, companyId, document);
      if (other === null) {
        throw new Error('a campaign with this external_ref was there, but is not');
      }
      return this.update(manager, other, document);
    });
  }

  /** Takes the campaign's row for the transaction, unless nothing will be written. */
  private async find(
    manager: EntityManager,
    companyId: string,
    { external_ref, dry_run }: CampaignDocumentDto,
  ): Promise<Campaign | null> {
    return manager.findOne(Campaign, {
      where: { companyId, externalRef: external_ref },
      ...(dry_run === true ? {} : { lock: { mode: 'pessimistic_write' } }),
    });
  }

  /** Creates the campaign; `null` where another request was first. */
  private async create(
    manager: EntityManager,
    companyId: string,
    document: CampaignDocumentDto,
    { columns, questions }: DocumentPlan,
  ): Promise<string | null> {
    const postId = newId('post');
    const result = await manager
      .createQueryBuilder()
      .insert()
      .into(Campaign)
      .values({ ...columns, postId, companyId })
      .orIgnore()
      .returning('id')
      .updateEntity(false)
      .execute();
    if ((result.raw as unknown[]).length === 0) {
      return null;
    }
    if (questions !== undefined && document.type !== undefined) {
      const request = { post_id: postId, questions };
      await this.questions.replace(companyId, document.type, request, manager);
    }
    return postId;
  }

  private async update(
    manager: EntityManager,
    stored: Campaign,
    document: CampaignDocumentDto,
  ): Promise<AppliedDocumentDto> {
    const current =
      document.questions === undefined ? null : await this.currentQuestions(manager, stored);
    const plan = planUpdate(stored, current?.questions ?? null, document);
    if (plan.changedFields.length === 0) {
      return answer(document, 'unchanged', stored.postId, plan);
    }
    if (document.dry_run !== true) {
      if (Object.keys(plan.columns).length > 0) {
        await manager.update(Campaign, { id: stored.id }, plan.columns);
      }
      if (plan.questions !== undefined) {
        const request = { post_id: stored.postId, questions: plan.questions };
        await this.questions.replace(stored.companyId, stored.type, request, manager);
      }
    }
    return answer(document, 'updated', stored.postId, plan);
  }

  private async currentQuestions(
    manager: EntityManager,
    { id: campaignId, questionSetVersion: version }: Campaign,
  ): Promise<QuestionSet | null> {
    return version === null ? null : manager.findOneBy(QuestionSet, { campaignId, version });
  }
}

function answer(
  { external_ref, dry_run = false }: CampaignDocumentDto,
  result: AppliedDocumentDto['result'],
  postId: string | null,
  { changedFields }: DocumentPlan,
): AppliedDocumentDto {
  return { post_id: postId, external_ref, result, changed_fields: changedFields, dry_run };
}
