import { Field, Presence, problem } from './field';

/** `true` or `false`. */
export function Flag({
  example,
  ...presence
}: Presence & { example?: boolean } = {}): PropertyDecorator {
  return Field(
    (value) => (typeof value === 'boolean' ? [] : problem('invalid_type', 'must be a boolean')),
    { type: 'boolean', example },
    presence,
  );
}

/** One of a closed list of words. */
export function OneOf(
  values: readonly string[],
  name: string,
  { example, ...presence }: Presence & { example?: string } = {},
): PropertyDecorator {
  return Field(
    (value) =>
      values.includes(value as string)
        ? []
        : problem('not_allowed', `must be one of ${values.join(', ')}`),
    { enum: [...values], enumName: name, example },
    presence,
  );
}
