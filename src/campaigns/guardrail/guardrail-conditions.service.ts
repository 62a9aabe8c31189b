import { Injectable } from '@nestjs/common';
import type { StoredId } from '../../platform/database/identifiers';
import { ApiError, ErrorDetail, fieldDetail, summarize } from '../../platform/protocol/api-error';
import { QuestionsService } from '../questions/questions.service';
import { toCondition } from './condition.dto';
import type { Condition } from './condition.rules';
import type { WhenDto } from './guardrail.dto';
import { TargetingService } from '../targeting/targeting.service';
import { completeConditions } from './question-conditions.rules';

/** Checks the conditions of guardrails against the questions and quotas that they are about. */
@Injectable()
export class GuardrailConditions {
  constructor(
    private readonly questions: QuestionsService,
    private readonly targeting: TargetingService,
  ) {}

  /**
   * Returns conditions as they are stored, if they fit the current questions and quotas of the
   * campaign.
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
    const details = await this.unknownQuotas(companyId, postId, conditions, parent);
    const isOfQuestion = conditions.some(({ question }) => question !== undefined);
    const questions =
      postId === undefined || !isOfQuestion
        ? undefined
        : ((await this.questions.current(companyId, postId)).set?.questions ?? []);
    const { completed, details: misfits } = completeConditions(conditions, questions, parent);
    details.push(...misfits);
    if (details.length > 0) {
      throw new ApiError('validation_failed', summarize(details), details);
    }
    return completed;
  }

  private async unknownQuotas(
    companyId: StoredId,
    postId: string | undefined,
    conditions: readonly Condition[],
    parent = '',
  ): Promise<ErrorDetail[]> {
    if (conditions.every(({ quota }) => quota === undefined)) {
      return [];
    }
    const known =
      postId === undefined
        ? undefined
        : (await this.targeting.current(companyId, postId)).targeting.quotas;
    const must =
      known === undefined
        ? 'is only for a guardrail of one campaign'
        : 'must name a quota of the campaign';
    return conditions.flatMap(({ quota }, index) => {
      const at = `${parent}when.all[${index}].quota`;
      return quota === undefined || known?.some(({ name }) => name === quota)
        ? []
        : [fieldDetail(at, 'not_allowed', must)];
    });
  }
}
