import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import metadata from '../metadata';
import { version } from '../../package.json';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME } from './api-docs';
import { finishDocument } from './openapi-document';

/** Where the documentation page and the OpenAPI document are served. */
export const DOCS_PATH = 'docs';
export const OPENAPI_PATH = 'openapi.json';

/** The one script that stands in the documentation page itself. */
export const DOCS_SCRIPT = 'globalThis.standIns = {};';

const GUIDE = `Run paid survey and advertisement campaigns from your own programs.

**A first campaign on this page**

1. Send *Register a company*. Copy \`access_token\` from the answer, press **Authorize** and paste it under \`${ACCOUNT_TOKEN_SCHEME}\`.
2. Send *Generate an API key*. Copy \`api_key\`, press **Authorize** again and paste it under \`${API_KEY_SCHEME}\`.
3. Send *Create a survey campaign*, *Set a survey's questions*, then *Start or stop a campaign*.

Every example works when sent unchanged: on this page the examples' \`post_id\` and \`key_id\` stand for those you were answered here last. Anywhere else, use your own.

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
    .addApiKey(
      {
        type: 'apiKey',
        name: 'X-API-Key',
        in: 'header',
        description:
          'An API key of your company. `x-required-scope` of an operation says which scope it needs.',
      },
      API_KEY_SCHEME,
    )
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

/** What the documentation page keeps while it is open: an example's identifier and the real one. */
interface Page {
  standIns: Record<string, string>;
}

/*
 * The next two are sent to the documentation page as text and run there. They let an example's
 * identifier stand for the one that was answered on the page last.
 */
function useLastIds(request: { url: string; body?: unknown }): unknown {
  for (const [example, last] of Object.entries((globalThis as unknown as Page).standIns)) {
    request.url = request.url.replaceAll(example, last);
    if (typeof request.body === 'string') {
      request.body = request.body.replaceAll(example, last);
    }
  }
  return request;
}

function rememberIds(response: { ok: boolean; url: string; body?: unknown }): unknown {
  const { data } = (response.body ?? {}) as { data?: { post_id?: string; key_id?: string } };
  const page = globalThis as unknown as Page;
  for (const [example, id] of [
    ['post_01k9x2v8zdf3xbz0q4v5rk6t7m', data?.post_id],
    ['key_01k9x2v8zdf3xbz0q4v5rk6t7m', data?.key_id],
  ] as const) {
    if (response.ok && id !== undefined) {
      page.standIns[example] = id;
    }
  }
  return response;
}

/** Serves the documentation page and the document. */
export async function serveDocumentation(app: NestFastifyApplication): Promise<void> {
  const document = await createOpenApiDocument(app);
  SwaggerModule.setup(DOCS_PATH, app, document, {
    jsonDocumentUrl: OPENAPI_PATH,
    raw: ['json'],
    customSiteTitle: 'Campaign Service',
    customJsStr: DOCS_SCRIPT,
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      requestInterceptor: useLastIds,
      responseInterceptor: rememberIds,
    },
  });
}
