import { Big } from 'big.js';
import { Key } from '../../campaigns/questions/option.field';
import {
  ATTRIBUTE_NUMBER,
  ATTRIBUTES_MAXIMUM,
  VALUE_LENGTH,
  VALUES_MAXIMUM,
} from '../../campaigns/targeting/targeting.types';
import { oneOfVariants, RefineSchema } from '../../platform/openapi/schema-refinements';
import { DtoRule } from '../../platform/validation/dto-rules';
import { ObjectArray } from '../../platform/validation/fields/array.fields';
import { problem } from '../../platform/validation/fields/field';
import { Decimal, WholeNumber } from '../../platform/validation/fields/number.fields';
import { Text } from '../../platform/validation/fields/text.fields';

const END = { ...ATTRIBUTE_NUMBER, optional: true } as const;

/** How many respondents have a value of a `select`, or a number in a range of a `number`. */
@RefineSchema(
  oneOfVariants({
    AttributeValueShare: { description: 'A value of a select.', fields: ['value'] },
    AttributeRangeShare: {
      description: 'Numbers from one to another, equally likely, both ends included.',
      fields: ['from', 'to'],
    },
  }),
)
@DtoRule(({ value, from, to }: AttributeShareDto) => {
  const isRange = from !== undefined && to !== undefined;
  const isOpen = from === undefined && to === undefined;
  if (value === undefined ? !isRange : !isOpen) {
    return problem('not_allowed', 'must have either value, or from and to');
  }
  return value === undefined && Number(from) > Number(to)
    ? problem('too_small', 'must be at least from', 'to')
    : [];
})
export class AttributeShareDto {
  @Text({ maximum: VALUE_LENGTH, optional: true, example: 'female' })
  value?: string;

  @WholeNumber({ ...END, example: 18 })
  from?: number;

  @WholeNumber({ ...END, example: 34 })
  to?: number;

  /** The part of the respondents. */
  @Decimal({ minimum: 0, maximum: 1, places: 4, example: 0.5 })
  share!: number;
}

/** The values of one attribute of the campaign. */
@DtoRule(({ shares }: AttributeSharesDto) =>
  shares.reduce((sum, { share }) => sum.plus(share), new Big(0)).gt(1)
    ? problem('sum_not_one', 'must sum to at most 1', 'shares')
    : [],
)
export class AttributeSharesDto {
  @Key()
  name!: string;

  /** At most 1 in all; what is missing to 1 is the share of respondents without the attribute. */
  @ObjectArray(() => AttributeShareDto, 1, VALUES_MAXIMUM)
  shares!: AttributeShareDto[];
}

/**
 * What respondents are, by attribute of the campaign; attributes are independent of each other. By
 * default, the values of a `select` are equally likely, and so are the numbers around those that the
 * rules name.
 */
export function Population(): PropertyDecorator {
  return ObjectArray(() => AttributeSharesDto, 0, ATTRIBUTES_MAXIMUM, {
    distinctBy: 'name',
    optional: true,
  });
}
