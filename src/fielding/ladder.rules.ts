import type { CohortRewardsDto } from '../campaign/cohort-rewards.dto';

/** Returns the rewards of the five cohorts, from the lowest, as they are on the wire. */
export function ladderOf([one, two, three, four, five]: readonly string[]): CohortRewardsDto {
  return {
    cohort_1_reward: Number(one),
    cohort_2_reward: Number(two),
    cohort_3_reward: Number(three),
    cohort_4_reward: Number(four),
    cohort_5_reward: Number(five),
  };
}
