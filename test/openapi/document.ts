import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { DOCUMENT } from '../../src/app.setup';
import { DETAIL_CODES } from '../../src/platform/protocol/detail-codes';
import { ERROR_ADVICE, ERROR_STATUS, ErrorCode } from '../../src/platform/protocol/error-codes';
import { pascalCase } from '../../src/platform/openapi/json-schema';
import { createOpenApiDocument } from '../../src/platform/openapi/openapi';
import recordedExamples from '../../src/platform/openapi/recorded-examples.json';
import { propertiesOf, resolve, Schema } from '../support/document';
import { ServedRoute } from '../support/routes';
import { service } from '../support/service';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: {
    $ref?: string;
    name: string;
    in: string;
    allowEmptyValue?: boolean;
    schema: Schema;
  }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema }>;
  };
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  description: string;
  headers: Record<string, object>;
  content: Record<string, { schema: Schema; examples: Record<string, { value: any }> }>;
}

const PUBLIC = ['registerCompany', 'logIn', 'getLiveness', 'getReadiness', 'getReceiptKeys'];

const JSON_TYPE = 'application/json';

/** The only successes that are not JSON. */
const DOWNLOADS = [
  ['exportResponses', '200', ['application/x-ndjson', 'text/csv']],
  ['exportTransfers', '200', ['text/csv']],
  ['downloadSettlement', '200', ['application/x-ndjson']],
];

