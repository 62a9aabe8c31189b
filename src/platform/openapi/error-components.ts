import { ERROR_ADVICE, ERROR_STATUS, ErrorCode, STORED_STATUSES } from '../protocol/error-codes';
import type { RecordedExamples } from './document-content';
import { commonHeaders, header } from './headers';
import { Json, pascalCase, Schemas, SCHEMAS } from './json-schema';

/*
 * Error responses of the document. Each is described once, under `components`, and operations refer
 * to it. Each code has its own schema, so that generated clients can switch over the codes that one
 * operation returns.
 */

/** A response of the OpenAPI document. */
export interface Response extends Json {
  description: string;
  headers?: Json;
  content?: Record<string, { schema: Json; example?: unknown; examples?: Json }>;
}

type ErrorStatus = (typeof ERROR_STATUS)[ErrorCode];

const STATUS_TEXT: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is not valid. Nothing was changed.',
  401: 'The credential is missing or not valid.',
  403: 'The caller is known but not allowed to do this.',
  404: 'The resource does not exist.',
  405: 'The path does not support this method.',
  408: 'The request did not arrive in time. Nothing was changed.',
  409: 'The request conflicts with stored data, or with the same request still in progress.',
  410: 'What you ask for was moved to an archive.',
  412: '`If-Match` names a version that is no longer current. Nothing was changed.',
  413: 'The request body is too large.',
  414: 'The path and query are too long.',
  415: 'The request body is not `application/json` in UTF-8, or it is encoded.',
  422: 'The request is valid but conflicts with stored data. Nothing was changed.',
  429: 'Too many requests. Retry after `Retry-After` seconds.',
  431: 'The headers are too large.',
  500: 'The service failed.',
  503: 'The service is temporarily unavailable. Retry after `Retry-After` seconds.',
};

/** The names of statuses with many codes. */
const STATUS_NAME: Partial<Record<ErrorStatus, string>> = {
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  422: 'UnprocessableContent',
};

/** Groups of codes that always occur together, by name. */
const FAMILIES: Readonly<Record<string, readonly ErrorCode[]>> = {
  InvalidRequest: ['validation_failed', 'malformed_json'],
  ApiKeyRefused: ['api_key_missing', 'api_key_invalid', 'api_key_expired', 'api_key_revoked'],
  TokenRefused: ['token_missing', 'token_invalid'],
};

/** The statuses that say when to retry, and codes of others that do. */
const RETRIED: readonly (ErrorStatus | ErrorCode)[] = [409, 429, 503, 'pace_reached'];

/** The schema of `error` with one code. */
function errorSchema(code: ErrorCode): Json {
  return {
    allOf: [
      { $ref: `${SCHEMAS}ErrorBody` },
      { type: 'object', required: ['code'], properties: { code: { type: 'string', const: code } } },
    ],
  };
}

/** Names the codes of one status; many codes get the name of their operation, which is shorter. */
function nameOf(operationId: string, codes: readonly ErrorCode[]): string {
  const names = codes.map((code) => {
    const family = Object.entries(FAMILIES).find(([, members]) =>
      members.every((member) => codes.includes(member) && members.includes(code)),
    );
    return family?.[0] ?? pascalCase(code);
  });
  const parts = [...new Set(names)];
  const [status = 500] = codes.map((code) => ERROR_STATUS[code]);
  return parts.length > 2
    ? `${pascalCase(operationId)}${STATUS_NAME[status] ?? status}`
    : parts.join('Or');
}

/** Collects the components for the errors of all operations. */
export class ErrorComponents {
  readonly responses: Record<string, Response> = {};
  readonly schemas: Schemas = {};
  readonly examples: Json = {};

  constructor(private readonly recorded: RecordedExamples) {}

  /**
   * Returns the error responses of an operation, by status.
   *
   * @param codes the codes that the operation can return
   * @param own the codes that are specific to this operation, not to requests in general
   */
  responsesOf(
    operationId: string,
    codes: readonly ErrorCode[],
    own: ReadonlySet<ErrorCode>,
  ): Record<string, Response | { $ref: string }> {
    const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))];
    const limited = codes.includes('rate_limited');
    return Object.fromEntries(
      statuses.map((status) => {
        const here = codes.filter((code) => ERROR_STATUS[code] === status);
        return [status, this.responseOf(operationId, here, limited, own)];
      }),
    );
  }

  /** Refers to the response with these codes; one with its own examples stands in its place. */
  private responseOf(
    operationId: string,
    codes: readonly ErrorCode[],
    limited: boolean,
    own: ReadonlySet<ErrorCode>,
  ): Response | { $ref: string } {
    const examples = this.recorded.operations[operationId]?.errors ?? {};
    const name = nameOf(operationId, codes);
    const schema = this.envelope(codes);
    if (codes.some((code) => code in examples)) {
      this.schemas[`${name}Envelope`] ??= schema;
      return this.response(operationId, codes, limited, { $ref: `${SCHEMAS}${name}Envelope` });
    }
    // Generators put the types of responses and schemas in one namespace.
    const component = limited ? `${name}Response` : `${name}UnlimitedResponse`;
    this.responses[component] ??= {
      ...this.response(operationId, codes, limited, schema),
      ...(codes.some((code) => own.has(code)) ? {} : { 'x-common': true }),
    };
    return { $ref: `#/components/responses/${component}` };
  }

  private response(
    operationId: string,
    codes: readonly ErrorCode[],
    limited: boolean,
    schema: Json,
  ): Response {
    const [status = 500] = codes.map((code) => ERROR_STATUS[code]);
    const list = codes.map((code) => `- \`${code}\`: ${ERROR_ADVICE[code]}.`);
    return {
      description: [STATUS_TEXT[status], '', ...list].join('\n'),
      headers: {
        ...commonHeaders(limited),
        ...(STORED_STATUSES.has(status) && {
          'Idempotency-Replayed': header('IdempotencyReplayed'),
        }),
        ...([status, ...codes].some((each) => RETRIED.includes(each)) && {
          'Retry-After': header('RetryAfter'),
        }),
      },
      content: {
        'application/json': {
          schema,
          examples: Object.fromEntries(
            codes.map((code) => [code, this.example(operationId, code)]),
          ),
        },
      },
    };
  }

  /** The schema of the error envelope with one of these codes. */
  private envelope(codes: readonly ErrorCode[]): Json {
    const bodies = codes.map((code) => {
      const name = pascalCase(code);
      this.schemas[name] ??= errorSchema(code);
      return { $ref: SCHEMAS + name };
    });
    const [body, ...others] = bodies;
    const error = others.length === 0 ? body : { oneOf: bodies };
    return {
      allOf: [
        { $ref: `${SCHEMAS}ErrorEnvelope` },
        { type: 'object', required: ['error'], properties: { error } },
      ],
    };
  }

  private example(operationId: string, code: ErrorCode): Json {
    const own = this.recorded.operations[operationId]?.errors[code];
    if (own !== undefined) {
      return { value: own };
    }
    this.examples[code] ??= { value: this.recorded.errors[code] };
    return { $ref: `#/components/examples/${code}` };
  }
}
