import { completeScale, ScaleDto } from '../campaign/image-survey.dto';
import { checkScale } from '../campaign/image-survey.rules';
import { NestedObject } from '../../platform/validation/fields/array.fields';
import { Flag } from '../../platform/validation/fields/choice.fields';
import { DtoRule } from '../../platform/validation/dto-rules';
import { problem } from '../../platform/validation/fields/field';
import { WholeNumber } from '../../platform/validation/fields/number.fields';
import { TEXT_PATTERN } from '../../platform/validation/fields/text.fields';
import { checkCorrect, Correct } from './correct.field';
import {
  MultipleChoiceOptionDto,
  OPTION_LENGTH,
  OptionDto,
  SingleChoiceOptionDto,
} from './option.dto';
import { Options } from './option.field';
import { AnswerableDto, checkOrder, ofType } from './question-fields.dto';
import { ShowIfDto } from './show-if.dto';
import { Option, OPTIONS_MAXIMUM, OPTIONS_MINIMUM } from './question.types';

export class ChoiceQuestionDto extends AnswerableDto {
  /** Whether each respondent sees the options in another order. */
  @Flag({ optional: true })
  shuffle?: boolean;

  /** Whether respondents can add a text to their choice. */
  @Flag({ optional: true })
  comment?: boolean;
}

/** What names an option: its key, or its text if it has none. */
const OPTION_NAME = {
  type: 'string',
  minLength: 1,
  maxLength: OPTION_LENGTH,
  pattern: TEXT_PATTERN,
} as const;

const CHOICES = {
  minimum: OPTIONS_MINIMUM,
  maximum: OPTIONS_MAXIMUM,
  showIf: ShowIfDto,
  example: ['None', 'One or two', 'More'],
} as const;

/** A question with radio buttons. */
@ofType('single_choice')
@DtoRule(checkCorrect)
export class SingleChoiceQuestionDto extends ChoiceQuestionDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], option: SingleChoiceOptionDto })
  options!: Option[];

  /** The right option, of a fact or a trap. Respondents and platforms never receive it. */
  @Correct(OPTION_NAME)
  correct?: string;
}

/** A question with checkboxes. */
@ofType('multiple_choice')
@DtoRule((question: MultipleChoiceQuestionDto) => {
  const { options, minimum_choices, maximum_choices } = question;
  return [
    ...checkOrder(minimum_choices, options.length, 'options'),
    ...checkOrder(maximum_choices, options.length, 'options'),
    ...checkOrder(minimum_choices, maximum_choices, 'maximum_choices'),
    ...checkCorrect(question),
  ];
})
export class MultipleChoiceQuestionDto extends ChoiceQuestionDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], option: MultipleChoiceOptionDto })
  options!: Option[];

  /** The right options, all of them and no other. Respondents and platforms never receive them. */
  @Correct({ type: 'array', items: OPTION_NAME, minItems: 1, maxItems: OPTIONS_MAXIMUM })
  correct?: string[];

  /** The fewest options to tick; 1 by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  minimum_choices?: number;

  /** The most options to tick; all by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  maximum_choices?: number;
}

/** A question that puts options in an order. */
@ofType('ranking')
@DtoRule(({ options, rank_at_most }: RankingQuestionDto) =>
  checkOrder(rank_at_most, options.length, 'options'),
)
export class RankingQuestionDto extends AnswerableDto {
  /** At least two, all different: each a text, or an object with more than that. */
  @Options({ ...CHOICES, example: [...CHOICES.example], option: OptionDto })
  options!: Option[];

  /** Whether each respondent sees the options in another order at first. */
  @Flag({ optional: true })
  shuffle?: boolean;

  /** How many options can be ranked; all must be by default. */
  @WholeNumber({ minimum: 1, maximum: OPTIONS_MAXIMUM, optional: true })
  rank_at_most?: number;
}

/** Several questions with the same options, or on the same scale. */
@ofType('matrix')
@DtoRule(({ options, scale, several }: MatrixQuestionDto) => {
  if ((options === undefined) === (scale === undefined)) {
    return problem('not_allowed', 'must have one of options and scale');
  }
  return several === true && options === undefined
    ? problem('not_allowed', 'is only for options', 'several')
    : [];
})
export class MatrixQuestionDto extends AnswerableDto {
  /** What is asked about, all different: each a text, or an object with more than that. */
  @Options({
    minimum: 1,
    maximum: OPTIONS_MAXIMUM,
    option: OptionDto,
    showIf: ShowIfDto,
    areMembers: true,
    example: ['Taste', 'Price'],
  })
  rows!: Option[];

  /** The columns; absent with a `scale`. */
  @Options({
    ...CHOICES,
    example: ['Bad', 'Good'],
    option: OptionDto,
    optional: true,
  })
  options?: Option[];

  /** Whether several options can be ticked in a row; one by default. */
  @Flag({ optional: true })
  several?: boolean;

  /** The scale on which each row is rated; absent with `options`. */
  @NestedObject(() => ScaleDto, {
    optional: true,
    rule: (scale) => checkScale(completeScale(scale)),
  })
  scale?: ScaleDto;

  /** Whether each respondent sees the rows in another order. */
  @Flag({ optional: true })
  shuffle?: boolean;
}
