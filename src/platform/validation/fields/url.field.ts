import { applyDecorators } from '@nestjs/common';
import { parseUrl } from '../../config/parse-url';
import { Field, Presence, Problem, problem } from './field';
import { Trimmed, checkText } from './text.fields';

export const URL_MAX_LENGTH = 2048;

const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

/**
 * The scheme, a host and port, and the rest without white space. It has no flags, because it is
 * also the pattern in the OpenAPI document. No pattern can check whether the host and port are
 * valid.
 */
const HTTP_URL = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\${CONTROL}]+([/?#][^\\s${CONTROL}]*)?$`,
);

const CREDENTIALS = /^https?:\/\/[^/?#]*@/i;

export function checkUrl(text: string): Problem[] {
  if (CREDENTIALS.test(text)) {
    return problem('invalid_url', 'must not contain a user name or password');
  }
  return HTTP_URL.test(text) && parseUrl(text) !== undefined
    ? []
    : problem('invalid_url', 'must be an absolute http or https URL');
}

/**
 * An absolute http or https URL as the WHATWG URL standard defines it, internationalized hosts
 * included. It is stored, never fetched.
 */
export function HttpUrl({
  example = 'https://example.com/campaign',
  ...presence
}: Presence & { example?: string } = {}): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => {
        const problems = checkText(value, URL_MAX_LENGTH);
        return problems.length > 0 ? problems : checkUrl(value as string);
      },
      {
        // Without a format: "uri" refuses letters outside ASCII, which the standard allows.
        type: 'string',
        minLength: 1,
        maxLength: URL_MAX_LENGTH,
        pattern: HTTP_URL.source,
        example,
      },
      presence,
    ),
  );
}
