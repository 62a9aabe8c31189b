/** A JSON number: its whole part, its fraction and its exponent. */
const NUMBER = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** In characters. A longer number counts as inexact, because checking it would take too long. */
const MAX_LENGTH = 100;

/**
 * Whether a double represents exactly the number in a JSON literal. A double prints as the shortest
 * decimal that parses to it, so the two must have the same digits.
 *
 * @returns `true` also for text that is not a JSON number
 */
export function isExactNumber(literal: string): boolean {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  if (whole === undefined) {
    return true;
  }
  if (literal.length > MAX_LENGTH) {
    return false;
  }
  const digits = whole + fraction;
  const first = digits.search(/[1-9]/);
  if (first === -1) {
    return true;
  }
  const [mantissa = '', power] = Math.abs(Number(literal)).toExponential().split('e');
  return (
    mantissa.replace('.', '') === digits.slice(first).replace(/0+$/, '') &&
    Number(power) === whole.length - 1 - first + Number(exponent)
  );
}

/**
 * Returns a function that writes a response as JSON, in which one field is a number with all its
 * digits, even where a double has no room for them.
 *
 * @param field its value is a decimal in a string, or `null`
 */
export function writeExactly(field: string): (payload: unknown) => string {
  // Within a string the quotes would be escaped.
  const member = new RegExp(`"${field}":"(-?\\d+(?:\\.\\d+)?)"`, 'g');
  return (payload) => JSON.stringify(payload).replace(member, `"${field}":$1`);
}
