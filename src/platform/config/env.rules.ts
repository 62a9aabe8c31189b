import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, Max, Min, ValidateBy } from 'class-validator';
import { parseUrl } from './parse-url';

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

function TextVariable(message: string, isValid: (text: string) => boolean): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && isValid(value);
  return ValidateBy({ name: 'isValidText', validator: { validate } }, { message });
}

/** A variable with a URL that matches a pattern. */
export function UrlVariable(pattern: RegExp, message: string): PropertyDecorator {
  return TextVariable(message, (text) => pattern.test(text) && parseUrl(text) !== undefined);
}

/** A variable with up to `most` TCP ports, separated by commas. */
export function PortsVariable(most: number): PropertyDecorator {
  const isPort = (text: string) => /^\d{1,5}$/.test(text) && +text >= 1 && +text <= 65_535;
  return TextVariable(
    `must be at most ${most} ports from 1 to 65535, separated by commas`,
    (text) => text.split(',').length <= most && text.split(',').every(isPort),
  );
}
