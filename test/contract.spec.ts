import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { createAdvertisement, createSurvey } from './support/builders';
import { Answer, Client, PASSWORD, registerCompany, TestCompany } from './support/client';
import { Document, Known, Requests, Schema } from './support/schema-requests';
import { startService, TestService } from './support/service';

/** Requests of each kind to each operation; `npm run test:contract` sends many more. */
const RUNS = Number(process.env.CONTRACT_RUNS ?? 9);

/** Hashing a password takes long on purpose. */
const SLOW = ['registerCompany', 'logIn'];

interface Operation {
  id: string;
  method: string;
  path: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  body?: Schema;
  responses: Record<string, unknown>;
}

/**
 * A cohort 5 that equals the reward and a document that fits its campaign are seldom met by chance;
 * the test of the examples sends them.
 */
const RARE_BY_CHANCE = ['updateCohortRewards', 'applyCampaign'];

/** A request as it is sent. */
interface Sent {
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
}

/** Scales whose parts fit together, and shares that sum to 1: no schema says either. */
const SCALES = fc
  .tuple(
    fc.integer({ min: -50, max: 50 }),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 20 }),
  )
  .map(([min, steps, step]) => ({
    min: min / 2,
    max: min / 2 + steps * step,
    step,
    min_label: 'low',
  }));
const SHARES = fc.constantFrom(
  { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.25, cohort_5: 0.15 },
  { cohort_1: 0, cohort_2: 0, cohort_3: 0, cohort_4: 0.000001, cohort_5: 0.999999 },
);

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

