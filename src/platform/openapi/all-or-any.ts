import { DtoRule } from '../validation/dto-rules';
import { Problem, problem } from '../validation/fields/field';
import { oneOfVariants, RefineSchema } from './schema-refinements';

interface AllOrAnyDto {
  all?: readonly object[];
  any?: readonly object[];
}

/**
 * A DTO that has one of the lists `all` and `any`, with a schema for each.
 *
 * @param name what the names of the two schemas begin with
 * @param descriptions of the two schemas
 * @param rule what else must hold
 */
export function AllOrAny<T extends AllOrAnyDto>(
  name: string,
  [all, any]: readonly [all: string, any: string],
  rule: (dto: T) => Problem[] = () => [],
) {
  return (type: new () => T): void => {
    RefineSchema(
      oneOfVariants({
        [`${name}All`]: { description: all, fields: ['all'] },
        [`${name}Any`]: { description: any, fields: ['any'] },
      }),
    )(type);
    DtoRule((dto: T) => [
      ...((dto.all === undefined) === (dto.any === undefined)
        ? problem('not_allowed', 'must have one of all and any')
        : []),
      ...rule(dto),
    ])(type);
  };
}
