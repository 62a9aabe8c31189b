import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_STATUS, ErrorCode } from '../protocol/error-codes';
import type {
  DocumentContent,
  RecordedBody,
  RecordedExamples,
  SentRequest,
} from './document-content';
import { ErrorComponents, Response } from './error-components';
import { addExample, RequestBody } from './example-of';
import { commonHeaders, header, HEADERS } from './headers';
import {
  completeProperties,
  Json,
  modernize,
  pascalCase,
  reachable,
  Schema,
  Schemas,
  SCHEMAS,
} from './json-schema';
import { finishParameter, Parameter, shareParameters } from './parameters';
import { ERROR_EXTENSION } from './responds-with';
import { refineSchema } from './schema-refinements';

/*
 * Swagger's decorators create a document that is correct but loose, and partly of version 3.0. This
 * file creates the served document from it: version 3.1 throughout, a named schema for every
 * response, the codes that each operation can return, and recorded examples.
 */

interface Operation extends Json {
  operationId: string;
  parameters: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Response>;
}

const JSON_TYPE = 'application/json';

/** Separates an operation from the errors that its decorators declared on it. */
function takeErrors(operation: Operation) {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
    (code) => ERROR_EXTENSION + code in operation,
  );
  const members = Object.entries(operation);
  return {
    codes,
    own: new Set(codes.filter((code) => operation[ERROR_EXTENSION + code] === 'own')),
    operation: Object.fromEntries(
      members.filter(([name]) => !name.startsWith(ERROR_EXTENSION)),
    ) as Operation,
  };
}

/** The examples of a response, by the names of the requests' examples. */
function examplesOf(bodies: Record<string, RecordedBody> = {}): Json {
  return Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]));
}

/** The content of a success: an envelope with a named schema and examples, or a download. */
function contentOf(
  operationId: string,
  declared: NonNullable<Response['content']>,
  schemas: Schemas,
  recorded: RecordedExamples,
): NonNullable<Response['content']> {
  const { [JSON_TYPE]: envelope } = declared;
  if (envelope === undefined) {
    return declared;
  }
  // Client generators name types of their own after the operation: `…Result`, `…Response`, `…Data`.
  const name = `${pascalCase(operationId)}Envelope`;
  schemas[name] = envelope.schema;
  return {
    [JSON_TYPE]: {
      schema: { $ref: SCHEMAS + name },
      examples: examplesOf(recorded.operations[operationId]?.successes),
    },
  };
}

/** Gives an operation a named schema for its success, its errors and its examples. */
function finishOperation(
  declared: Operation,
  schemas: Schemas,
  errors: ErrorComponents,
  recorded: RecordedExamples,
): Operation {
  const { codes, own, operation } = takeErrors(declared);
  const { operationId } = operation;
  const { '200': success } = operation.responses;
  if (success?.content === undefined) {
    throw new Error(`${operationId} has no success response`);
  }
  const headers = {
    ...commonHeaders(codes.includes('rate_limited')),
    ...(codes.includes('idempotency_in_progress')
      ? { 'Idempotency-Replayed': header('IdempotencyReplayed') }
      : {}),
    ...success.headers,
  };
  return {
    ...operation,
    parameters: operation.parameters.map(finishParameter),
    // An empty list means that no credential is needed; an absent list would leave it open.
    security: operation.security ?? [],
    responses: {
      200: {
        ...success,
        headers,
        content: contentOf(operationId, success.content, schemas, recorded),
      },
      ...errors.responsesOf(operationId, codes, own),
    },
  };
}

/** Describes a request that the service sends. */
function describeSent(
  { body, responses, ...request }: SentRequest,
  messages: RecordedExamples['messages'],
): Json {
  const schema = { $ref: SCHEMAS + body.name.replace(/Dto$/, '') };
  const content = { [JSON_TYPE]: { schema, examples: examplesOf(messages) } };
  return { post: { ...request, requestBody: { required: true, content }, responses } };
}

function sorted<T>(map: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Creates the finished document from the document of Swagger's decorators. */
export function finishDocument(
  raw: OpenAPIObject,
  recorded: RecordedExamples,
  sent: DocumentContent['webhooks'],
): OpenAPIObject {
  // Clients see the names of the schemas, so these lose the suffix of our classes.
  const named = JSON.parse(
    JSON.stringify(raw).replaceAll(/(#\/components\/schemas\/\w+?)Dto"/g, '$1"'),
  ) as OpenAPIObject;
  const schemas: Schemas = {};
  for (const [name, loose] of Object.entries(named.components?.schemas ?? {})) {
    const { $defs = {}, ...schema } = refineSchema(name, modernize(loose, 'schema') as Schema);
    Object.assign(schemas, { [name.replace(/Dto$/, '')]: schema }, $defs);
  }
  const paths = modernize(named.paths, 'paths') as Record<string, Record<string, Operation>>;
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const requested = reachable(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const errors = new ErrorComponents(recorded);
  for (const item of Object.values(paths)) {
    for (const [method, declared] of Object.entries(item)) {
      item[method] = finishOperation(declared, schemas, errors, recorded);
    }
  }
  const parameters = shareParameters(Object.values(paths).flatMap((item) => Object.values(item)));
  Object.assign(schemas, errors.schemas);
  for (const [name, schema] of Object.entries(schemas)) {
    const closed = requested.has(name) && schema.type === 'object';
    schemas[name] = completeProperties(
      closed ? { ...schema, additionalProperties: false } : schema,
    );
  }
  const webhooks = Object.fromEntries(
    Object.entries(sent).map(([name, request]) => [name, describeSent(request, recorded.messages)]),
  );
  for (const { requestBody } of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (requestBody !== undefined) {
      addExample({ components: { schemas } }, requestBody);
    }
  }
  const used = reachable([paths, webhooks, parameters, errors.responses], schemas);
  return {
    ...named,
    paths,
    webhooks,
    components: {
      ...named.components,
      securitySchemes: named.components?.securitySchemes,
      headers: HEADERS,
      parameters: sorted(parameters),
      responses: sorted(errors.responses),
      examples: sorted(errors.examples),
      schemas: Object.fromEntries(
        Object.entries(sorted(schemas)).filter(([name]) => used.has(name)),
      ),
    },
  } as OpenAPIObject;
}
