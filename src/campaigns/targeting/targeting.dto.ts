import { PostId } from '../campaign/post-id.field';
import { Key } from '../questions/option.field';
import { QuestionDto } from '../questions/question.dto';
import { toPlain, toStoredQuestion } from '../questions/question.rules';
import { toDecimal } from '../campaign/cohort-ladder.rules';
import { AllOrAny } from '../../platform/openapi/all-or-any';
import { DtoRule } from '../../platform/validation/dto-rules';
import {
  NestedObject,
  ObjectArray,
  TextArray,
} from '../../platform/validation/fields/array.fields';
import { OneOf } from '../../platform/validation/fields/choice.fields';
import { problem } from '../../platform/validation/fields/field';
import { Money, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { AtMostDto, ExcludeDto, IncludeDto } from './audience.dto';
import { ConditionValue, WhenField } from './choice.fields';
import { QualifyDto } from './screening-questions.dto';
import { checkTargeting } from './targeting.rules';
import {
  ATTRIBUTE_TYPES,
  AttributeCondition,
  ATTRIBUTES_MAXIMUM,
  AttributeType,
  CONDITION_OPERATORS,
  ConditionOperator,
  CONDITIONS_MAXIMUM,
  Exclude,
  Include,
  Others,
  OTHERS,
  PACE_LIMITS,
  QUOTA_NAME_LENGTH,
  QUOTAS_MAXIMUM,
  SCREEN_OUTS,
  Screening,
  SCREENING_QUESTIONS_MAXIMUM,
  Targeting,
  VALUE_LENGTH,
  VALUES_MAXIMUM,
  When,
} from './targeting.types';

/** A property of respondents, for which platforms vouch. */
export class AttributeDto {
  /** What platforms call it. */
  @Key()
  name!: string;

  /** A `select` is one of several words, a `number` is whole. */
  @OneOf(ATTRIBUTE_TYPES, 'AttributeType', { example: 'select' })
  type!: AttributeType;

  /** `select` only: the values that conditions and quotas can name; any by default. */
  @TextArray({
    minimum: 1,
    maximum: VALUES_MAXIMUM,
    length: VALUE_LENGTH,
    optional: true,
    example: ['female', 'male', 'other'],
    rule: (_, dto) =>
      (dto as AttributeDto).type === 'number'
        ? problem('not_allowed', 'is only for an attribute of type select')
        : undefined,
  })
  values?: string[];
}

/** What an attribute must be. Who lacks the attribute, or has one of another type, is refused. */
export class AttributeConditionDto {
  @Key()
  attribute!: string;

  /** `one_of` and `none_of` of a `select`; `at_least` and `at_most` of a `number`; the others of both. */
  @OneOf(CONDITION_OPERATORS, 'AttributeConditionOperator', { example: 'at_least' })
  op!: ConditionOperator;

  /** A value of the attribute; an array of values with `one_of` and `none_of`. */
  @ConditionValue()
  value!: string | number | string[];

  /** What a refusal calls the condition; by default it describes it, such as `age at_least 18`. */
  @Text({ maximum: QUOTA_NAME_LENGTH, optional: true, example: 'adults' })
  name?: string;
}

/** Who may begin at all. */
@AllOrAny('Screening', ['Whoever meets all conditions.', 'Whoever meets any condition.'])
export class ScreeningDto {
  @ObjectArray(() => AttributeConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  all?: AttributeConditionDto[];

  @ObjectArray(() => AttributeConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  any?: AttributeConditionDto[];
}

/** How many of those who match may begin. Whoever matches several quotas counts in each. */
export class QuotaDto {
  /** What a refusal calls it. A quota keeps its counts as long as it keeps its name. */
  @Text({ maximum: QUOTA_NAME_LENGTH, example: 'women 18 to 34' })
  name!: string;

  /**
   * By attribute: a respondent matches who has one of the choices of each. A choice is a value of a
   * `select`, or a number or a range of a `number`, with both ends included.
   */
  @WhenField()
  when!: When;

  /** How many places it has: for those who are answering, and those who have submitted. */
  @WholeNumber({ minimum: 1, maximum: 10_000_000, example: 150 })
  limit!: number;
}

export const EXAMPLE_SCREENING_QUESTION = {
  type: 'single_choice',
  key: 'cups',
  question: 'How many cups do you drink a day?',
  options: ['None', 'One or two', 'More'],
};

/** Whom a campaign asks, as its company describes it. */
@DtoRule((dto: TargetingFieldsDto) => checkTargeting(toTargeting(dto)))
export class TargetingFieldsDto {
  /** What the rules know of a respondent. */
  @ObjectArray(() => AttributeDto, 0, ATTRIBUTES_MAXIMUM, { distinctBy: 'name' })
  attributes!: AttributeDto[];

  /** Who may begin; everybody by default. */
  @NestedObject(() => ScreeningDto, { optional: true })
  screening?: ScreeningDto;

  /**
   * What a respondent answers in `begin`, before anything is held: questions of type `single_choice`,
   * `multiple_choice`, `rating`, `nps`, `number`, `date` or `checkbox`. The answers are not stored.
   */
  @ObjectArray(() => QuestionDto, 0, SCREENING_QUESTIONS_MAXIMUM, {
    optional: true,
    example: [EXAMPLE_SCREENING_QUESTION],
  })
  screening_questions?: QuestionDto[];

  /** Whose answers qualify; required with `screening_questions`. */
  @NestedObject(() => QualifyDto, { optional: true })
  qualify?: QualifyDto;

  /** What each respondent is paid, once, whose answers do not qualify; nothing by default. */
  @Money({ minimum: 0.01, optional: true, example: 0.25 })
  screen_out_reward?: number;

  /** How many are paid that at most. By default only the budget of the campaign limits it. */
  @WholeNumber({ ...SCREEN_OUTS, optional: true, example: 200 })
  maximum_screen_outs?: number;

  /** How many of whom may begin; without quotas, only the limits of the campaign count. */
  @ObjectArray(() => QuotaDto, 0, QUOTAS_MAXIMUM, { distinctBy: 'name', optional: true })
  quotas?: QuotaDto[];

  /** Whether a respondent who matches no quota may begin; `admit` by default. */
  @OneOf(OTHERS, 'QuotaOthers', { optional: true, example: 'refuse' })
  other?: Others;

  /** Whom it does not ask, because of what they have done before. */
  @NestedObject(() => ExcludeDto, { optional: true })
  exclude?: ExcludeDto;

  /** Whom alone it asks, because of what they have done before. */
  @NestedObject(() => IncludeDto, { optional: true })
  include?: IncludeDto;

  /** How often it asks those who take part in your campaigns. */
  @NestedObject(() => AtMostDto, { optional: true })
  at_most?: AtMostDto;

  /** How many may begin in any 60 minutes, such as for a soft launch; no limit by default. */
  @WholeNumber({ ...PACE_LIMITS, optional: true, example: 50 })
  at_most_per_hour?: number;
}

@DtoRule((dto: SetTargetingDto) => checkTargeting(toTargeting(dto)))
export class SetTargetingDto extends TargetingFieldsDto {
  /** The campaign, by the `post_id` that its creation returned. */
  @PostId()
  post_id!: string;
}

/** Returns rules as they are stored: plain, and with every default. */
export function toTargeting(dto: TargetingFieldsDto): Targeting {
  const { attributes, screening, quotas = [], other = 'admit', exclude, include, at_most } = dto;
  const { screening_questions = [], qualify, screen_out_reward, maximum_screen_outs } = dto;
  return {
    attributes: attributes.map(({ name, type, values }) => ({
      name,
      type,
      ...(values && { values }),
    })),
    screening: toScreening(screening),
    screening_questions: screening_questions.map(toStoredQuestion),
    qualify: qualify === undefined ? null : toPlain(qualify),
    screen_out_reward: screen_out_reward === undefined ? null : toDecimal(screen_out_reward),
    maximum_screen_outs: maximum_screen_outs ?? null,
    quotas: quotas.map(({ name, when, limit }) => ({ name, when, limit })),
    other,
    exclude: toExclude(exclude),
    include: toInclude(include),
    at_most: at_most ? { responses: at_most.responses, per_days: at_most.per_days } : null,
    at_most_per_hour: dto.at_most_per_hour ?? null,
  };
}

const toExclude = (dto: ExcludeDto | undefined): Exclude | null =>
  dto === undefined
    ? null
    : {
        campaigns: dto.campaigns,
        ...(dto.within_days !== undefined && { within_days: dto.within_days }),
      };

const toInclude = (dto: IncludeDto | undefined): Include | null =>
  dto === undefined
    ? null
    : {
        campaign: dto.campaign,
        ...(dto.cohorts && { cohorts: dto.cohorts }),
        ...(dto.answered && { answered: toPlain(dto.answered) }),
      };

function toScreening(dto: ScreeningDto | undefined): Screening | null {
  const plain = (conditions: AttributeConditionDto[]): AttributeCondition[] =>
    conditions.map(({ attribute, op, value, name }) => ({
      attribute,
      op,
      // JSON can have -0, which the database stores as 0.
      value: typeof value === 'number' ? value + 0 : value,
      ...(name !== undefined && { name }),
    }));
  if (dto?.any !== undefined) {
    return { any: plain(dto.any) };
  }
  return dto?.all === undefined ? null : { all: plain(dto.all) };
}
