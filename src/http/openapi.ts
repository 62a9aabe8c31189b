import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import metadata from '../metadata';
import { ACCOUNT_TOKEN_SCHEME, API_KEY_SCHEME } from './api-docs';
import { EXAMPLE_POST_ID } from './examples';

/** Where the documentation page and the OpenAPI document are served. */
export const DOCS_PATH = 'docs';
export const OPENAPI_PATH = 'openapi.json';

const GUIDE = `Run paid survey and advertisement campaigns from your own programs.

**A first campaign on this page**

1. Send *Register a company*. Copy \`access_token\` from the answer, press **Authorize** and paste it under \`${ACCOUNT_TOKEN_SCHEME}\`.
2. Send *Generate an API key*. Copy \`api_key\`, press **Authorize** again and paste it under \`${API_KEY_SCHEME}\`.
3. Send *Create a survey campaign*, *Set a survey's questions*, then *Start or stop a campaign*.

Every example works when sent unchanged: on this page the example's \`post_id\` stands for the campaign you created here last. Anywhere else, use the \`post_id\` that the creation answered.

**Answers** have one shape, success or error: \`success\`, \`message\`, \`data\`, and with an error \`error\` with its \`code\`, the \`request_id\` and every wrong field in \`details\`.

**Money** is decimal with at most two places; computed rewards are rounded half up.`;

/** Sections of the page, in the order a newcomer needs them. */
const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['Company', 'Register, log in, look yourself up.'],
  ['API keys', 'Made with the account token; used for everything below.'],
  ['Surveys', 'Create survey campaigns.'],
  ['Advertisements', 'Create advertisement campaigns.'],
  ['Questions', 'Attach questions to a survey, feedback questions to an advertisement.'],
  ['Campaigns', 'Edit, start and stop campaigns of every kind.'],
  ['Cohort rewards', 'What each of the five attention cohorts is paid.'],
  ['Health', 'For load balancers and operators.'],
];

/** Makes the OpenAPI document of an application. */
export async function createOpenApiDocument(app: NestFastifyApplication): Promise<OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Campaign Service')
    .setDescription(GUIDE)
    .setVersion('1.0.0')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addApiKey({ type: 'apiKey', name: 'X-API-Key', in: 'header' }, API_KEY_SCHEME)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, ACCOUNT_TOKEN_SCHEME);
  for (const [name, description] of TAGS) {
    builder.addTag(name, description);
  }
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_, method) => method,
  });
  return nullableAsType(document) as OpenAPIObject;
}

/** OpenAPI 3.1 says "or null" in the type; the decorators still say it as 3.0 did. */
function nullableAsType(node: unknown): unknown {
  if (Array.isArray(node)) {
    return node.map(nullableAsType);
  }
  if (typeof node !== 'object' || node === null) {
    return node;
  }
  const { nullable, ...rest } = node as Record<string, unknown>;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, nullableAsType(value)]),
  );
  if (nullable === true && typeof schema.type === 'string' && schema.type !== 'null') {
    schema.type = [schema.type, 'null'];
  }
  return schema;
}

/** What the documentation page keeps while it is open. */
interface Page {
  examplePostId: string;
  lastPostId?: string;
}

/*
 * The next two are sent to the documentation page as text and run there. They let the examples'
 * post_id stand for the campaign that was created on the page last.
 */
function useLastCampaign(request: { body?: unknown }): unknown {
  const page = globalThis as unknown as Page;
  if (page.lastPostId !== undefined && typeof request.body === 'string') {
    request.body = request.body.replaceAll(page.examplePostId, page.lastPostId);
  }
  return request;
}

function rememberCampaign(response: { url: string; body?: unknown }): unknown {
  const { data } = (response.body ?? {}) as { data?: { post_id?: string } };
  if (response.url.endsWith('/create') && data?.post_id !== undefined) {
    (globalThis as unknown as Page).lastPostId = data.post_id;
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
    customJsStr: `globalThis.examplePostId = '${EXAMPLE_POST_ID}';`,
    swaggerOptions: {
      persistAuthorization: true,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      requestInterceptor: useLastCampaign,
      responseInterceptor: rememberCampaign,
    },
  });
}