describe('The service and its OpenAPI document never disagree', () => {
  let service: TestService;
  let company: TestCompany;
  let document: Document;
  let operations: Operation[];
  let ajv: Ajv2020;
  const postIds: Record<string, string> = {};

  beforeAll(async () => {
    service = await startService();
    company = await registerCompany(service.client);
    document = (await service.client.get('/openapi.json')).body as unknown as Document;
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        security: operation.security,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json'].schema,
        responses: operation.responses,
      })),
    );
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ ...closed(document), $id: 'document' });
    postIds.survey = (await createSurvey(company.api)).post_id;
    postIds.advertisement = (
      await createAdvertisement(company.api, { has_feedback: true })
    ).post_id;
    const { status } = await company.api.put('/svc/campaign/apply', {
      external_ref: 'kept',
      type: 'advertisement',
      title: 't',
      description: 'd',
      category: 'c',
      tagline: 't',
      reward_amount: 5,
      video_url: 'https://example.com/v',
      has_feedback: true,
    });
    expect(status).toBe(200);
  });

  afterAll(() => service.close());

  /** The document with no place left for a field that it does not name. */
  function closed(open: Document): Document {
    const schemas = Object.entries(open.components.schemas).map(([name, schema]) => [
      name,
      schema.properties === undefined || name === 'ErrorEnvelope'
        ? schema
        : { additionalProperties: false, ...schema },
    ]);
    const answers = structuredClone(open);
    answers.components.schemas = Object.fromEntries(schemas);
    return answers;
  }

  function expectDocumented(operation: Operation, { status, body, headers }: Answer): void {
    const documented = Object.keys(operation.responses);
    expect([operation.id, documented]).toEqual([
      operation.id,
      expect.arrayContaining([String(status)]),
    ]);
    const pointer = `document#/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
    const validate = ajv.getSchema(pointer) ?? ajv.compile({ $ref: pointer });
    const valid = validate(body);
    expect([operation.id, status, body.error?.code, valid ? [] : validate.errors]).toEqual([
      operation.id,
      status,
      body.error?.code,
      [],
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
  }

  /** What only this test can know. */
  function known(id: string): Known {
    return {
      post_id: fc.constant(id === 'setSurveyQuestions' ? postIds.survey! : postIds.advertisement!),
      key_id: fc.constant('key_id'),
      external_ref: fc.constant('kept'),
      scale: SCALES,
      cohort_shares: SHARES,
      ...(id === 'logIn'
        ? { email: fc.constant(company.email), password: fc.constant(PASSWORD) }
        : {}),
    };
  }

  /** Parameters that the document allows; a cursor is good for one list only and left out. */
  function allowedParameters(operation: Operation): fc.Arbitrary<Omit<Sent, 'body'>> {
    const make = new Requests(document, known(operation.id));
    const of = (place: string) => {
      const parameters = operation.parameters.filter(
        (each) => each.in === place && !['cursor', 'If-Match'].includes(each.name),
      );
      const members = parameters.map(({ name, schema }) => [
        name,
        name === 'Idempotency-Key' ? fc.uuid() : make.allowed(schema, name).map(String),
      ]);
      const requiredKeys = parameters.filter(({ required }) => required).map(({ name }) => name);
      return fc.record(Object.fromEntries(members), { requiredKeys }) as fc.Arbitrary<
        Record<string, string>
      >;
    };
    return fc.record({ path: of('path'), query: of('query'), headers: of('header') });
  }

  async function newKey(): Promise<string> {
    return (await company.account.post('/svc/api-key/generate')).body.data.key_id;
  }

  async function send(operation: Operation, { path, query, headers, body }: Sent): Promise<Answer> {
    const [scheme] = operation.security.flatMap((each) => Object.keys(each));
    const client: Client =
      scheme === 'api_key' ? company.api : scheme === undefined ? service.client : company.account;
    // Each key is revoked or rotated once only.
    const usesKey = /KeyHistory|revoke|rotate/.test(operation.id);
    const key = usesKey ? await newKey() : '';
    const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] === 'key_id' ? key : path[name]!),
    );
    const search = new URLSearchParams(query).toString();
    const filled =
      usesKey && (body as { key_id?: unknown } | null | undefined)?.key_id === 'key_id'
        ? { ...(body as object), key_id: key }
        : body;
    return client
      .with(headers)
      .send(operation.method, search === '' ? url : `${url}?${search}`, filled);
  }

  const runs = ({ id }: Operation) => ({ numRuns: SLOW.includes(id) ? Math.ceil(RUNS / 4) : RUNS });

  it('answers what is allowed never with a 400, and always as documented', async () => {
    for (const operation of operations) {
      const make = new Requests(document, known(operation.id));
      const { body } = operation;
      const arbitrary = fc.tuple(
        allowedParameters(operation),
        body === undefined ? fc.constant(undefined) : make.allowed(body),
      );
      let succeeded = 0;
      await fc.assert(
        fc.asyncProperty(arbitrary, async ([parameters, value]) => {
          const answer = await send(operation, { ...parameters, body: value });
          expect([operation.id, answer.status, answer.body.error]).not.toEqual([
            operation.id,
            400,
            expect.anything(),
          ]);
          expect(answer.status).toBeLessThan(500);
          expectDocumented(operation, answer);
          succeeded += answer.status === 200 ? 1 : 0;
        }),
        runs(operation),
      );
      if (!RARE_BY_CHANCE.includes(operation.id)) {
        expect([operation.id, succeeded]).not.toEqual([operation.id, 0]);
      }
    }
  }, 600_000);

  it('answers a forbidden body never with a 200, and always as documented', async () => {
    for (const operation of operations.filter(({ body }) => body !== undefined)) {
      const make = new Requests(document, known(operation.id));
      await fc.assert(
        fc.asyncProperty(make.forbiddenBody(operation.body!), async ({ value, wrong }) => {
          const answer = await send(operation, { path: {}, query: {}, headers: {}, body: value });
          expect([operation.id, wrong, answer.status]).not.toEqual([operation.id, wrong, 200]);
          expect(answer.status).toBeLessThan(500);
          expectDocumented(operation, answer);
        }),
        { numRuns: SLOW.includes(operation.id) ? RUNS : RUNS * 2 },
      );
    }
  }, 600_000);

  it('answers a forbidden parameter never with a 200, and always as documented', async () => {
    for (const operation of operations) {
      for (const parameter of operation.parameters.filter(({ in: place }) => place !== 'header')) {
        const make = new Requests(document, known(operation.id));
        const arbitrary = fc.tuple(
          allowedParameters(operation),
          make.forbiddenText(parameter.schema).filter(({ value }) => value !== ''),
        );
        await fc.assert(
          fc.asyncProperty(arbitrary, async ([parameters, { value, wrong }]) => {
            const place = parameter.in === 'path' ? 'path' : 'query';
            const broken = {
              ...parameters,
              [place]: { ...parameters[place], [parameter.name]: value },
            };
            const answer = await send(operation, broken);
            const what = `${parameter.name}: ${wrong}`;
            expect([operation.id, what, answer.status]).not.toEqual([operation.id, what, 200]);
            expect(answer.status).toBeLessThan(500);
            expectDocumented(operation, answer);
          }),
          { numRuns: Math.ceil(RUNS / 2) },
        );
      }
    }
  }, 600_000);
});