describe('the OpenAPI document', () => {
  let served: ServedRoute[];
  let document: any;
  let operations: (Operation & { method: string; path: string })[];

  beforeAll(async () => {
    served = service.routes;
    document = (await service.client.get('/openapi.json')).body;
    operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method, path, ...operation })),
    );
  });

  const operation = (id: string) => operations.find(({ operationId }) => operationId === id)!;

  /** The responses of an operation, wherever they are described. */
  const responsesOf = ({ responses }: Operation) =>
    Object.entries(responses).map(
      ([status, response]) => [status, resolve(document, response)] as const,
    );

  const codesOfOperation = (operation: Operation) =>
    responsesOf(operation).flatMap(([status, response]) =>
      status === '200' ? [] : codesOf(response),
    );

  const order = Object.keys(ERROR_STATUS);
  const byStatus = (a: string, b: string) => order.indexOf(a) - order.indexOf(b);

  /** The codes that an error response can carry. */
  function codesOf({ content }: Response): ErrorCode[] {
    const { error } = propertiesOf(document, content[JSON_TYPE]!.schema);
    const bodies = error!.oneOf ?? [error!];
    return bodies.map((body) => propertiesOf(document, body).code!.const as ErrorCode);
  }

  it('is of version 3.1.0', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Campaign Service', version },
    });
    expect(Object.keys(document.components.securitySchemes)).toEqual([
      'account_token',
      'api_key',
      'platform_key',
    ]);
  });

  it('equals what the code says about itself (`npm run openapi` writes it)', async () => {
    const root = join(__dirname, '../..');
    execFileSync(process.execPath, ['scripts/generate-metadata.mjs'], { cwd: root });
    const { default: metadata } = await import('../../src/platform/openapi/metadata');
    const generated = await createOpenApiDocument(
      service.app,
      DOCUMENT,
      recordedExamples,
      metadata,
    );
    const file = readFileSync(join(root, 'openapi.json'), 'utf8');
    expect(file).toBe(`${JSON.stringify(generated, null, 2)}\n`);
    expect(document).toEqual(JSON.parse(file));
  });

  it('names the possible codes of each error status, and what to do about each code', () => {
    for (const operation of operations) {
      for (const [status, response] of responsesOf(operation)) {
        const codes = status === '200' ? [] : codesOf(response);
        expect([operation.operationId, status, codes.length > 0]).toEqual([
          operation.operationId,
          status,
          status !== '200',
        ]);
        for (const code of codes) {
          expect(ERROR_STATUS[code]).toBe(Number(status));
          expect(response.description).toContain(`- \`${code}\`: ${ERROR_ADVICE[code]}.`);
        }
      }
    }
  });

  it('has every code of errors and details in a closed list', () => {
    const { ErrorBody, ErrorDetail } = document.components.schemas;
    expect(resolve<Schema>(document, ErrorBody.properties.code).enum).toEqual(
      Object.keys(ERROR_STATUS),
    );
    expect(resolve<Schema>(document, ErrorDetail.properties.code).enum).toEqual(
      Object.keys(DETAIL_CODES),
    );
  });

  it('describes errors once, and names their types after their codes', () => {
    const inline = operations.flatMap(({ responses }) =>
      Object.entries(responses).filter(
        ([status, { $ref }]) => status !== '200' && $ref === undefined,
      ),
    );
    // Codes with an example of their own, because invalid input differs from operation to
    // operation.
    expect(inline.length).toBeLessThan(operations.length);
    const { schemas } = document.components;
    const named = Object.keys(ERROR_STATUS).filter((code) => pascalCase(code) in schemas);
    expect(named).toEqual([...new Set(operations.flatMap(codesOfOperation))].sort(byStatus));
  });

  it('lists each code in docs/errors.md, with its status and what to do about it', () => {
    const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\| (.+?) +\|$/gm)];
    expect(rows.map(([, status, code, advice]) => [Number(status), code, advice])).toEqual(
      Object.entries(ERROR_STATUS).map(([code, status]) => [
        status,
        code,
        ERROR_ADVICE[code as ErrorCode],
      ]),
    );
  });

  it('lists each code of details in docs/errors.md, with its meaning', () => {
    const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)];
    expect(Object.fromEntries(rows.map(([, code, meaning]) => [code, meaning]))).toMatchObject(
      DETAIL_CODES,
    );
  });

  it('avoids everything that known generators fail on', () => {
    const text = JSON.stringify(document);
    expect(text.length).toBeLessThan(1_000_000);
    expect(text).not.toContain(String.raw`\\/`);
    // Generators lose types where several values of a discriminator share a schema.
    const mappings = [...text.matchAll(/"mapping":(\{[^{}]*\})/g)];
    expect(mappings).toHaveLength(text.split('"discriminator"').length - 1);
    for (const [, mapping = ''] of mappings) {
      const targets = Object.values(JSON.parse(mapping) as object);
      expect(new Set(targets).size).toBe(targets.length);
    }
    // In the generated code, it would hide the response of `fetch`.
    expect(document.components.schemas).not.toHaveProperty('Response');
    for (const [, limit] of text.matchAll(/"max(?:Items|Length)":(\d+)/g)) {
      expect(Number(limit)).toBeLessThanOrEqual(5_000);
    }
  });

  it('gives each success a description and a message of its own', () => {
    const descriptions = operations.map(({ responses }) => responses['200']!.description);
    expect(new Set(descriptions).size).toBe(operations.length);
    const messages = operations.map(({ responses }) =>
      Object.values(responses['200']!.content[JSON_TYPE]?.examples ?? {}).map(
        ({ value }) => value.message,
      ),
    );
    const all = messages.flatMap((each) => [...new Set(each)]);
    expect(new Set(all).size).toBe(all.length);
    expect([...descriptions, ...all]).not.toContain('Done.');
  });

  it('forbids empty query parameters, as the service does', () => {
    const query = operations.flatMap(({ parameters = [] }) =>
      parameters.map((each) => resolve(document, each)).filter((each) => each.in === 'query'),
    );
    expect(query.length).toBeGreaterThan(5);
    for (const { name, allowEmptyValue, schema } of query) {
      expect([name, allowEmptyValue]).toEqual([name, false]);
      const {
        type,
        enum: values,
        minLength,
      } = resolve(document, schema) as Schema & {
        minLength?: number;
      };
      const allows = type === 'string' && values === undefined && minLength === 0;
      expect([name, allows]).toEqual([name, false]);
    }
  });

  it('uses no keyword of version 3.0', () => {
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

  it('allows no unknown fields in a request body, at any depth', () => {
    const visit = (schema: Schema) => {
      const { properties, oneOf, items, additionalProperties } = resolve(document, schema);
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

  it('has exactly the served routes', () => {
    const pages =
      /^\/((docs|reference|guides|results|preview|\.well-known)(\/.*)?|reference\.md|(openapi|arazzo)\.json|llms\.txt|mcp)?$/;
    const routes = served
      .filter(({ url }) => !pages.test(url))
      .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(documented.length).toBeGreaterThan(10);
    expect(documented.sort()).toEqual(routes.sort());
  });

  it('gives each operation a name, a summary, a known section and its credential', () => {
    const sections = document.tags.map(({ name }: { name: string }) => name);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, path, summary, tags, security } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary).toMatch(/^[A-Z].+[^.]$/);
      expect(tags).toHaveLength(1);
      expect(sections).toContain(tags[0]);
      const account = /^\/(api|svc\/api-key)\/|^\/svc\/approval\/(?!\{approval_id\}$)/.test(path);
      const platform = path.startsWith('/svc/fielding/');
      const needed = account ? 'account_token' : platform ? 'platform_key' : 'api_key';
      // What a platform does, a company can try with a test key.
      const taken = platform ? [needed, 'api_key'] : [needed];
      expect([operationId, security]).toEqual([
        operationId,
        PUBLIC.includes(operationId) ? [] : taken.map((scheme) => ({ [scheme]: [] })),
      ]);
    }
  });

  it('describes the responses of each operation, success and error (section 2.1)', () => {
    for (const operation of operations) {
      const { operationId, responses, security, requestBody } = operation;
      expect([operationId, Object.keys(responses)]).toEqual([
        operationId,
        expect.arrayContaining([
          '200',
          '500',
          ...(security!.length === 0 ? [] : ['401']),
          ...(requestBody === undefined ? [] : ['400', '413', '415']),
        ]),
      ]);
      for (const [status, { description, content, headers }] of responsesOf(operation)) {
        if (content[JSON_TYPE] === undefined) {
          expect(DOWNLOADS).toContainEqual([operationId, status, Object.keys(content)]);
          continue;
        }
        const envelope = propertiesOf(document, content[JSON_TYPE].schema);
        expect(Object.keys(envelope).sort()).toEqual(
          status === '200'
            ? ['data', 'message', 'success']
            : ['data', 'error', 'message', 'success'],
        );
        expect(headers['x-request-id']).toBeDefined();
        expect(headers['Retry-After'] !== undefined).toBe(
          ['409', '429', '503'].includes(status) || description.includes('`Retry-After`'),
        );
        for (const name of ['RateLimit', 'RateLimit-Policy']) {
          expect([operationId, name in headers]).toEqual([operationId, '429' in responses]);
        }
        const lines = description.split('\n').filter((line) => line !== '');
        expect(new Set(lines).size).toBe(lines.length);
      }
      const { [JSON_TYPE]: success } = responses['200']!.content;
      if (success === undefined) {
        continue;
      }
      const { schema } = success;
      expect(schema.$ref).toBe(`#/components/schemas/${pascalCase(operationId)}Envelope`);
      const { data } = propertiesOf(document, schema);
      const { properties = {}, oneOf = [] } = resolve(document, data!);
      expect([operationId, Object.keys(properties), oneOf]).not.toEqual([operationId, [], []]);
    }
  });

  it('describes null as version 3.1 does, and whole numbers', () => {
    const { schemas } = document.components;
    expect(schemas.UpdatedCampaign.properties.content_url.type).toEqual(['string', 'null']);
    expect(schemas.ErrorEnvelope.properties.data.type).toBe('null');
    expect(schemas.CreatedSurvey.properties.id.type).toBe('integer');
    expect(schemas.QuestionSet.properties.ad_id.type).toBe('integer');
    expect(schemas.QuestionSet.properties.total_questions.type).toBe('integer');
    expect(schemas.UpdatedCampaign.properties.reward_amount.type).toBe('number');
  });

  it('refers only to components that exist, and has no unused ones', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/([^"]*)"/g)].map(([, path]) => path!);
    const { securitySchemes: _, ...components } = document.components;
    const existing = Object.entries<object>(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `${kind}/${name}`),
    );
    expect([...new Set(references)].sort()).toEqual(existing.sort());
  });

  it('has the fields of a survey creation and of its response (section 4.1)', () => {
    const { CreateSurvey: request, CreatedSurvey: answer } = document.components.schemas;
    expect([...request.required].sort()).toEqual(
      ['title', 'description', 'category', 'tagline', 'reward_amount'].sort(),
    );
    expect(Object.keys(request.properties)).toEqual(
      expect.arrayContaining([...request.required, 'content_url']),
    );
    const state = ['mode', 'status', 'status_reasons', 'stop_reason'];
    const specified = ['id', 'is_live', 'post_id', 'title', 'type'];
    expect([...answer.required].sort()).toEqual([...specified, ...state].sort());
    expect(Object.keys(answer.properties).sort()).toEqual([...answer.required].sort());
  });

  it('marks the body of a key generation as optional', () => {
    expect(operation('generateApiKey').requestBody!.required).toBe(false);
    expect(operation('createSurvey').requestBody!.required).toBe(true);
  });
});
