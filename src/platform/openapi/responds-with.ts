import { applyDecorators, HttpCode, Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ErrorCode } from '../protocol/error-codes';
import { ErrorEnvelopeDto, SuccessEnvelopeDto } from './envelope.dto';
import { header } from './headers';

/** Names of the security schemes in the OpenAPI document. */
export const API_KEY_SCHEME = 'api_key';
export const PLATFORM_KEY_SCHEME = 'platform_key';
export const ACCOUNT_TOKEN_SCHEME = 'account_token';

function successSchema(data: Type) {
  return {
    allOf: [
      { $ref: getSchemaPath(SuccessEnvelopeDto) },
      {
        type: 'object',
        required: ['data'],
        properties: { data: { $ref: getSchemaPath(data) } },
      },
    ],
  };
}

/**
 * Prefix of the extensions that hold an operation's errors until its responses are built from them.
 * The value is `own` or `common`.
 */
export const ERROR_EXTENSION = 'x-error-';

function declareErrors(codes: readonly ErrorCode[], kind: 'own' | 'common'): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorEnvelopeDto),
    ...codes.map((code) => ApiExtension(ERROR_EXTENSION + code, kind)),
  );
}

/** Documents errors that a guard or another layer adds to a route. Repeated uses add up. */
export function CanFailWith(...codes: readonly ErrorCode[]): MethodDecorator {
  return declareErrors(codes, 'common');
}

/** The errors that an invalid input causes, whatever the operation. */
const INPUT_ERRORS = {
  body: ['malformed_json', 'request_timeout', 'payload_too_large', 'unsupported_media_type'],
  parameters: [],
  none: [],
} as const satisfies Record<string, readonly ErrorCode[]>;

const IF_MATCH = ApiHeader({
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the campaign as you last read it. The request is refused if the campaign has changed since.',
  schema: { type: 'string', maxLength: 1000, pattern: '^[\\x20-\\x7e]*$' },
});

/**
 * Documents the responses of a route: 200 with the envelope around `data` (section 2.1), and the
 * errors that the route adds to those of its guard.
 *
 * @param description the meaning of the success, in a sentence
 * @param input what the route reads: a body, parameters of the path or query, or nothing
 * @param etag whether the response has the campaign's version
 */
export function RespondsWith(
  data: Type,
  description: string,
  {
    input = 'body',
    errors = [],
    etag = false,
  }: { input?: keyof typeof INPUT_ERRORS; errors?: readonly ErrorCode[]; etag?: boolean } = {},
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ...(errors.includes('version_conflict') ? [IF_MATCH] : []),
    ApiExtraModels(data, SuccessEnvelopeDto),
    ApiResponse({
      status: 200,
      description,
      headers: etag ? { ETag: header('ETag') } : {},
      schema: successSchema(data),
    }),
    declareErrors([...(input === 'none' ? [] : ['validation_failed' as const]), ...errors], 'own'),
    CanFailWith(...INPUT_ERRORS[input], 'internal_error', 'service_unavailable'),
  );
}

/** A file as the document describes it: what it consists of, the schema of a row, an example. */
export interface FileContent {
  description: string;
  row: object;
  example: string;
}

/**
 * Documents a route that responds with a download: text of one of these media types, which the
 * caller chooses. Its errors are as those of {@link RespondsWith}.
 *
 * @param headers references to the headers of the download, by their names on the wire
 */
export function RespondsWithFile(
  types: Readonly<Record<string, FileContent>>,
  description: string,
  {
    headers,
    errors,
  }: { headers: Record<string, ReturnType<typeof header>>; errors: readonly ErrorCode[] },
): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiResponse({
      status: 200,
      description,
      headers,
      content: Object.fromEntries(
        Object.entries(types).map(([type, { row, description: text, example }]) => [
          type,
          {
            schema: {
              type: 'string',
              description: text,
              contentMediaType: type,
              contentSchema: row,
            },
            example,
          },
        ]),
      ),
    }),
    declareErrors(['validation_failed', ...errors], 'own'),
    CanFailWith('internal_error', 'service_unavailable'),
  );
}
