import { Injectable } from '@nestjs/common';
import { DeepPartial, Repository } from 'typeorm';
import { companyOf } from '../../platform/caller/environment.rules';
import { withConstraints } from '../../platform/database/constraint-violation';
import type { StoredId } from '../../platform/database/identifiers';
import {
  insertRow,
  insertRowIfAbsent,
  statementWith,
  toEntity,
  updateRow,
} from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import { acceptedVersions, ExpectedVersions, isExpected } from '../../platform/protocol/etag';
import { actorOf, currencyOf, Principal } from '../../platform/caller/principal';
import type { CampaignProgressDto } from './campaign-progress.dto';
import { CONTENT, isEndBeforeStart, toColumns } from './campaign.columns';
import { CreateCampaignDto, UpdateCampaignDto } from './campaign.dto';
import { Campaign, CampaignState, STATE } from './campaign.entity';
import {
  CAMPAIGN_ERRORS,
  campaignNotFound,
  campaignNotOwned,
  endsBeforeStart,
  nothingToUpdate,
  versionConflict,
} from './campaign.errors';
import type { BlockReason } from './campaign.types';
import { addCurrentState } from './current-state';
import { DueCampaignsService } from './due-campaigns.service';
import { PostIds } from './post-ids.service';
import { PROGRESS } from './progress.columns';
import {
  QUESTION_SUMMARY,
  QuestionSummaryRow,
  toQuestionSummary,
} from './question-summary.columns';
import { BLOCKED_BY } from './status.columns';

const read = (columns: string) => `
  SELECT ${columns}, ${BLOCKED_BY} AS blocked_by, ${PROGRESS} AS progress, ${QUESTION_SUMMARY}
  FROM campaign
  LEFT JOIN question_set AS questions
    ON questions.company_id = campaign.company_id
    AND questions.campaign_id = campaign.id
    AND questions.version = campaign.question_set_version
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

/** Every statement names the company, so that a cluster runs it on one node. */
@Injectable()
export class CampaignService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly due: DueCampaignsService,
    private readonly postIds: PostIds,
  ) {}

  private get campaigns(): Repository<Campaign> {
    return this.transaction.manager.getRepository(Campaign);
  }

  /**
   * Creates a stopped campaign with the default cohort rewards (sections 4.1 and 4.7), in one
   * statement.
   *
   * @param kind what is fixed at the creation
   * @throws ApiError `ends_before_start`
   */
  async create(
    caller: Principal,
    described: CreateCampaignDto,
    kind: DeepPartial<Campaign>,
  ): Promise<CampaignState> {
    const content = toColumns(described, currencyOf(caller));
    return this.insert(Object.assign(content, kind, this.identityFor(caller)));
  }

  /**
   * Creates a campaign under its `externalRef`.
   *
   * @returns `null` if the company has a campaign with this `externalRef` already
   * @throws ApiError `ends_before_start`
   */
  async createUnlessPresent(
    caller: Principal,
    columns: DeepPartial<Campaign>,
  ): Promise<Campaign | null> {
    const values = { ...columns, ...this.identityFor(caller) };
    return withConstraints(() => insertRowIfAbsent(this.campaigns, values), CAMPAIGN_ERRORS);
  }

  /**
   * Changes the fields that are present, and with `reward_amount` the cohort rewards too (section
   * 4.4). One statement checks the owner and changes the row.
   *
   * @throws ApiError `nothing_to_update` or an error of {@link updateOwned}
   */
  async update(
    caller: Principal,
    { post_id, ...changes }: UpdateCampaignDto,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const set = toColumns(changes, currencyOf(caller));
    if (Object.keys(set).length === 0) {
      throw nothingToUpdate();
    }
    return this.updateOwned(caller, post_id, set, expected);
  }

  /**
   * Changes a campaign of a company, in one statement. The database compares what depends on each
   * other, against the current row. While a start or an end that has come is not stored yet, the
   * statement matches no row, so that is stored first, in a version of its own.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `version_conflict` or an error of
   *   {@link CAMPAIGN_ERRORS}
   */
  async updateOwned(
    caller: Principal,
    postId: string,
    set: Partial<Campaign>,
    expected?: ExpectedVersions,
  ): Promise<Campaign> {
    const { callerId: companyId } = caller;
    const versions = acceptedVersions(expected);
    const values = Object.assign({}, set, { updatedBy: actorOf(caller) });
    const where = { companyId, postId, ...(versions && { version: versions }) };
    const endsTooEarly = isEndBeforeStart(set);
    const campaign = endsTooEarly
      ? null
      : await withConstraints(() => updateRow(this.campaigns, values, where), CAMPAIGN_ERRORS);
    if (campaign !== null) {
      return addCurrentState(this.campaigns, campaign);
    }
    const { id, version } = await this.findOwned(companyId, postId);
    if (!isExpected(version, expected)) {
      throw versionConflict();
    }
    if (endsTooEarly) {
      throw endsBeforeStart();
    }
    await this.due.settle(companyId, [id]);
    return this.updateOwned(caller, postId, set, expected);
  }

  /**
   * Returns a campaign of a company.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async findOwned(companyId: StoredId, postId: string): Promise<Campaign> {
    const campaign = await this.campaigns.findOneBy({ companyId, postId });
    if (campaign === null) {
      throw await this.whyNotFound(companyId, postId);
    }
    return campaign;
  }

  /**
   * Whether a missing campaign belongs to another company or does not exist. The company's other
   * environment does not exist for the caller.
   */
  async whyNotFound(companyId: StoredId, postId: string): Promise<ApiError> {
    const found = await this.postIds.find(postId);
    return found === undefined || companyOf(found.companyId) === companyOf(companyId)
      ? campaignNotFound()
      : campaignNotOwned();
  }

  /**
   * Returns a campaign with its current question set, but without the questions themselves.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async read(companyId: StoredId, postId: string): Promise<Campaign> {
    const [row] = await this.campaigns.query<ReadRow[]>(statementWith(this.campaigns, read), [
      companyId,
      postId,
    ]);
    if (row === undefined) {
      throw await this.whyNotFound(companyId, postId);
    }
    const campaign = toEntity(this.campaigns, row);
    campaign.blockedBy = row.blocked_by;
    campaign.progress = row.progress;
    campaign.currentQuestionSet = toQuestionSummary(row);
    return campaign;
  }

  /** Creates a draft with another campaign's content, without its questions. */
  async copy(caller: Principal, source: Campaign, title = source.title): Promise<CampaignState> {
    const content = Object.fromEntries(CONTENT.map((column) => [column, source[column]]));
    return this.insert({ ...content, title, ...this.identityFor(caller) });
  }

  private async insert(values: DeepPartial<Campaign>): Promise<CampaignState> {
    const insert = () => insertRow(this.campaigns, values, STATE);
    return addCurrentState(this.campaigns, await withConstraints(insert, CAMPAIGN_ERRORS));
  }

  private identityFor(caller: Principal): DeepPartial<Campaign> {
    const companyId = caller.callerId;
    const postId = this.postIds.create(companyId);
    return { postId, companyId, currency: currencyOf(caller), updatedBy: actorOf(caller) };
  }
}

interface ReadRow extends QuestionSummaryRow, Record<string, unknown> {
  blocked_by: BlockReason | null;
  progress: CampaignProgressDto | null;
}
