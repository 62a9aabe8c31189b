import type { ApiPropertyOptions } from '@nestjs/swagger';
import { completeScale, ScaleDto } from '../campaign/image-survey.dto';
import { Field, placed, Problem } from '../../platform/validation/fields/field';
import { checkAnswer } from './answer-value.rules';
import type { AnswerValue, Question } from './question.types';

/** The right answer to a question that has one; the class has the rule {@link checkCorrect} too. */
export function Correct(documentation: ApiPropertyOptions): PropertyDecorator {
  return Field(() => [], documentation, { optional: true });
}

/** Finds what keeps `correct` from being an answer to its question, which is valid otherwise. */
export function checkCorrect(question: { correct?: AnswerValue; scale?: ScaleDto }): Problem[] {
  const { correct, scale } = question;
  const whole = { ...question, ...(scale && { scale: completeScale(scale) }) };
  return correct === undefined
    ? []
    : placed('correct', checkAnswer(whole as unknown as Question, correct));
}
