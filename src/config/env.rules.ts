import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/**
 * Converts digits to a number. Leaves any other text as it is, so that the validator refuses it.
 */
export const ToInteger = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );

/** A whole number; the message has `unit` after "a whole number". */
export function WholeNumber(min: number, max: number, unit = ''): PropertyDecorator {
  const rule = { message: `must be a whole number${unit} from ${min} to ${max}` };
  return applyDecorators(ToInteger(), IsInt(rule), Min(min, rule), Max(max, rule));
}

/**
 * Converts `true` and `false`. Leaves any other text as it is, so that the validator refuses it.
 */
export const ToBoolean = () =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
