import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Campaign } from '../campaign/campaign.entity';
import { CampaignService } from '../campaign/campaign.service';
import type { CampaignType } from '../campaign/campaign-type';
import { newId } from '../database/identifiers';
import { ApiError } from '../http/api-error';
import { toStoredQuestion } from './question';
import { QuestionSet } from './question-set.entity';
import { SetQuestionsDto } from './questions.dto';

/**
 * Makes a new set the campaign's current one and stores it. The update takes the campaign's row,
 * so sets that are sent at once become current one after the other; it finds no row, and nothing
 * is stored, unless the campaign is the company's and can take the questions.
 */
const REPLACE_QUESTIONS = `
  WITH target AS (
    UPDATE campaign SET current_question_set_id = $1, updated_at = now()
    WHERE post_id = $2 AND company_id = $3 AND type = $4 AND has_feedback IS NOT FALSE
    RETURNING id
  )
  INSERT INTO question_set (question_id, campaign_id, questions, total_questions)
  SELECT $1, target.id, $5, $6 FROM target
  RETURNING campaign_id AS "campaignId", created_at AS "createdAt"`;

@Injectable()
export class QuestionsService {
  constructor(
    @InjectRepository(QuestionSet) private readonly questionSets: Repository<QuestionSet>,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Replaces a campaign's questions (sections 4.2 and 4.3). Earlier sets stay stored.
   *
   * @param type the kind of campaign that the questions are for
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `wrong_campaign_type` or
   *   `feedback_not_enabled`
   */
  async replace(
    companyId: string,
    type: CampaignType,
    { post_id, questions: sent }: SetQuestionsDto,
  ): Promise<QuestionSet> {
    const questionId = newId('qset');
    const questions = sent.map(toStoredQuestion);
    const totalQuestions = questions.length;
    const [row] = await this.questionSets.query<Pick<QuestionSet, 'campaignId' | 'createdAt'>[]>(
      REPLACE_QUESTIONS,
      [questionId, post_id, companyId, type, JSON.stringify(questions), totalQuestions],
    );
    if (row === undefined) {
      throw cannotTakeQuestions(await this.campaigns.findOwned(companyId, post_id), type);
    }
    return { questionId, questions, totalQuestions, ...row };
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
    return new ApiError(
      'feedback_not_enabled',
      'This advertisement was not created with has_feedback true.',
    );
  }
  return new Error('a campaign could take questions, but none were stored');
}
