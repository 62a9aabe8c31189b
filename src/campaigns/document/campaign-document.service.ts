import { Injectable } from '@nestjs/common';
import { Campaign } from '../campaign/campaign.entity';
import { noVersionToMatch, versionConflict } from '../campaign/campaign.errors';
import { statusFields } from '../campaign/campaign-status.dto';
import { CampaignService } from '../campaign/campaign.service';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ExpectedVersions, isExpected, mayCreate } from '../../platform/protocol/etag';
import { currencyOf, Principal } from '../../platform/caller/principal';
import { CampaignGuardrailsService } from '../guardrail/campaign-guardrails.service';
import { QuestionSet } from '../questions/question-set.entity';
import { TargetingService } from '../targeting/targeting.service';
import { EVERYBODY, Targeting } from '../targeting/targeting.types';
import { QuestionsService } from '../questions/questions.service';
import { AppliedDocumentDto, CampaignDocumentDto } from './campaign-document.dto';
import { requireCurrency } from './document-currency.rules';
import { DocumentPlan, planCreation, planTargeting, planUpdate } from './document-plan';

@Injectable()
export class CampaignDocumentService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly questions: QuestionsService,
    private readonly guardrails: CampaignGuardrailsService,
    private readonly targeting: TargetingService,
  ) {}

  /**
   * Creates or changes the campaign with the document's `external_ref` within the company to match
   * the document, in one transaction. Applying a document again changes nothing. A dry run executes
   * the same statements and rolls them back, so it is refused whenever the document would be.
   *
   * @throws ApiError `currency_mismatch`, `document_incomplete`, `wrong_campaign_type`,
   *   `feedback_not_enabled`, `questions_fixed`, `cohort_reward_mismatch`, `version_conflict`,
   *   `guardrail_name_taken`, `too_many_guardrails` or an error of `CAMPAIGN_ERRORS`
   */
  async apply(
    caller: Principal,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    requireCurrency(caller, document);
    const work = () => this.execute(caller, document, expected);
    return document.dry_run === true ? this.transaction.rehearse(work) : this.transaction.run(work);
  }

  private async execute(
    caller: Principal,
    document: CampaignDocumentDto,
    expected?: ExpectedVersions,
  ): Promise<AppliedDocument> {
    if (document.guardrails !== undefined) {
      await this.guardrails.lock(caller.callerId);
    }
    const stored = await this.find(caller, document);
    if (stored !== null) {
      return this.update(caller, stored, document, expected);
    }
    if (!mayCreate(expected)) {
      throw noVersionToMatch();
    }
    const plan = planTargeting(planCreation(document, currencyOf(caller)), EVERYBODY, document);
    const inserted = await this.create(caller, document, plan);
    if (inserted !== null) {
      const created = await this.keepStopped(caller, inserted, document, plan);
      const changed = await this.changed(caller, created, document, plan);
      return this.applied(caller, document, 'created', created, changed);
    }
    // Another request has created the campaign in the meantime, so compare with that one.
    const other = await this.find(caller, document);
    if (other === null) {
      throw new Error('a campaign with this external_ref was there, but is not');
    }
    return this.update(caller, other, document, expected);
  }

  /** Locks the campaign's row for the transaction. */
  private async find(
    { callerId: companyId }: Principal,
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
    { columns, set: content, targeting }: DocumentPlan,
  ): Promise<Versioned | null> {
    const campaign = await this.campaigns.createUnlessPresent(caller, columns);
    if (campaign === null) {
      return campaign;
    }
    let current: Versioned = campaign;
    const { postId } = campaign;
    if (content !== undefined && type !== undefined) {
      const set = await this.questions.replace(caller, type, { post_id: postId, ...content });
      current = { postId, version: set.campaignVersion };
    }
    return this.target(caller, current, targeting);
  }

  private async target(
    caller: Principal,
    current: Versioned,
    targeting: DocumentPlan['targeting'],
  ): Promise<Versioned> {
    if (targeting === undefined) {
      return current;
    }
    const { postId } = current;
    const stored = await this.targeting.replace(caller, postId, targeting, {
      parent: 'targeting.',
    });
    return { postId, version: stored.campaignVersion };
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
    const { companyId, id: campaignId, questionSetVersion: version } = stored;
    const current =
      document.questions === undefined || version === null
        ? null
        : await this.transaction.manager.findOneBy(QuestionSet, { companyId, campaignId, version });
    const plan = planTargeting(
      planUpdate(stored, current, document),
      await this.targetingOf(stored, document),
      document,
    );
    const updated = await this.write(caller, stored, plan, expected);
    const written = await this.keepStopped(caller, updated, document, plan);
    const changed = await this.changed(caller, stored, document, plan);
    const result = changed.length === 0 ? 'unchanged' : 'updated';
    const isWritten = result === 'updated' && document.dry_run !== true;
    return this.applied(caller, document, result, isWritten ? written : stored, changed);
  }

  /** Whom a campaign asks, if the document says so too. */
  private async targetingOf(
    { companyId, postId, targetingVersion }: Campaign,
    document: CampaignDocumentDto,
  ): Promise<Targeting> {
    return document.targeting === undefined || targetingVersion === null
      ? EVERYBODY
      : (await this.targeting.current(companyId, postId)).targeting;
  }

  private async applied(
    { callerId }: Principal,
    document: CampaignDocumentDto,
    result: AppliedDocumentDto['result'],
    { postId, version }: Versioned,
    changed_fields: string[],
  ): Promise<AppliedDocument> {
    const { external_ref, dry_run = false } = document;
    const exists = result !== 'created' || !dry_run;
    return {
      applied: {
        post_id: exists ? postId : null,
        external_ref,
        result,
        changed_fields,
        dry_run,
        ...statusFields(await this.campaigns.read(callerId, postId)),
      },
      version: exists ? version : null,
    };
  }

  private async write(
    caller: Principal,
    { postId, type, version }: Campaign,
    { columns, set: content, targeting }: DocumentPlan,
    expected: ExpectedVersions,
  ): Promise<Versioned> {
    let current: Versioned = { postId, version };
    if (Object.keys(columns).length > 0) {
      current = await this.campaigns.updateOwned(caller, postId, columns, expected);
    }
    if (content !== undefined) {
      const set = await this.questions.replace(
        caller,
        type,
        { post_id: postId, ...content },
        expected === undefined ? undefined : [current.version],
      );
      current = { postId, version: set.campaignVersion };
    }
    return this.target(caller, current, targeting);
  }

  /**
   * A `startsAt` that has passed starts the campaign as it is stored. Where the document wants it
   * stopped, it is stopped before anyone can see it live.
   */
  private async keepStopped(
    caller: Principal,
    written: Versioned,
    document: CampaignDocumentDto,
    { columns }: DocumentPlan,
  ): Promise<Versioned> {
    return document.is_live === false && columns.startsAt instanceof Date
      ? this.campaigns.updateOwned(caller, written.postId, { isLive: false })
      : written;
  }

  /** Gives a campaign the guardrails of the document; returns all fields that this has changed. */
  private async changed(
    { callerId: companyId }: Principal,
    { postId }: Versioned,
    { guardrails }: CampaignDocumentDto,
    { changedFields }: DocumentPlan,
  ): Promise<string[]> {
    const isChanged =
      guardrails !== undefined && (await this.guardrails.replace(companyId, postId, guardrails));
    return isChanged ? [...changedFields, 'guardrails'] : changedFields;
  }
}

/** A campaign and its version. */
type Versioned = Pick<Campaign, 'postId' | 'version'>;

/** The result of applying a document, and the campaign's version, if the campaign exists. */
export interface AppliedDocument {
  applied: AppliedDocumentDto;
  version: number | null;
}
