import type { Type } from '@nestjs/common';
import type { RecordedBody, SentRequest } from './document-content';
import { Json, SCHEMAS } from './json-schema';

/*
 * The `webhooks` of the document: requests that the service sends and its clients receive.
 */

/** Returns the name of a DTO's schema. */
const schemaOf = ({ name }: Type) => SCHEMAS + name.replace(/Dto$/, '');

/** Describes the requests as OpenAPI does, by name. */
export function describeSentRequests(
  requests: Readonly<Record<string, SentRequest>>,
  messages: Readonly<Record<string, RecordedBody>>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(requests).map(([name, request]) => [
      name,
      {
        post: {
          operationId: request.operationId,
          summary: request.summary,
          description: request.description,
          tags: [request.section],
          security: [],
          parameters: request.headers.map((header) => ({
            ...header,
            in: 'header',
            required: true,
          })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: schemaOf(request.body) },
                examples: Object.fromEntries(
                  Object.entries(messages).map(([type, value]) => [type, { value }]),
                ),
              },
            },
          },
          responses: Object.fromEntries(
            Object.entries(request.responses).map(([status, description]) => [
              status,
              { description },
            ]),
          ),
        },
      },
    ]),
  );
}
