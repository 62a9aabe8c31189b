import { ResponseMoney } from '../../platform/openapi/response-fields';
import type { CohortRewards } from './cohort-ladder.rules';

/** What each cohort is paid (section 2.3). */
export class CohortRewardsDto {
  /** Attention score 0–2. */
  @ResponseMoney()
  cohort_1_reward!: number;

  /** Attention score 2–4. */
  @ResponseMoney()
  cohort_2_reward!: number;

  /** Attention score 4–6. */
  @ResponseMoney()
  cohort_3_reward!: number;

  /** Attention score 6–8. */
  @ResponseMoney()
  cohort_4_reward!: number;

  /** Attention score 8–10; equals the campaign's reward_amount. */
  @ResponseMoney()
  cohort_5_reward!: number;

  // A decimal of at most twelve digits is exact after the conversion to a double and back.
  static from([one, two, three, four, five]: CohortRewards): CohortRewardsDto {
    return {
      cohort_1_reward: Number(one),
      cohort_2_reward: Number(two),
      cohort_3_reward: Number(three),
      cohort_4_reward: Number(four),
      cohort_5_reward: Number(five),
    };
  }
}
