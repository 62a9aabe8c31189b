import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json';
import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from '../src/http/error-codes';
import type { Client } from './support/client';
import { DocumentedOperation, readOperations, resolveSchema, Schema } from './support/document';
import { recordRoutes, ServedRoute } from './support/routes';
import { startService, TestService } from './support/service';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema }>;
  };
  responses: Record<
    string,
    {
      description: string;
      headers: Record<string, object>;
      content: Record<string, { schema: Schema }>;
    }
  >;
}

const PUBLIC = ['registerCompany', 'logIn', 'getLiveness', 'getReadiness'];
const JSON_TYPE = 'application/json';

/** A newcomer's way through the service, by operation. */
const SURVEY_JOURNEY = [
  'createSurvey',
  'setSurveyQuestions',
  'updateCampaign',
  'updateCohortRewards',
  'toggleLive',
];
const ADVERTISEMENT_JOURNEY = [
  'createAdvertisement',
  'setAdvertisementQuestions',
  'updateCampaign',
  'updateCohortRewards',
  'toggleLive',
];

/** What needs nothing from another operation. */
const ON_THEIR_OWN = [
  'createRoundRobinSurvey',
  'createBinarySurvey',
  'createImageSliderSurvey',
  'previewCohortRewards',
  'applyCampaign',
];

