import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min } from 'class-validator';

/** Converts text that stands for a value. Leaves any other as it is, so that it is refused. */
const FromText = (pattern: RegExp, convert: (text: string) => unknown) =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && pattern.test(value) ? convert(value) : value,
  );

/** A variable with a whole number; the message has `unit` after "a whole number". */
export function IntegerVariable(min: number, max: number, unit = ''): PropertyDecorator {
  const rule = { message: `must be a whole number${unit} from ${min} to ${max}` };
  const digits = FromText(/^\d+$/, Number);
  return applyDecorators(digits, IsInt(rule), Min(min, rule), Max(max, rule));
}

/** A variable with `true` or `false`. */
export function BooleanVariable(): PropertyDecorator {
  const words = FromText(/^(?:true|false)$/, (text) => text === 'true');
  return applyDecorators(words, IsBoolean({ message: 'must be true or false' }));
}
