import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';

/** Anything but digits stays text, so that the validator names it as wrong. */
export const ToInteger = () =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value,
  );

/** A whole number; `unit` stands in the message after "a whole number". */
export function WholeNumber(min: number, max: number, unit = ''): PropertyDecorator {
  const rule = { message: `must be a whole number${unit} from ${min} to ${max}` };
  return applyDecorators(ToInteger(), IsInt(rule), Min(min, rule), Max(max, rule));
}

/** Anything but `true` and `false` stays text, so that the validator names it as wrong. */
export const ToBoolean = () =>
  Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
