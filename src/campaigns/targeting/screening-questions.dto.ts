import { AllOrAny } from '../../platform/openapi/all-or-any';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { Text } from '../../platform/validation/fields/text.fields';
import { QuestionConditionDto } from '../questions/show-if.dto';
import { CONDITIONS_MAXIMUM, QUOTA_NAME_LENGTH } from './targeting.types';

/** A condition on the answer to a screening question. */
export class QualifyingConditionDto extends QuestionConditionDto {
  /** What a refusal calls the condition; by default it describes it, such as `cups is None`. */
  @Text({ maximum: QUOTA_NAME_LENGTH, optional: true, example: 'coffee drinkers' })
  name?: string;
}

/** Whose answers to the screening questions qualify. */
@AllOrAny('Qualify', ['Whoever meets all conditions.', 'Whoever meets any condition.'])
export class QualifyDto {
  @ObjectArray(() => QualifyingConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  all?: QualifyingConditionDto[];

  @ObjectArray(() => QualifyingConditionDto, 1, CONDITIONS_MAXIMUM, { optional: true })
  any?: QualifyingConditionDto[];
}
