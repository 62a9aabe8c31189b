import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { newId } from '../database/identifiers';
import { TransactionContext } from '../database/transaction-context';
import { ExpectedVersions, isExpected, versionConflict } from '../http/etag';
import { actorOf, Principal } from '../http/principal';
import { QuestionSet } from '../questions/question-set.entity';
import { QuestionsService } from '../questions/questions.service';
import { AppliedDocumentDto, CampaignDocumentDto } from './campaign-document.dto';
import { DocumentPlan, planCreation, planUpdate } from './document-plan';

@Injectable()
export class CampaignDocumentService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly questions: QuestionsService,
  ) {}

  /**
   * Creates or changes the campaign that has the document's `external_ref` within the company, so
   * that it is as the document says, in one transaction. Applying a document again changes nothing.
   *
   * @throws ApiError `validation_failed`, `wrong_campaign_type`, `feedback_not_enabled`,
   *   `questions_fixed`, `cohort_reward_mismatch` or `version_conflict`
   */
  async apply(
    caller: Principal,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    return this.transaction.run(async () => {
      const stored = await this.find(caller, document);
      if (stored !== null) {
        return this.update(caller, stored, document, expected);
      }
      if (expected !== undefined) {
        throw versionConflict();
      }
      const plan = planCreation(document);
      if (document.dry_run === true) {
        return answer(document, 'created', null, plan);
      }
      const created = await this.create(caller, document, plan);
      if (created !== null) {
        return answer(document, 'created', created, plan);
      }
      // Another request has created it since; now it is there to be compared with.
      const other = await this.find(caller, document);
      if (other === null) {
        throw new Error('a campaign with this external_ref was there, but is not');
      }
      return this.update(caller, other, document);
    });
  }

  /** Takes the campaign's row for the transaction, unless nothing will be written. */
  private async find(
    { companyId }: Principal,
    { external_ref, dry_run }: CampaignDocumentDto,
  ): Promise<Campaign | null> {
    return this.transaction.manager.findOne(Campaign, {
      where: { companyId, externalRef: external_ref },
      ...(dry_run === true ? {} : { lock: { mode: 'pessimistic_write' } }),
    });
  }

  /** Creates the campaign; `null` where another request was first. */
  private async create(
    caller: Principal,
    { type }: CampaignDocumentDto,
    { columns, questions }: DocumentPlan,
  ): Promise<Versioned | null> {
    const { companyId } = caller;
    const postId = newId('post');
    const result = await this.transaction.manager
      .createQueryBuilder()
      .insert()
      .into(Campaign)
      .values({ ...columns, postId, companyId, updatedBy: actorOf(caller) })
      .orIgnore()
      .returning(['version'])
      .updateEntity(false)
      .execute();
    const [row] = result.raw as { version: number }[];
    if (row === undefined) {
      return null;
    }
    if (questions === undefined || type === undefined) {
      return { postId, version: row.version };
    }
    const set = await this.questions.replace(caller, type, { post_id: postId, questions });
    return { postId, version: set.campaignVersion };
  }

  private async update(
    caller: Principal,
    stored: Campaign,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    if (!isExpected(stored.version, expected)) {
      throw versionConflict();
    }
    const current = document.questions === undefined ? null : await this.currentQuestions(stored);
    const plan = planUpdate(stored, current?.questions ?? null, document);
    if (plan.changedFields.length === 0) {
      return answer(document, 'unchanged', stored, plan);
    }
    if (document.dry_run === true) {
      return answer(document, 'updated', stored, plan);
    }
    return answer(document, 'updated', await this.write(caller, stored, plan), plan);
  }

  private async write(
    caller: Principal,
    { postId, type, version }: Campaign,
    { columns, questions }: DocumentPlan,
  ): Promise<Versioned> {
    let current: Versioned = { postId, version };
    if (Object.keys(columns).length > 0) {
      current = await this.campaigns.updateOwned(caller, postId, columns);
    }
    if (questions !== undefined) {
      const set = await this.questions.replace(caller, type, { post_id: postId, questions });
      current = { postId, version: set.campaignVersion };
    }
    return current;
  }

  private async currentQuestions({
    id: campaignId,
    questionSetVersion: version,
  }: Campaign): Promise<QuestionSet | null> {
    return version === null
      ? null
      : this.transaction.manager.findOneBy(QuestionSet, { campaignId, version });
  }
}

/** A campaign and how often it has changed. */
type Versioned = Pick<Campaign, 'postId' | 'version'>;

/** What applying a document came to, and the version the campaign has now, if there is one. */
export interface AppliedDocument {
  applied: AppliedDocumentDto;
  version: number | null;
}

function answer(
  { external_ref, dry_run = false }: CampaignDocumentDto,
  result: AppliedDocumentDto['result'],
  campaign: Versioned | null,
  { changedFields }: DocumentPlan,
): AppliedDocument {
  return {
    applied: {
      post_id: campaign?.postId ?? null,
      external_ref,
      result,
      changed_fields: changedFields,
      dry_run,
    },
    version: campaign?.version ?? null,
  };
}
