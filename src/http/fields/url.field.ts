import { applyDecorators } from '@nestjs/common';
import { Field, Presence, problem } from './field';
import { Trimmed, checkText } from './text.fields';

const URL_MAX_LENGTH = 2048;

const OCTET = '(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])';
const PORT = '6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[0-5]?[0-9]{1,4}';

/** Groups of an IPv6 address before and after the two colons that stand for zeros. */
const IPV6 = [
  `(G:){7}G|(G:){1,7}:|(G:){1,6}:G|(G:){1,5}(:G){1,2}|(G:){1,4}(:G){1,3}`,
  `(G:){1,3}(:G){1,4}|(G:){1,2}(:G){1,5}|G:(:G){1,6}|:(:G){1,7}|::`,
]
  .join('|')
  .replaceAll('G', '[0-9A-Fa-f]{1,4}');

/** A name whose last part begins with a letter, as one that begins with a digit is an address. */
const HOST_NAME = '([A-Za-z0-9][A-Za-z0-9._-]*\\.)?[A-Za-z]([A-Za-z0-9_-]*[A-Za-z0-9])?';

/**
 * Scheme, host and port; whatever follows is without blanks and control characters. Without flags,
 * so that it is the OpenAPI document's pattern too.
 */
const HTTP_URL = new RegExp(
  `^[Hh][Tt][Tt][Pp][Ss]?://(${HOST_NAME}|${OCTET}(\\.${OCTET}){3}|\\[(${IPV6})\\])` +
    `(:(${PORT}))?([/?#][^\\s\\u0000-\\u001f\\u007f-\\u009f]*)?$`,
);

/** An absolute http or https URL. It is stored, never fetched. */
export function HttpUrl({
  example = 'https://example.com/campaign',
  ...presence
}: Presence & { example?: string } = {}): PropertyDecorator {
  return applyDecorators(
    Trimmed(),
    Field(
      (value) => {
        const problems = checkText(value, URL_MAX_LENGTH);
        if (problems.length > 0) {
          return problems;
        }
        return HTTP_URL.test(value as string) && URL.canParse(value as string)
          ? []
          : problem('invalid_url', 'must be an absolute http or https URL');
      },
      {
        // No format: "uri" would refuse letters outside ASCII, which browsers take.
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
