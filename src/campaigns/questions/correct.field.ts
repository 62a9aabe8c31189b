import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Field, placed, Problem } from '../../platform/validation/fields/field';
import { checkAnswer } from './answer-value.rules';
import { toStoredQuestion } from './question.rules';
import type { AnswerValue } from './question.types';
import type { QuestionFieldsDto } from './question-fields.dto';

/** The right answer to a question that has one; the class has the rule {@link checkCorrect} too. */
export function Correct(documentation: ApiPropertyOptions): PropertyDecorator {
  return Field(() => [], documentation, { optional: true });
}

/** Finds what keeps `correct` from being an answer to its question. */
export function checkCorrect(question: QuestionFieldsDto & { correct?: unknown }): Problem[] {
  const { correct } = question;
  return correct === undefined
    ? []
    : placed('correct', checkAnswer(toStoredQuestion(question), correct as AnswerValue));
}
