import { applyDecorators, HttpCode, Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { ErrorEnvelopeDto } from './error.dto';
import type { ErrorCode } from './error-codes';
import { header } from './openapi-errors';

/** Names of the security schemes in the OpenAPI document. */
export const API_KEY_SCHEME = 'api_key';
export const ACCOUNT_TOKEN_SCHEME = 'account_token';

function successSchema(data: Type) {
  return {
    type: 'object',
    required: ['success', 'message', 'data'],
    properties: {
      success: { type: 'boolean', enum: [true] },
      message: { type: 'string', description: 'Outcome in words.', example: 'Done.' },
      data: { $ref: getSchemaPath(data) },
    },
  };
}

/** Where an operation of the document keeps its errors until its responses are made of them. */
export const ERROR_EXTENSION = 'x-error-';

/** Documents errors a route can answer. Repeated uses add up. */
export function CanFailWith(...codes: readonly ErrorCode[]): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorEnvelopeDto),
    ...codes.map((code) => ApiExtension(ERROR_EXTENSION + code, true)),
  );
}

/** What a request can be refused for because of its input as such. */
const INPUT_ERRORS = {
  body: [
    'validation_failed',
    'malformed_json',
    'request_timeout',
    'payload_too_large',
    'unsupported_media_type',
  ],
  parameters: ['validation_failed'],
  none: [],
} as const satisfies Record<string, readonly ErrorCode[]>;

const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the campaign as you know it; the request is refused if the campaign has changed since.',
  schema: { type: 'string', maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' },
});

/**
 * What a route answers: 200 with the envelope around `data` (section 2.1), and the errors it can
 * answer on top of those of its guard.
 *
 * @param input what the route reads: a body, parameters of the path or query, or nothing
 * @param etag whether the answer carries the campaign's version
 */
export function Answers(
  data: Type,
  {
    input = 'body',
    errors = [],
    etag = false,
  }: { input?: keyof typeof INPUT_ERRORS; errors?: readonly ErrorCode[]; etag?: boolean } = {},
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ...(errors.includes('version_conflict') ? [IF_MATCH] : []),
    ApiExtraModels(data),
    ApiResponse({
      status: 200,
      description: 'Done.',
      headers: etag ? { ETag: header('ETag') } : {},
      schema: successSchema(data),
    }),
    CanFailWith(...INPUT_ERRORS[input], ...errors, 'internal_error', 'service_unavailable'),
  );
}
