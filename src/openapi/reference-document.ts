import type { OpenAPIObject } from '@nestjs/swagger';
import { codeSamples, SampleRequest } from './code-samples';
import type { Topic } from './document-content';
import { requestExamples } from './example-of';
import { isObject, Json } from './json-schema';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME, PLATFORM_KEY_SCHEME } from './responds-with';

/** How a request carries the credential of each security scheme. */
const CREDENTIALS: Readonly<Record<string, SampleRequest['credential']>> = {
  [ACCOUNT_TOKEN_SCHEME]: {
    header: 'Authorization',
    prefix: 'Bearer ',
    variable: 'CAMPAIGN_TOKEN',
  },
  [API_KEY_SCHEME]: { header: 'X-API-Key', prefix: '', variable: 'CAMPAIGN_API_KEY' },
  [PLATFORM_KEY_SCHEME]: { header: 'X-API-Key', prefix: '', variable: 'CAMPAIGN_PLATFORM_KEY' },
};

interface Operation extends Json {
  parameters?: Json[];
  requestBody?: Parameters<typeof requestExamples>[1];
  security?: Record<string, string[]>[];
}

/** Adds code samples to every operation, and chapters about all of them. */
export function referenceDocument(document: OpenAPIObject, topics: readonly Topic[]): object {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Record<string, Operation>).map(([method, operation]) => [
        method,
        {
          ...operation,
          'x-codeSamples': codeSamples(sampleRequest(document, method, path, operation)),
        },
      ]),
    ),
  ]);
  return {
    ...document,
    tags: [
      // Tags without operations, which the reference shows as chapters.
      ...topics.map((topic) => ({ ...topic, 'x-traitTag': true })),
      ...(document.tags ?? []),
    ],
    'x-tagGroups': [
      { name: 'Guide', tags: topics.map(({ name }) => name) },
      { name: 'Operations', tags: (document.tags ?? []).map(({ name }) => name) },
    ],
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
  };
}

function sampleRequest(
  document: OpenAPIObject,
  method: string,
  path: string,
  { parameters = [], requestBody, security = [] }: Operation,
): SampleRequest {
  const required = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.required === true);
  const examples = (place: string): [string, string][] =>
    required
      .filter((parameter) => parameter.in === place)
      .map(({ name, example }) => [String(name), String(example)]);
  const inPath = new Map(examples('path'));
  const query = new URLSearchParams(examples('query')).toString();
  const [scheme] = security.flatMap((each) => Object.keys(each));
  const [body] =
    requestBody === undefined ? [] : Object.values(requestExamples(document, requestBody));
  return {
    method: method.toUpperCase(),
    path:
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(inPath.get(name))) +
      (query === '' ? '' : `?${query}`),
    credential: scheme === undefined ? undefined : CREDENTIALS[scheme],
    body,
  };
}

/** Returns a parameter, following its reference if it is one. */
function resolve(document: OpenAPIObject, parameter: Json): Json {
  const name = String(parameter.$ref).replace('#/components/parameters/', '');
  const shared = document.components?.parameters?.[name];
  return isObject(shared) ? shared : parameter;
}
