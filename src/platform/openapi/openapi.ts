import type { INestApplication } from '@nestjs/common';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../../../package.json';
import type { DocumentContent, RecordedExamples } from './document-content';
import { finishDocument } from './finish-document';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME, PLATFORM_KEY_SCHEME } from './responds-with';

/** What the DTOs and controllers say about themselves; see `scripts/generate-metadata.mjs`. */
type Metadata = Parameters<typeof SwaggerModule.loadPluginMetadata>[0];

const SERVER = {
  // Relative to the document, which can be below a path of its host.
  url: '.',
  description: 'The service that serves this document: local, test or production.',
  'x-internal': false,
};

/** In the order in which a newcomer receives them. */
const SECURITY_SCHEMES: NonNullable<OpenAPIObject['components']>['securitySchemes'] = {
  [ACCOUNT_TOKEN_SCHEME]: {
    scheme: 'bearer',
    bearerFormat: 'JWT',
    type: 'http',
    description:
      'The account token that registering and logging in return. A JWT that follows RFC8725: ' +
      'one algorithm, a fixed issuer and audience, and a lifetime of one hour by default.',
  },
  [API_KEY_SCHEME]: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'An API key of your company. `x-required-scopes` of an operation names the scopes it needs.',
  },
  [PLATFORM_KEY_SCHEME]: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'A platform key, `cpk_…`, for the platforms that show campaigns to people. The operator of ' +
      'the service generates it. `x-required-scopes` of an operation names the scopes it needs.',
  },
};

/** Creates the OpenAPI document of an application, for the file that the service serves. */
export async function createOpenApiDocument(
  app: INestApplication,
  { title, introduction, sections, webhooks }: DocumentContent,
  examples: RecordedExamples,
  metadata: Metadata,
): Promise<OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const config: Omit<OpenAPIObject, 'paths'> = {
    openapi: '3.1.0',
    info: {
      title,
      description: introduction,
      version,
      contact: { name: `The maintainers of the ${title}` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    tags: [...sections],
    servers: [SERVER],
    components: { securitySchemes: SECURITY_SCHEMES },
  };
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_, method) => method,
    extraModels: Object.values(webhooks).map(({ body }) => body),
  });
  return finishDocument(document, examples, webhooks);
}
