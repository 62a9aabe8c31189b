import type { QuestionSetSummary } from './campaign.entity';

/** The columns of the current question set `questions` that its campaign shows. */
export const QUESTION_SUMMARY = `questions.question_id, questions.total_questions,
  questions.created_at AS questions_created_at`;

/** {@link QUESTION_SUMMARY} of a campaign, all of them null if it has no questions. */
export interface QuestionSummaryRow {
  question_id: string | null;
  total_questions: number;
  questions_created_at: Date;
}

export function toQuestionSummary({
  question_id: questionId,
  total_questions: totalQuestions,
  questions_created_at: createdAt,
}: QuestionSummaryRow): QuestionSetSummary | null {
  return questionId === null ? null : { questionId, totalQuestions, createdAt };
}
