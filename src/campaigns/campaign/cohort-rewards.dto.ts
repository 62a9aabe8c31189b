import { ResourceField } from '../../platform/openapi/resource-fields';
import { Money } from '../../platform/validation/fields/number.fields';
import { COHORT_1_MINIMUM, CohortRewards } from './cohort-ladder.rules';

/** What each cohort is paid (section 2.3). */
export class CohortRewardsDto {
  /** Attention score 0–2. */
  @ResourceField(Money, {
    minimum: COHORT_1_MINIMUM,
    example: 5,
    create: 'Attention score 0–2; at least 3.',
  })
  cohort_1_reward!: number;

  /** Attention score 2–4. */
  @ResourceField(Money, { minimum: 0, example: 35 })
  cohort_2_reward!: number;

  /** Attention score 4–6. */
  @ResourceField(Money, { minimum: 0, example: 55.5 })
  cohort_3_reward!: number;

  /** Attention score 6–8. */
  @ResourceField(Money, { minimum: 0, example: 75 })
  cohort_4_reward!: number;

  /** Attention score 8–10; equals the campaign's reward_amount. */
  @ResourceField(Money, {
    minimum: 0,
    example: 100,
    create: "Attention score 8–10; must equal the campaign's reward_amount.",
  })
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
