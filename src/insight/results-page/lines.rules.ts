import type { QuestionResult } from '../results/question-results.dto';

/** Lines that a page shows, of all questions together: about a megabyte. */
const LINES_MAXIMUM = 2_500;

/** How many lines a question has: those of a table, or the cells of a matrix. */
function linesOf(question: QuestionResult): number {
  if (question.type === 'matrix') {
    return question.rows.reduce((sum, { options }) => sum + (options?.length ?? 1), 0);
  }
  if (question.type === 'date') {
    return question.periods.length;
  }
  return 'options' in question ? question.options.length : 0;
}

/** The most lines of one question. What shorter lists leave is shared by the longer ones. */
export function linesOfEach(questions: readonly QuestionResult[]): number {
  const lengths = questions.map(linesOf).toSorted((a, b) => a - b);
  let left = LINES_MAXIMUM;
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) {
      return share;
    }
    left -= length;
  }
  return LINES_MAXIMUM;
}
