import { Injectable } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { ApiError, summarize } from '../../platform/protocol/api-error';
import { QuestionsService } from '../questions/questions.service';
import { toCondition } from './condition.dto';
import type { Condition } from './condition.rules';
import type { WhenDto } from './guardrail.dto';
import { completeConditions } from './question-conditions.rules';

/** Checks the conditions of guardrails against the questions that they are about. */
@Injectable()
export class GuardrailConditions {
  constructor(private readonly questions: QuestionsService) {}

  /**
   * Returns conditions as they are stored, if they fit the current questions of the campaign.
   *
   * @param postId `undefined` for a guardrail of all campaigns
   * @param parent where `when` is in the request
   * @throws ApiError `validation_failed`
   */
  async check(
    companyId: StoredId,
    postId: string | undefined,
    { all }: WhenDto,
    parent?: string,
  ): Promise<Condition[]> {
    const conditions = all.map(toCondition);
    if (conditions.every(({ question }) => question === undefined)) {
      return conditions;
    }
    const questions =
      postId === undefined
        ? undefined
        : ((await this.questions.current(companyId, postId)).set?.questions ?? []);
    const { completed, details } = completeConditions(conditions, questions, parent);
    if (details.length > 0) {
      throw new ApiError('validation_failed', summarize(details), details);
    }
    return completed;
  }
}
