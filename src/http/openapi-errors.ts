import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from './error-codes';

/*
 * Answers in the OpenAPI document: what errors look like, and the headers of every answer.
 */

type Json = Record<string, unknown>;

/** An answer as the document describes it. */
export interface Response extends Json {
  description: string;
  headers?: Json;
  content?: Record<string, { schema: Json; examples?: Json }>;
}

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

const STATUS_TEXT: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is wrong in itself; nothing was changed.',
  401: 'The credential is missing or not valid.',
  403: 'The caller is known but may not do this.',
  404: 'There is no such thing.',
  405: 'The path exists, but not for this method.',
  408: 'The request did not arrive in time; nothing was changed.',
  409: 'In conflict with what is stored, or with the same request while it is being worked on.',
  412: 'If-Match names a version that is no longer current; nothing was changed.',
  413: 'The request body is larger than 2 MiB.',
  415: 'The request body is not application/json.',
  422: 'Well-formed, but in conflict with what is stored; nothing was changed.',
  429: 'Too many requests; try again after `Retry-After` seconds.',
  500: 'A fault of the service.',
  503: 'The service cannot do this right now; try again after `Retry-After` seconds.',
};

/** Headers of answers, by the name under which the document keeps them. */
export const HEADERS = {
  RequestId: {
    description: 'The `x-request-id` that was sent, or a new one. It stands in the log.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.:/+=@-]+$' },
    example: '5f9cb9fc-9457-40b4-b588-0691376bd0c3',
  },
  RetryAfter: {
    description: 'Seconds after which to send the same request again.',
    required: false,
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 1,
  },
  ETag: {
    description: 'The version of the campaign, for `If-Match` of a later request.',
    required: false,
    schema: { type: 'string', maxLength: 12, pattern: '^"[0-9]{1,10}"$' },
    example: '"1"',
  },
  IdempotencyReplayed: {
    description: 'There, and `true`, where this is the answer to an earlier request with the key.',
    required: false,
    schema: { type: 'string', enum: ['true'] as string[] },
  },
  RateLimit: {
    description:
      'What is left: `r` requests for the next `t` seconds, by each limit the request is counted ' +
      'under. Missing where the service runs without limits.',
    required: false,
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+(, "[a-z-]+";r=[0-9]+;t=[0-9]+)*$',
    },
    example: '"address";r=2987;t=41, "key";r=1187;t=41',
  },
  RateLimitPolicy: {
    description: 'The limits themselves: `q` requests in a window of `w` seconds.',
    required: false,
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+(, "[a-z-]+";q=[0-9]+;w=[0-9]+)*$',
    },
    example: '"address";q=3000;w=60, "key";q=1200;w=60',
  },
} as const;

/** Headers of every answer of an operation whose requests are counted. */
const LIMIT_HEADERS = {
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
};

/** Headers of every answer of an operation, whatever its status. */
export function commonHeaders(codes: readonly ErrorCode[]): Json {
  return {
    'x-request-id': header('RequestId'),
    ...(codes.includes('rate_limited') ? LIMIT_HEADERS : {}),
  };
}

/** The header each status carries besides the request id. */
const STATUS_HEADERS: Partial<Record<ErrorStatus, Json>> = {
  409: { 'Retry-After': header('RetryAfter') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
};

/** A reference to one of the headers. */
export function header(name: keyof typeof HEADERS): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

/** The error envelope with the codes that are possible in one place. */
function errorSchema(codes: readonly ErrorCode[]): Json {
  return {
    allOf: [
      { $ref: '#/components/schemas/ErrorEnvelope' },
      {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code'],
            properties: { code: { type: 'string', enum: codes } },
          },
        },
      },
    ],
  };
}

/** An answer with a code, for people. */
export function errorExample(code: ErrorCode): Json {
  return {
    summary: code,
    value: {
      success: false,
      message: `${ERROR_ADVICE[code].replaceAll('`', '')}.`,
      data: null,
      error: { code, request_id: HEADERS.RequestId.example, details: [] },
    },
  };
}

/** The error answers an operation can give, by status. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => {
      const here = codes.filter((code) => ERROR_STATUS[code] === status);
      const list = here.map((code) => `- \`${code}\`: ${ERROR_ADVICE[code]}.`);
      return [
        status,
        {
          description: [STATUS_TEXT[status], '', ...list].join('\n'),
          headers: { ...commonHeaders(codes), ...STATUS_HEADERS[status] },
          content: {
            'application/json': {
              schema: errorSchema(here),
              examples: Object.fromEntries(
                here.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ];
    }),
  );
}
