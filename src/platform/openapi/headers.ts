import type { Json } from './json-schema';

/** Response headers, by the names of their components in the document. */
export const HEADERS = {
  RequestId: {
    description:
      'The `x-request-id` of the request, or a new one. The service logs it; quote it when you ask for help.',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.:/+=@-]+$' },
    example: '5f9cb9fc-9457-40b4-b588-0691376bd0c3',
  },
  RetryAfter: {
    description: 'Seconds to wait before sending the same request again.',
    required: false,
    schema: { type: 'integer', format: 'int32', minimum: 0, maximum: 86_400 },
    example: 1,
  },
  ETag: {
    description: 'The version of the campaign; send it as `If-Match` with a later request.',
    required: false,
    schema: { type: 'string', maxLength: 12, pattern: '^"[0-9]{1,10}"$' },
    example: '"1"',
  },
  IdempotencyReplayed: {
    description:
      'Present, and `true`, when this is the stored response to an earlier request with the same key.',
    required: false,
    schema: { type: 'string', enum: ['true'] as string[] },
  },
  RateLimit: {
    description:
      'What remains: `r` requests for the next `t` seconds, for each limit that counts the request. ' +
      'Absent when the service runs without limits.',
    required: false,
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^"[a-z-]+";r=[0-9]+;t=[0-9]+(, "[a-z-]+";r=[0-9]+;t=[0-9]+)*$',
    },
    example: '"address";r=2987;t=41, "key";r=1187;t=41',
  },
  RateLimitPolicy: {
    description: 'The limits: `q` requests in a window of `w` seconds.',
    required: false,
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^"[a-z-]+";q=[0-9]+;w=[0-9]+(, "[a-z-]+";q=[0-9]+;w=[0-9]+)*$',
    },
    example: '"address";q=3000;w=60, "key";q=1200;w=60',
  },
  ContentDisposition: {
    description: 'The name of the file, as RFC 6266 has it.',
    required: false,
    schema: { type: 'string', maxLength: 200, pattern: '^attachment; filename="[^"]+"$' },
    example: 'attachment; filename="post_01k9x2v8zdf3xbz0q4v5rk6t7m.csv"',
  },
  ExportCount: {
    description: 'How many responses the export has.',
    required: false,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: 1204,
  },
  ExportUpToSeq: {
    description: 'The export has every response up to this `seq`.',
    required: false,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: 1204,
  },
} as const;

/** Returns a reference to one of the headers. */
export function header(name: keyof typeof HEADERS): { $ref: string } {
  return { $ref: `#/components/headers/${name}` };
}

/** Returns the headers of every response of an operation, whatever its status. */
export function commonHeaders(rateLimited: boolean): Json {
  return {
    'x-request-id': header('RequestId'),
    ...(rateLimited
      ? { RateLimit: header('RateLimit'), 'RateLimit-Policy': header('RateLimitPolicy') }
      : {}),
  };
}
