import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import { versionConflict } from '../campaign/campaign.errors';
import { DueCampaignsService } from '../campaign/due-campaigns.service';
import type { CampaignType } from '../campaign/campaign.types';
import { newId, StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError } from '../../platform/protocol/api-error';
import { acceptedVersions, ExpectedVersions, isExpected } from '../../platform/protocol/etag';
import { actorOf, Principal } from '../../platform/caller/principal';
import { toStoredSet } from './question.rules';
import { QuestionSet } from './question-set.entity';
import type { QuestionSetContentDto } from './question-set.dto';
import type { SetQuestionsDto } from './questions.dto';
import { feedbackNotEnabled, questionsFixed } from './questions.errors';

/**
 * Increments the version of a campaign's question set and stores the set under it. The update locks
 * the campaign's row, so sets that are sent at once become current one after the other. It matches
 * no row, and nothing is stored, unless the campaign is the company's and can take the questions.
 *
 * A cluster runs the parts one by one, so the last of them reads what the first two return.
 */
const REPLACE_QUESTIONS = `
  WITH target AS (
    UPDATE campaign
    SET question_set_version = coalesce(question_set_version, 0) + 1, updated_by = $7
    WHERE company_id = $3 AND post_id = $2 AND type = $4
      AND has_feedback IS NOT FALSE AND image_survey IS NULL
      AND ($8::integer[] IS NULL OR version = ANY ($8))
    RETURNING id, version, question_set_version
  ), stored AS (
    INSERT INTO question_set
      (company_id, campaign_id, version, question_id, questions, total_questions, language,
       translations, sections)
    SELECT $3, target.id, target.question_set_version, $1, $5, $6, $9, $10, $11
    FROM target
    RETURNING campaign_id, version, created_at
  )
  SELECT stored.campaign_id AS "campaignId", stored.version, stored.created_at AS "createdAt",
    target.version AS "campaignVersion"
  FROM target, stored`;

/**
 * Gives a campaign a question set of another one of its kind. The questions do not leave the
 * database: to parse and write 2 MiB of them takes longer than other requests should wait.
 */
const COPY_QUESTIONS = `
  WITH target AS (
    UPDATE campaign
    SET question_set_version = coalesce(question_set_version, 0) + 1, updated_by = $4
    WHERE company_id = $3 AND post_id = $2
    RETURNING id, version, question_set_version
  ), stored AS (
    INSERT INTO question_set
      (company_id, campaign_id, version, question_id, questions, total_questions, language,
       translations, sections)
    SELECT $3, target.id, target.question_set_version, $1, source.questions, source.total_questions,
      source.language, source.translations, source.sections
    FROM target, question_set AS source
    WHERE source.company_id = $3 AND source.campaign_id = $5 AND source.version = $6
    RETURNING campaign_id
  )
  SELECT target.version FROM target, stored`;

/** A question set as it was just stored, with the version its campaign has now. */
export type StoredQuestionSet = QuestionSet & { campaignVersion: number };

type StoredRow = Pick<
  StoredQuestionSet,
  'campaignId' | 'version' | 'createdAt' | 'campaignVersion'
>;

@Injectable()
export class QuestionsService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
    private readonly due: DueCampaignsService,
  ) {}

  private get questionSets(): Repository<QuestionSet> {
    return this.transaction.manager.getRepository(QuestionSet);
  }

  /**
   * Replaces a campaign's questions (sections 4.2 and 4.3). Earlier sets stay stored.
   *
   * @param type the kind of campaign that the questions are for
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `wrong_campaign_type`,
   *   `feedback_not_enabled`, `questions_fixed` or `version_conflict`
   */
  async replace(
    caller: Principal,
    type: CampaignType,
    { post_id, ...sent }: Pick<SetQuestionsDto, 'post_id'> & QuestionSetContentDto,
    expected?: ExpectedVersions,
  ): Promise<StoredQuestionSet> {
    const { callerId: companyId } = caller;
    const questionId = newId('qset');
    const content = toStoredSet(sent);
    const { questions, language, translations, sections } = content;
    const totalQuestions = questions.length;
    const [row] = await this.questionSets.query<StoredRow[]>(REPLACE_QUESTIONS, [
      questionId,
      post_id,
      companyId,
      type,
      JSON.stringify(questions),
      totalQuestions,
      actorOf(caller),
      acceptedVersions(expected) ?? null,
      language,
      toJson(translations),
      toJson(sections),
    ]);
    if (row === undefined) {
      const campaign = await this.campaigns.findOwned(companyId, post_id);
      const refusal = whyNotReplaced(campaign, type, expected);
      if (refusal !== undefined) {
        throw refusal;
      }
      // A start or an end has come, which is stored before any other change.
      await this.due.settle(companyId, [campaign.id]);
      return this.replace(caller, type, { post_id, ...sent }, expected);
    }
    return { companyId, questionId, ...content, totalQuestions, ...row };
  }

  /**
   * Gives a campaign the questions that another one had when it was read.
   *
   * @returns the version of the campaign that has them now
   */
  async copy(caller: Principal, { id, questionSetVersion }: Campaign, to: string): Promise<number> {
    const [row] = await this.questionSets.query<[{ version: number }]>(COPY_QUESTIONS, [
      newId('qset'),
      to,
      caller.callerId,
      actorOf(caller),
      id,
      questionSetVersion,
    ]);
    return row.version;
  }

  /**
   * A campaign with its current question set, `null` if it has none.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async current(
    companyId: StoredId,
    postId: string,
  ): Promise<{ campaign: Campaign; set: QuestionSet | null }> {
    const campaigns = this.transaction.manager.getRepository(Campaign);
    const [row] = await campaigns.query<Record<string, unknown>[]>(
      `SELECT ${columnList(campaigns)}, current.question_id, current.questions,
         current.total_questions, current.language, current.translations, current.sections,
         current.created_at AS stored_at
       FROM campaign
       LEFT JOIN question_set AS current
         ON current.company_id = campaign.company_id
         AND current.campaign_id = campaign.id
         AND current.version = campaign.question_set_version
       WHERE campaign.company_id = $1 AND campaign.post_id = $2`,
      [companyId, postId],
    );
    if (row === undefined) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const campaign = toEntity(campaigns, row);
    const set =
      row.question_id === null
        ? null
        : toEntity(this.questionSets, {
            ...row,
            campaign_id: campaign.id,
            version: campaign.questionSetVersion,
            created_at: row.stored_at,
          });
    return { campaign, set };
  }
}

const toJson = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** Why a campaign that is the company's was not given questions. Its kind never changes. */
function whyNotReplaced(
  campaign: Campaign,
  type: CampaignType,
  expected: ExpectedVersions,
): ApiError | undefined {
  if (!isExpected(campaign.version, expected)) {
    return versionConflict();
  }
  if (campaign.type !== type) {
    return new ApiError(
      'wrong_campaign_type',
      `These questions are for a campaign of type ${type}; this one is of type ${campaign.type}.`,
    );
  }
  if (campaign.hasFeedback === false) {
    return feedbackNotEnabled();
  }
  return campaign.imageSurvey === null ? undefined : questionsFixed();
}
