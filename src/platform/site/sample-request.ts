import type { OpenAPIObject } from '@nestjs/swagger';
import { RequestBody, requestExamples } from '../openapi/example-of';
import { isObject, Json } from '../openapi/json-schema';
import {
  ACCOUNT_TOKEN_SCHEME,
  API_KEY_SCHEME,
  PLATFORM_KEY_SCHEME,
} from '../openapi/responds-with';

/** Where a sample takes a credential from, and the header that carries it. */
export interface Credential {
  /** What the pages call it. */
  name: string;
  header: string;
  prefix: string;
  /** The environment variable that holds it. */
  variable: string;
  /** The option of the SDK's client that takes it. */
  option: string;
}

/** How a request carries the credential of each security scheme. */
const CREDENTIALS: Readonly<Record<string, Credential>> = {
  [ACCOUNT_TOKEN_SCHEME]: {
    name: 'account token',
    header: 'Authorization',
    prefix: 'Bearer ',
    variable: 'CAMPAIGN_TOKEN',
    option: 'accessToken',
  },
  [API_KEY_SCHEME]: {
    name: 'API key',
    header: 'X-API-Key',
    prefix: '',
    variable: 'CAMPAIGN_API_KEY',
    option: 'apiKey',
  },
  [PLATFORM_KEY_SCHEME]: {
    name: 'platform key',
    header: 'X-API-Key',
    prefix: '',
    variable: 'CAMPAIGN_PLATFORM_KEY',
    option: 'platformKey',
  },
};

/** The credential that an operation needs, if it needs one. */
export function credentialOf({ security = [] }: Operation): Credential | undefined {
  const [scheme = ''] = security.flatMap((each) => Object.keys(each));
  return CREDENTIALS[scheme];
}

/** A request to show in several languages. */
export interface SampleRequest {
  operationId: string;
  method: string;
  /** The path, with the values of its parameters, and the query. */
  path: string;
  /** The values of the required parameters, and the fields of the body. */
  values: Json;
  credential?: Credential;
  body?: Json;
  /** Whether the service recommends an `Idempotency-Key`. */
  isWrite: boolean;
  /** Whether the response is a file rather than JSON. */
  isDownload: boolean;
}

/** An operation of the OpenAPI document. */
export interface Operation extends Json {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Json[];
  requestBody?: RequestBody;
  responses: Record<string, Json>;
  security?: Record<string, string[]>[];
}

/** Returns the request that the examples of an operation make. */
export function sampleRequest(
  document: OpenAPIObject,
  method: string,
  path: string,
  operation: Operation,
): SampleRequest {
  const { operationId, parameters = [], requestBody, responses } = operation;
  const all = parameters.map((parameter) => resolve(document, 'parameters', parameter));
  const examples = (place: string): [string, string][] =>
    all
      .filter((parameter) => parameter.required === true && parameter.in === place)
      .map(({ name, example }) => [String(name), String(example)]);
  const inPath = new Map(examples('path'));
  const inQuery = examples('query');
  const query = new URLSearchParams(inQuery).toString();
  const [body] =
    requestBody === undefined ? [] : Object.values(requestExamples(document, requestBody));
  return {
    operationId,
    method: method.toUpperCase(),
    path:
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(inPath.get(name))) +
      (query === '' ? '' : `?${query}`),
    values: { ...Object.fromEntries([...inPath, ...inQuery]), ...body },
    credential: credentialOf(operation),
    body,
    isWrite: all.some(({ name }) => name === 'Idempotency-Key'),
    isDownload: !('application/json' in ((responses['200']?.content ?? {}) as Json)),
  };
}

/** Returns a part of the document, following its reference if it is one. */
export function resolve(
  document: OpenAPIObject,
  kind: 'parameters' | 'responses',
  part: Json,
): Json {
  const name = String(part.$ref).replace(`#/components/${kind}/`, '');
  const shared = document.components?.[kind]?.[name];
  return isObject(shared) ? shared : part;
}
