import { SCHEMAS } from '../../platform/openapi/json-schema';
import { AllOrAny } from '../../platform/openapi/all-or-any';
import { RefineSchema } from '../../platform/openapi/schema-refinements';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { Variants } from '../../platform/validation/dto-rules';
import { Field, problem } from '../../platform/validation/fields/field';
import {
  checkText,
  Normalized,
  Text,
  TEXT_PATTERN,
} from '../../platform/validation/fields/text.fields';
import { NUMBER_MAXIMUM } from './answer-value.rules';
import { ALL_OPERATORS } from './condition.rules';
import { conditionsIn } from './logic.rules';
import { OPTION_LENGTH } from './option.dto';
import { Key } from './option.field';
import { CONDITIONS_MAXIMUM } from './question.types';
import type { Operator } from './shown.rules';

/** A condition on the answer to an earlier question. */
export class QuestionConditionDto {
  /** The key of the question; `q1`, `q2`, … for one without a key of its own. */
  @Key()
  question!: string;

  /**
   * For a matrix, the row that is compared: its key, or its text if it has none. The condition is then
   * one on a question of its own: a single choice, a multiple choice or a rating.
   */
  @Text({ maximum: OPTION_LENGTH, optional: true, example: 'taste' })
  row?: string;

  /**
   * `is` and `is_not` of a single choice, rating, nps, number, date or checkbox; `includes` and
   * `excludes` of a multiple choice or ranking; `at_least` and `at_most` of a rating, nps, number or
   * date; `answered` and `not_answered` of all but statements.
   */
  @OneOf(ALL_OPERATORS, 'QuestionConditionOperator', { example: 'is' })
  op!: Operator;

  /** What the answer is compared with: the key or the text of an option, a number, a date, or a boolean. */
  @Normalized()
  @Field(
    (value) => {
      if (typeof value === 'number') {
        return Number.isFinite(value) && Math.abs(value) <= NUMBER_MAXIMUM
          ? []
          : problem('too_precise', 'has more digits than can be kept exactly');
      }
      return typeof value === 'boolean' ? [] : checkText(value, OPTION_LENGTH);
    },
    {
      oneOf: [
        { type: 'string', minLength: 1, maxLength: OPTION_LENGTH, pattern: TEXT_PATTERN },
        { type: 'number', minimum: -NUMBER_MAXIMUM, maximum: NUMBER_MAXIMUM },
        { type: 'boolean' },
      ],
      example: 'More',
    },
    { optional: true },
  )
  value?: string | number | boolean;
}

/** Conditions that are met together, among others. */
@AllOrAny('ConditionGroup', [
  'The group is met if all conditions hold.',
  'The group is met if any condition holds.',
])
export class ConditionGroupDto {
  @ObjectArray(() => QuestionConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  all?: QuestionConditionDto[];

  @ObjectArray(() => QuestionConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  any?: QuestionConditionDto[];
}

/** A condition, or a group of conditions. */
@Variants((plain) => ('all' in plain || 'any' in plain ? ConditionGroupDto : QuestionConditionDto))
@RefineSchema(({ description }) => ({
  description,
  oneOf: ['QuestionCondition', 'ConditionGroupAll', 'ConditionGroupAny'].map((name) => ({
    $ref: SCHEMAS + name,
  })),
}))
export class ShowIfEntryDto {}

/** When a question is shown: groups of conditions can stand among the conditions. */
@AllOrAny(
  'ShowIf',
  [
    'The question is shown if all conditions hold.',
    'The question is shown if any condition holds.',
  ],
  (showIf: ShowIfDto) => (conditionsIn(showIf).length > CONDITIONS_MAXIMUM ? tooMany() : []),
)
export class ShowIfDto {
  @ObjectArray(() => ShowIfEntryDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  all?: (QuestionConditionDto | ConditionGroupDto)[];

  @ObjectArray(() => ShowIfEntryDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  any?: (QuestionConditionDto | ConditionGroupDto)[];
}

const tooMany = () =>
  problem(
    'too_many',
    `must have at most ${CONDITIONS_MAXIMUM} conditions, those in groups included`,
  );
