import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { version } from '../../package.json';
import type { DocumentContent, RecordedExamples } from './document-content';
import { finishDocument } from './finish-document';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME, PLATFORM_KEY_SCHEME } from './responds-with';

/** What the DTOs and controllers say about themselves; see `scripts/generate-metadata.mjs`. */
type Metadata = Parameters<typeof SwaggerModule.loadPluginMetadata>[0];

/** Creates the OpenAPI document of an application, for the file that the service serves. */
export async function createOpenApiDocument(
  app: INestApplication,
  { title, introduction, sections, webhooks }: DocumentContent,
  examples: RecordedExamples,
  metadata: Metadata,
): Promise<OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(introduction)
    .setVersion(version)
    .addServer(
      '/',
      'The service that serves this document: local, test or production.',
      undefined,
      {
        'x-internal': false,
      },
    )
    .setLicense('MIT', 'https://opensource.org/license/mit')
    // In the order in which a newcomer receives them.
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'The account token that registering and logging in return. A JWT that follows RFC8725: ' +
          'one algorithm, a fixed issuer and audience, and a lifetime of one hour by default.',
      },
      ACCOUNT_TOKEN_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        name: 'X-API-Key',
        in: 'header',
        description:
          'An API key of your company. `x-required-scopes` of an operation names the scopes it needs.',
      },
      API_KEY_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        name: 'X-API-Key',
        in: 'header',
        description:
          'A platform key, `cpk_…`, for the platforms that show campaigns to people. The operator of ' +
          'the service generates it. `x-required-scopes` of an operation names the scopes it needs.',
      },
      PLATFORM_KEY_SCHEME,
    );
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_, method) => method,
    extraModels: Object.values(webhooks).map(({ body }) => body),
  });
  document.info.contact = { name: `The maintainers of the ${title}` };
  document.tags = [...sections];
  return finishDocument(document, examples, webhooks);
}
