import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { noVersionToMatch, versionConflict } from '../campaign/campaign.errors';
import { CampaignService } from '../campaign/campaign.service';
import { TransactionContext } from '../database/transaction-context';
import { ExpectedVersions, isExpected } from '../http/etag';
import { Principal } from '../http/principal';
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
   * Creates or changes the campaign with the document's `external_ref` within the company to match
   * the document, in one transaction. Applying a document again changes nothing. A dry run executes
   * the same statements and rolls them back, so it is refused whenever the document would be.
   *
   * @throws ApiError `document_incomplete`, `wrong_campaign_type`, `feedback_not_enabled`,
   *   `questions_fixed`, `cohort_reward_mismatch`, `version_conflict` or an error of `LIFE_ERRORS`
   */
  async apply(
    caller: Principal,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    const work = () => this.execute(caller, document, expected);
    return document.dry_run === true ? this.transaction.rehearse(work) : this.transaction.run(work);
  }

  private async execute(
    caller: Principal,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    const stored = await this.find(caller, document);
    if (stored !== null) {
      return this.update(caller, stored, document, expected);
    }
    if (expected !== undefined) {
      throw noVersionToMatch();
    }
    const plan = planCreation(document);
    const created = await this.create(caller, document, plan);
    if (created !== null) {
      return toApplied(document, 'created', document.dry_run === true ? null : created, plan);
    }
    // Another request has created the campaign in the meantime, so compare with that one.
    const other = await this.find(caller, document);
    if (other === null) {
      throw new Error('a campaign with this external_ref was there, but is not');
    }
    return this.update(caller, other, document);
  }

  /** Locks the campaign's row for the transaction. */
  private async find(
    { companyId }: Principal,
    { external_ref }: CampaignDocumentDto,
  ): Promise<Campaign | null> {
    return this.transaction.manager.findOne(Campaign, {
      where: { companyId, externalRef: external_ref },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Creates the campaign, or returns `null` if another request created it first. */
  private async create(
    caller: Principal,
    { type }: CampaignDocumentDto,
    { columns, questions }: DocumentPlan,
  ): Promise<Versioned | null> {
    const campaign = await this.campaigns.createUnlessPresent(caller, columns);
    if (campaign === null || questions === undefined || type === undefined) {
      return campaign;
    }
    const { postId } = campaign;
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
      return toApplied(document, 'unchanged', stored, plan);
    }
    const written = await this.write(caller, stored, plan, expected);
    return toApplied(document, 'updated', document.dry_run === true ? stored : written, plan);
  }

  private async write(
    caller: Principal,
    { postId, type, version }: Campaign,
    { columns, questions }: DocumentPlan,
    expected: ExpectedVersions,
  ): Promise<Versioned> {
    let current: Versioned = { postId, version };
    if (Object.keys(columns).length > 0) {
      current = await this.campaigns.updateOwned(caller, postId, columns, expected);
    }
    if (questions !== undefined) {
      const set = await this.questions.replace(
        caller,
        type,
        { post_id: postId, questions },
        expected === undefined ? undefined : [current.version],
      );
      current = { postId, version: set.campaignVersion };
    }
    return current;
  }

  private async currentQuestions({
    companyId,
    id: campaignId,
    questionSetVersion: version,
  }: Campaign): Promise<QuestionSet | null> {
    return version === null
      ? null
      : this.transaction.manager.findOneBy(QuestionSet, { companyId, campaignId, version });
  }
}

/** A campaign and its version. */
type Versioned = Pick<Campaign, 'postId' | 'version'>;

/** The result of applying a document, and the campaign's version, if the campaign exists. */
export interface AppliedDocument {
  applied: AppliedDocumentDto;
  version: number | null;
}

function toApplied(
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
