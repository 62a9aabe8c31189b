import { Injectable } from '@nestjs/common';
import { LessThan, Repository } from 'typeorm';
import type { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import type { CampaignType } from '../campaign/campaign-type';
import { newId } from '../database/identifiers';
import { ApiError } from '../http/api-error';
import { TransactionContext } from '../database/transaction-context';
import { ExpectedVersions } from '../http/etag';
import { actorOf, Principal } from '../http/principal';
import { cutPage, Page, readCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../http/page.dto';
import { toStoredQuestion } from './question';
import { QuestionSet } from './question-set.entity';
import { SetQuestionsDto } from './questions.dto';
import { feedbackNotEnabled, questionsFixed } from './questions.errors';

/**
 * Counts a campaign's current version up and stores the set under it. The update takes the
 * campaign's row, so sets that are sent at once become current one after the other; it finds no
 * row, and nothing is stored, unless the campaign is the company's and can take the questions.
 */
const REPLACE_QUESTIONS = `
  WITH target AS (
    UPDATE campaign
    SET question_set_version = coalesce(question_set_version, 0) + 1, updated_by = $7
    WHERE post_id = $2 AND company_id = $3 AND type = $4
      AND has_feedback IS NOT FALSE AND image_survey IS NULL
      AND ($8::integer[] IS NULL OR version = ANY ($8))
    RETURNING id, version, question_set_version
  )
  INSERT INTO question_set (question_id, campaign_id, version, questions, total_questions)
  SELECT $1, target.id, target.question_set_version, $5, $6 FROM target
  RETURNING campaign_id AS "campaignId", version, created_at AS "createdAt",
    (SELECT target.version FROM target) AS "campaignVersion"`;

/** PostgreSQL's largest integer. */
const VERSION_MAXIMUM = 2_147_483_647;

/** A question set as it was just stored, with the version its campaign has now. */
export type StoredQuestionSet = QuestionSet & { campaignVersion: number };

type StoredRow = Omit<StoredQuestionSet, 'questionId' | 'questions' | 'totalQuestions'>;

@Injectable()
export class QuestionsService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
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
    { post_id, questions: sent }: SetQuestionsDto,
    expected?: ExpectedVersions,
  ): Promise<StoredQuestionSet> {
    const { companyId } = caller;
    const questionId = newId('qset');
    const questions = sent.map(toStoredQuestion);
    const totalQuestions = questions.length;
    const [row] = await this.questionSets.query<StoredRow[]>(REPLACE_QUESTIONS, [
      questionId,
      post_id,
      companyId,
      type,
      JSON.stringify(questions),
      totalQuestions,
      actorOf(caller),
      expected ?? null,
    ]);
    if (row === undefined) {
      const campaign = await this.campaigns.findOwned(companyId, post_id, expected);
      throw cannotTakeQuestions(campaign, type);
    }
    return { questionId, questions, totalQuestions, ...row };
  }

  /**
   * A campaign's current question set, `null` where none was set.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async current(
    companyId: string,
    postId: string,
  ): Promise<{ campaign: Campaign; set: QuestionSet | null }> {
    const campaign = await this.campaigns.findOwned(companyId, postId);
    const { id: campaignId, questionSetVersion: version } = campaign;
    const set =
      version === null ? null : await this.questionSets.findOneBy({ campaignId, version });
    return { campaign, set };
  }

  /**
   * A page of every question set a campaign was ever given, newest first. The unique index of
   * campaign and version serves it.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, or `validation_failed` if the
   *   cursor is not one of this list
   */
  async history(
    companyId: string,
    postId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<{ campaign: Campaign; sets: Page<QuestionSet> }> {
    const [before] = cursor === undefined ? [] : readCursor(cursor, postId, ['number']);
    const campaign = await this.campaigns.findOwned(companyId, postId);
    const rows = await this.questionSets.find({
      where: {
        campaignId: campaign.id,
        ...(before === undefined
          ? {}
          : { version: LessThan(Math.min(Number(before), VERSION_MAXIMUM)) }),
      },
      order: { version: 'DESC' },
      take: limit + 1,
    });
    return { campaign, sets: cutPage(rows, limit, ({ version }) => [String(version)], postId) };
  }
}

/** Why a campaign that is the company's cannot be given questions for campaigns of a type. */
function cannotTakeQuestions(campaign: Campaign, type: CampaignType): Error {
  if (campaign.type !== type) {
    return new ApiError(
      'wrong_campaign_type',
      `These questions are for a campaign of type ${type}; this one is of type ${campaign.type}.`,
    );
  }
  if (campaign.hasFeedback === false) {
    return feedbackNotEnabled();
  }
  if (campaign.imageSurvey !== null) {
    return questionsFixed();
  }
  return new Error('a campaign could take questions, but none were stored');
}
