import { applyDecorators, HttpCode, Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { ErrorEnvelopeDto } from './error.dto';
import { ERROR_STATUS, ErrorCode } from './error-codes';

/** Names of the security schemes in the OpenAPI document. */
export const API_KEY_SCHEME = 'api_key';
export const ACCOUNT_TOKEN_SCHEME = 'account_token';

const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

const STATUS_TEXT: Readonly<Record<(typeof ERROR_STATUS)[ErrorCode], string>> = {
  400: 'The request is wrong in itself; nothing was changed.',
  401: 'The credential is missing or not valid.',
  403: 'The caller is known but may not do this.',
  404: 'There is no such thing.',
  409: 'In conflict with what is stored.',
  405: 'The path exists, but not for this method.',
  412: 'If-Match names a version that is no longer current; nothing was changed.',
  413: 'The request body is larger than 2 MiB.',
  415: 'The request body is not application/json.',
  422: 'Well-formed, but in conflict with what is stored; nothing was changed.',
  429: 'Too many requests; try again after Retry-After seconds.',
  500: 'A fault of the service.',
  503: 'The service cannot do this right now; try again after Retry-After seconds.',
};

function successSchema(data: Type) {
  return {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { type: 'boolean', enum: [true] },
      message: { type: 'string', description: 'Outcome in words.' },
      data: { $ref: getSchemaPath(data) },
    },
  };
}

const ERRORS = Symbol('errors');

/** Documents errors a route can answer, grouped by status. Repeated uses add up. */
export function CanFailWith(...codes: readonly ErrorCode[]): MethodDecorator {
  return (target, key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as object;
    const earlier = (Reflect.getMetadata(ERRORS, handler) as ErrorCode[] | undefined) ?? [];
    const added = ERROR_CODES.filter((code) => codes.includes(code) && !earlier.includes(code));
    Reflect.defineMetadata(ERRORS, [...earlier, ...added], handler);
    ApiExtraModels(ErrorEnvelopeDto)(target, key, descriptor);
    for (const status of new Set(added.map((code) => ERROR_STATUS[code]))) {
      const isNew = !earlier.some((code) => ERROR_STATUS[code] === status);
      // Swagger joins the descriptions of a status with an empty line: they make one list.
      const list = added
        .filter((code) => ERROR_STATUS[code] === status)
        .map((code) => `- \`${code}\``);
      ApiResponse({
        status,
        description: [...(isNew ? [STATUS_TEXT[status]] : []), ...list].join('\n\n'),
        schema: { $ref: getSchemaPath(ErrorEnvelopeDto) },
      })(target, key, descriptor);
    }
  };
}

/** What a request can be refused for because of its input as such. */
const INPUT_ERRORS = {
  body: [
    'validation_failed',
    'malformed_json',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_in_progress',
    'idempotency_key_reused',
  ],
  parameters: ['validation_failed'],
  none: [],
} as const satisfies Record<string, readonly ErrorCode[]>;

const IDEMPOTENCY_KEY = ApiHeader({
  name: 'Idempotency-Key',
  required: false,
  description:
    'Makes the request safe to send again: for 24 hours the same key answers the first outcome, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
});

const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the campaign as you know it; the request is refused if the campaign has changed since.',
  schema: { type: 'string' },
});

/**
 * What a route answers: 200 with the envelope around `data` (section 2.1), and the errors it can
 * answer on top of those of its guard.
 *
 * @param input what the route reads: a body, parameters of the path or query, or nothing
 */
export function Answers(
  data: Type,
  {
    input = 'body',
    errors = [],
  }: { input?: keyof typeof INPUT_ERRORS; errors?: readonly ErrorCode[] } = {},
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ...(input === 'body' ? [IDEMPOTENCY_KEY] : []),
    ...(errors.includes('version_conflict') ? [IF_MATCH] : []),
    ApiExtraModels(data),
    ApiResponse({ status: 200, description: 'Done.', schema: successSchema(data) }),
    CanFailWith(...INPUT_ERRORS[input], ...errors, 'internal_error', 'service_unavailable'),
  );
}
