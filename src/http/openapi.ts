import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import metadata from '../metadata';
import { version } from '../../package.json';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME } from './api-docs';
import { finishDocument } from './openapi-document';

const GUIDE = `Run paid survey and advertisement campaigns from your own programs.

### A first campaign at /docs

1. Send *Register a company*, or *Log in* if you have an account. Copy \`access_token\` from the answer, press **Authorize** and paste it under \`${ACCOUNT_TOKEN_SCHEME}\`.
2. Send *Generate an API key*. Copy \`api_key\`, press **Authorize** again and paste it under \`${API_KEY_SCHEME}\`.
3. Send *Create a survey campaign*, *Set a survey's questions*, then *Start or stop a campaign*.

Every example works when sent unchanged: at \`/docs\` the examples' \`post_id\` and \`key_id\` stand for those you were answered there last. Anywhere else, use your own.

**Answers** have one shape, success or error: \`success\`, \`message\`, \`data\`, and with an error \`error\` with its \`code\`, the \`request_id\` and every wrong field in \`details\`.

**Money** is decimal with at most two places; computed rewards are rounded half up.`;

/** Sections of the page, in the order a newcomer needs them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Company', 'Register, log in, look yourself up.'],
  ['API keys', 'Made with the account token; used for everything below.'],
  ['Surveys', 'Create survey campaigns.'],
  ['Advertisements', 'Create advertisement campaigns.'],
  ['Image surveys', 'Create a survey about images, with its content, in one call.'],
  ['Questions', 'Attach questions to a survey, feedback questions to an advertisement.'],
  ['Campaigns', 'Read, list, edit, start and stop campaigns of every kind.'],
  ['Cohort rewards', 'What each of the five attention cohorts is paid.'],
  ['Campaign documents', 'A whole campaign in one call, to be kept in version control.'],
  ['Health', 'For load balancers and operators.'],
];

/** Makes the OpenAPI document of an application. */
export async function createOpenApiDocument(app: INestApplication): Promise<OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Campaign Service')
    .setDescription(GUIDE)
    .setVersion(version)
    .addServer(
      '/',
      'Local, test or production: the service that serves this document.',
      undefined,
      {
        'x-internal': false,
      },
    )
    .setLicense('MIT', 'https://opensource.org/license/mit')
    // In the order in which a newcomer has them.
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description:
          'The account token that registering and logging in answer. A JWT after RFC8725: one ' +
          'algorithm, a fixed issuer and audience, and a lifetime of an hour unless configured otherwise.',
      },
      ACCOUNT_TOKEN_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        name: 'X-API-Key',
        in: 'header',
        description:
          'An API key of your company. `x-required-scope` of an operation says which scope it needs.',
      },
      API_KEY_SCHEME,
    );
  for (const [name, description] of TAGS) {
    builder.addTag(name, description);
  }
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_, method) => method,
  });
  document.info.contact = { name: 'The maintainers of the Campaign Service' };
  return finishDocument(document);
}
