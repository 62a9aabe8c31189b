import { Injectable } from '@nestjs/common';
import { CampaignService } from '../campaign/campaign.service';
import type { StoredId } from '../../platform/database/identifiers';
import { TransactionContext } from '../../platform/database/transaction-context';
import { ApiError, fieldDetail, fieldError, summarize } from '../../platform/protocol/api-error';
import { problem } from '../../platform/validation/fields/field';
import { positionsByKey } from '../questions/answer.rules';
import { checkCondition } from '../questions/condition.rules';
import type { Question } from '../questions/question.types';
import { ALL, Answered, Audience, Targeting } from './targeting.types';

const QUESTIONS = `
  SELECT q.questions FROM campaign AS c
  JOIN question_set AS q ON q.company_id = $1 AND q.campaign_id = c.id
    AND q.version = c.question_set_version
  WHERE c.company_id = $1 AND c.post_id = $2`;

const FIND = 'SELECT id, post_id FROM campaign WHERE company_id = $1 AND post_id = ANY ($2)';

/** Looks up the campaigns that rules name. They are never deleted. */
@Injectable()
export class Audiences {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Returns what the rules of a campaign say about what respondents have done; `null` if nothing.
   *
   * @param parent where the rules are in the request
   * @throws ApiError `validation_failed` if the campaign names itself, or `campaign_not_found` or
   *   `campaign_not_owned`, with the path of the campaign
   */
  async of(
    companyId: StoredId,
    postId: string,
    { exclude, include, at_most }: Targeting,
    parent: string,
  ): Promise<Audience | null> {
    if (exclude === null && include === null && at_most === null) {
      return null;
    }
    const excluded = exclude === null || exclude.campaigns === ALL ? null : exclude.campaigns;
    const named = [
      ...(excluded ?? []).map((id, index) => [id, `${parent}exclude.campaigns[${index}]`] as const),
      ...(include === null ? [] : [[include.campaign, `${parent}include.campaign`] as const]),
    ];
    const ids = await this.find(companyId, postId, new Map(named.toReversed()));
    if (include?.answered !== undefined) {
      await this.checkAnswered(companyId, include.campaign, include.answered, parent);
    }
    const numberOf = (id: string) => ids.get(id) ?? 0;
    return {
      exclude: exclude && {
        campaigns: excluded?.map(numberOf) ?? null,
        days: exclude.within_days ?? null,
      },
      include: include && {
        campaign: numberOf(include.campaign),
        cohorts: include.cohorts ?? null,
        answered: include.answered ?? null,
      },
      at_most: at_most && { responses: at_most.responses, days: at_most.per_days },
    };
  }

  /** Compares conditions with the questions that the campaign has now. */
  private async checkAnswered(
    companyId: StoredId,
    postId: string,
    answered: Answered,
    parent: string,
  ): Promise<void> {
    const [row] = await this.transaction.manager.query<{ questions: Question[] }[]>(QUESTIONS, [
      companyId,
      postId,
    ]);
    const positions = positionsByKey(row?.questions ?? null);
    const list = answered.all === undefined ? 'any' : 'all';
    const details = (answered[list] ?? []).flatMap((condition, place) => {
      const path = `${parent}include.answered.${list}[${place}]`;
      const question = row?.questions[(positions.get(condition.question) ?? 0) - 1];
      const problems =
        question === undefined
          ? problem('not_allowed', 'must be the key of a question of the campaign', '.question')
          : checkCondition(condition, question);
      return problems.map(({ at = '', code, message }) => fieldDetail(path + at, code, message));
    });
    if (details.length > 0) {
      throw new ApiError('validation_failed', summarize(details), details);
    }
  }

  /** Returns the numbers of campaigns, which are given with their paths. */
  private async find(
    companyId: StoredId,
    postId: string,
    named: ReadonlyMap<string, string>,
  ): Promise<Map<string, number>> {
    const itself = named.get(postId);
    if (itself !== undefined) {
      throw fieldError(itself, 'not_allowed', `${itself} must be another campaign.`);
    }
    const found = new Map<string, number>();
    if (named.size > 0) {
      const rows = await this.transaction.manager.query<{ id: string; post_id: string }[]>(FIND, [
        companyId,
        [...named.keys()],
      ]);
      for (const { id, post_id } of rows) {
        found.set(post_id, Number(id));
      }
    }
    for (const [id, field] of named) {
      if (!found.has(id)) {
        const { code } = await this.campaigns.whyNotFound(companyId, id);
        const message = `${field} must be the post_id of a campaign of yours.`;
        throw fieldError(field, 'not_allowed', message, code);
      }
    }
    return found;
  }
}