describe('The OpenAPI document', () => {
  let service: TestService;
  let served: ServedRoute[];
  let document: any;
  let operations: (Operation & { method: string; path: string })[];
  let documented: DocumentedOperation[];

  beforeAll(async () => {
    const { result, routes } = await recordRoutes(() => startService());
    service = result;
    served = routes;
    document = (await service.client.get('/openapi.json')).body;
    documented = await readOperations(service.client);
    operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, ...operation })),
    );
  });

  afterAll(() => service.close());

  const operation = (id: string) => operations.find(({ operationId }) => operationId === id)!;

  const resolve = (schema: Schema) => resolveSchema(document, schema);

  /** Sends an operation's examples, with these identifiers in place of the examples'. */
  async function sendExample(
    client: Client,
    id: string,
    ids: { post_id?: string; key_id?: string } = {},
  ): Promise<any> {
    const { method, path, bodies } = documented.find((each) => each.id === id)!;
    const answers = [];
    for (const example of bodies) {
      const own = Object.entries(ids).filter(([name]) => name in example);
      const body = { ...example, ...Object.fromEntries(own) };
      const answer = await client.send(method, path, body);
      expect([id, answer.status, answer.body]).toEqual([
        id,
        200,
        expect.objectContaining({ success: true }),
      ]);
      answers.push(answer.body.data);
    }
    return answers[0];
  }

  it('is of version 3.1.0', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Campaign Service', version },
    });
    expect(Object.keys(document.components.securitySchemes)).toEqual(['account_token', 'api_key']);
  });

  it('stands in the repository as it is served; `npm run openapi` writes it', () => {
    const file = readFileSync(join(__dirname, '../openapi.json'), 'utf8');
    expect(file).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });

  it('says of each error status which codes are possible there, and of each code what to do', () => {
    for (const { operationId, responses } of operations) {
      for (const [status, { content, description }] of Object.entries(responses)) {
        const possible = content[JSON_TYPE]!.schema.allOf?.[1]?.properties?.error?.properties?.code
          ?.enum as ErrorCode[] | undefined;
        expect([operationId, status, possible === undefined]).toEqual([
          operationId,
          status,
          status === '200',
        ]);
        for (const code of possible ?? []) {
          expect(ERROR_STATUS[code]).toBe(Number(status));
          expect(description).toContain(`- \`${code}\`: ${ERROR_ADVICE[code]}.`);
        }
      }
    }
    const { ErrorBody } = document.components.schemas;
    expect(resolve(ErrorBody.properties.code).enum).toEqual(Object.keys(ERROR_STATUS));
  });

  it('has each code in the README, with its status and what to do about it', () => {
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm)];
    expect(rows.map(([, status, code, advice]) => [Number(status), code, advice])).toEqual(
      Object.entries(ERROR_STATUS).map(([code, status]) => [
        status,
        code,
        ERROR_ADVICE[code as ErrorCode],
      ]),
    );
  });

  it('says nothing in the words of version 3.0', () => {
    const text = JSON.stringify(document);
    expect(text).not.toContain('"nullable"');
    expect(text).not.toMatch(/"exclusive(Minimum|Maximum)":(true|false)/);
    expect(text).not.toContain('Dto"');
    for (const schema of Object.values<Schema>(document.components.schemas)) {
      for (const property of Object.values(schema.properties ?? {})) {
        expect(property).not.toHaveProperty('example');
      }
    }
  });

  it('knows no other fields of a request body, however deep', () => {
    const visit = (schema: Schema) => {
      const { properties, oneOf, items, additionalProperties } = resolve(schema);
      if (properties !== undefined) {
        expect([properties, additionalProperties]).toEqual([properties, false]);
      }
      [...Object.values(properties ?? {}), ...(oneOf ?? []), ...(items ? [items] : [])].map(visit);
    };
    for (const { requestBody } of operations) {
      if (requestBody !== undefined) {
        visit(requestBody.content[JSON_TYPE]!.schema);
      }
    }
  });

  it('has every route that is served, and no other', () => {
    const documentation = /^\/(docs(\/.*)?|openapi\.json)$/;
    const routes = served
      .filter(({ url }) => !documentation.test(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.sort()).toEqual(routes.sort());
  });

  it('gives each operation a name, a summary, a known section and the credential it needs', () => {
    const sections = document.tags.map(({ name }: { name: string }) => name);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, path, summary, tags, security } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary).toMatch(/^[A-Z].+[^.]$/);
      expect(tags).toHaveLength(1);
      expect(sections).toContain(tags[0]);
      const account = path.startsWith('/api/') || path.startsWith('/svc/api-key/');
      const needed = account ? 'account_token' : 'api_key';
      expect([operationId, security]).toEqual([
        operationId,
        PUBLIC.includes(operationId) ? [] : [{ [needed]: [] }],
      ]);
    }
  });

  it('describes what each operation answers, success and error (section 2.1)', () => {
    for (const { operationId, responses, security, requestBody } of operations) {
      const statuses = Object.keys(responses);
      expect([operationId, statuses]).toEqual([
        operationId,
        expect.arrayContaining([
          '200',
          '500',
          ...(security!.length === 0 ? [] : ['401']),
          ...(requestBody === undefined ? [] : ['400', '413', '415']),
        ]),
      ]);
      for (const [status, { description, content, headers }] of Object.entries(responses)) {
        const { schema } = content[JSON_TYPE]!;
        const envelope = resolve(status === '200' ? schema : schema.allOf![0]!);
        const properties =
          status === '200'
            ? ['data', 'message', 'success']
            : ['data', 'error', 'message', 'success'];
        expect(Object.keys(envelope.properties!).sort()).toEqual(properties);
        expect([...envelope.required!].sort()).toEqual(properties);
        expect(headers['x-request-id']).toBeDefined();
        expect(headers['Retry-After'] !== undefined).toBe(['409', '429', '503'].includes(status));
        for (const name of ['RateLimit', 'RateLimit-Policy']) {
          expect([operationId, name in headers]).toEqual([operationId, '429' in responses]);
        }
        const lines = description.split('\n').filter((line) => line !== '');
        expect(new Set(lines).size).toBe(lines.length);
      }
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`;
      expect(responses['200']!.content[JSON_TYPE]!.schema.$ref).toBe(
        `#/components/schemas/${name}`,
      );
      const data = resolve(resolve(responses['200']!.content[JSON_TYPE]!.schema).properties!.data!);
      expect([operationId, Object.keys(data.properties ?? {})]).not.toEqual([operationId, []]);
    }
  });

  it('says null as version 3.1 does and knows whole numbers', () => {
    const { schemas } = document.components;
    expect(schemas.UpdatedCampaign.properties.content_url.type).toEqual(['string', 'null']);
    expect(schemas.ErrorEnvelope.properties.data.type).toBe('null');
    expect(schemas.CreatedSurvey.properties.id.type).toBe('integer');
    expect(schemas.QuestionSet.properties.ad_id.type).toBe('integer');
    expect(schemas.QuestionSet.properties.total_questions.type).toBe('integer');
    expect(schemas.UpdatedCampaign.properties.reward_amount.type).toBe('number');
  });

  it('refers only to what it has', () => {
    const references = JSON.stringify(document).match(/"#\/components\/schemas\/[^"]*"/g)!;
    const names = references.map((each) => each.slice(1, -1).replace('#/components/schemas/', ''));
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([...new Set(names)]),
    );
  });

  it('has the fields of a survey creation and of its answer (section 4.1)', () => {
    const { CreateSurvey: request, CreatedSurvey: answer } = document.components.schemas;
    expect([...request.required].sort()).toEqual(
      ['title', 'description', 'category', 'tagline', 'reward_amount'].sort(),
    );
    expect(Object.keys(request.properties).sort()).toEqual(
      [...request.required, 'content_url'].sort(),
    );
    expect([...answer.required].sort()).toEqual(['id', 'is_live', 'post_id', 'title', 'type']);
    expect(Object.keys(answer.properties).sort()).toEqual([...answer.required].sort());
  });

  it('says that the body of a key generation may be left out', () => {
    expect(operation('generateApiKey').requestBody!.required).toBe(false);
    expect(operation('createSurvey').requestBody!.required).toBe(true);
  });

  it('has examples that all work, in a newcomer’s order (sections 1 and 4)', async () => {
    const { access_token } = await sendExample(service.client, 'registerCompany');
    await sendExample(service.client, 'logIn');
    const account = service.client.withToken(access_token);
    const { api_key, key_id } = await sendExample(account, 'generateApiKey');
    const api = service.client.withKey(api_key);
    for (const [create, ...steps] of [SURVEY_JOURNEY, ADVERTISEMENT_JOURNEY]) {
      const { post_id } = await sendExample(api, create!);
      for (const step of steps) {
        await sendExample(api, step, { post_id });
      }
    }
    for (const id of ON_THEIR_OWN) {
      await sendExample(api, id);
    }
    await sendExample(account, 'rotateApiKey', { key_id });
    await sendExample(account, 'revokeApiKey', { key_id });
    const sent = [
      'registerCompany',
      'logIn',
      'generateApiKey',
      ...SURVEY_JOURNEY,
      ...ADVERTISEMENT_JOURNEY,
      ...ON_THEIR_OWN,
      'rotateApiKey',
      'revokeApiKey',
    ];
    const withBody = operations.filter(({ requestBody }) => requestBody !== undefined);
    expect([...new Set(sent)].sort()).toEqual(
      withBody.map(({ operationId }) => operationId).sort(),
    );
  });
});

describe('The documentation page', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });

  afterAll(() => service.close());

  it('loads from the service alone', async () => {
    const page = await fetch(`${service.client.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const references = [...(await page.text()).matchAll(/ (?:src|href)="([^"#]+)"/g)];
    const urls = references.map(([, reference]) => new URL(reference!, page.url));
    expect(urls.length).toBeGreaterThan(3);
    for (const url of urls) {
      expect(url.origin).toBe(new URL(service.client.url).origin);
      const asset = await fetch(url);
      await asset.arrayBuffer();
      expect([url.pathname, asset.status]).toEqual([url.pathname, 200]);
    }
  });
});
