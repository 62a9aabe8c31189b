import type { Participation } from '../../fielding/participations/participation.entity';
import type { Answer } from '../../campaigns/questions/answer.rules';

/** A response as its client sees it. */
export interface SubmittedResponse {
  participation: Participation;
  submittedAt: Date;
  /** `null` once the respondent is erased. */
  respondent: string | null;
  questionId: string | null;
  answers: Answer[] | null;
}
