import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Flag } from './choice.fields';
import { WholeNumber, WholeNumberLimits } from './number.fields';

/*
 * Query parameters arrive as text. These turn the texts that stand for a value into it; any other
 * stays text and is refused.
 */

const FromQuery = (read: (text: string) => unknown) =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? read(value) : value));

/** A whole number in the query string. */
export function WholeNumberParameter(limits: Omit<WholeNumberLimits, 'optional'>) {
  return applyDecorators(
    FromQuery((text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)),
    WholeNumber({ ...limits, optional: true }),
  );
}

/** `true` or `false` in the query string. */
export function FlagParameter() {
  return applyDecorators(
    FromQuery((text) => (text === 'true' ? true : text === 'false' ? false : text)),
    Flag({ optional: true }),
  );
}
