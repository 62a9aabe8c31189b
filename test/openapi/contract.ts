import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { requestedApproval } from '../support/approvals';
import { anyPostId, createAdvertisement, createSurvey } from '../support/builders';
import { Answer, Client, PASSWORD } from '../support/client';
import { edgesOf, isMeasured, measuredPlaces, placing } from '../support/edge-values';
import { companyForAll, platformForAll } from '../support/fixtures';
import { Document, Known, Requests, Schema } from '../support/schema-requests';
import { resolve } from '../support/document';
import { begun, start, submit } from '../support/fielding';
import { createGuardrail, guardrail } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { service } from '../support/service';
import { ATTRIBUTES, quota, WOMEN } from '../support/targeting';
import { sampled, THOROUGH } from '../support/thorough';

/** With this many valid requests to an operation, some succeed. */
const ENOUGH = 9;

/** Requests of each kind to each operation. */
const RUNS = Number(process.env.CONTRACT_RUNS ?? (THOROUGH ? ENOUGH : 2));

/** Operations that hash a password, which is slow by design. */
const SLOW = ['registerCompany', 'logIn'];

/** There are events after this one, so a request for them does not wait. */
const FROM_START = { after: '0' };

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
 * Operations for which random requests seldom succeed: cohort 5 must equal the reward, or a
 * document must fit its campaign. The test of the examples covers both.
 */
const RARE_BY_CHANCE = ['updateCohortRewards', 'applyCampaign'];

/** Numbers that must fit each other, or the campaign; an edge seldom does. */
const DEPENDENT = ['scale', 'cohort_shares', 'cohorts', 'answers', 'attention'];

/** Times that must be soon, which no edge is. */
const SOON = ['createResultsLink.expires_at', 'createPreviewLink.expires_at'];

/** A URL to which nothing is ever sent, because its address is not public. */
const NOWHERE = 'https://127.0.0.1/webhooks';

/** The parts of a request. */
interface Sent {
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body?: unknown;
}

/** Consistent scales, and shares that sum to 1: no schema expresses either. */
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
const SOME_SHARES = { cohort_1: 0.1, cohort_2: 0.2, cohort_3: 0.3, cohort_4: 0.25, cohort_5: 0.15 };
/** Also those of a margin, which has no share of 0. */
const POSITIVE_SHARES = fc.constant(SOME_SHARES);
const SHARES = fc.constantFrom(SOME_SHARES, {
  cohort_1: 0,
  cohort_2: 0,
  cohort_3: 0,
  cohort_4: 0.000001,
  cohort_5: 0.999999,
});

/** What must fit the rest of a question, or the other questions of its set. */
const QUESTION_FIELDS = {
  scale: SCALES,
  other: fc.constant(false),
  correct: fc.constant(undefined),
  key: fc.uuid().map((id) => id.replaceAll('-', '_')),
  show_if: fc.constant(undefined),
  sections: fc.constant([]),
  language: fc.constantFrom('en', 'de-AT', 'zh-Hant-TW'),
  translations: fc.constantFrom({}, undefined),
  minimum: fc.integer({ min: -50, max: 0 }),
  maximum: fc.integer({ min: 1, max: 50 }),
  minimum_length: fc.integer({ min: 1, max: 5 }),
  // Long enough for every format.
  maximum_length: fc.integer({ min: 8, max: 500 }),
  minimum_choices: fc.constant(1),
  maximum_choices: fc.constantFrom(1, 2),
  rank_at_most: fc.constantFrom(1, 2),
};

/** A question with what no schema expresses: a matrix has options, and no reserved words. */
const fitting = ({ scale, ...question }: any) =>
  question.type === 'date'
    ? { ...question, minimum: undefined, maximum: undefined }
    : question.type !== 'matrix'
      ? { ...question, scale }
      : {
          ...question,
          options: question.options ?? ['a', 'b'],
          rows: question.rows.map((row: any, index: number) =>
            (row.key ?? row.text ?? row) in Object.prototype
              ? { text: row.text ?? row, key: `${index}` }
              : row,
          ),
        };

/** Response headers of the service, and not of HTTP alone. */
const OWN_HEADERS = [
  'etag',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-request-id',
];

/** Rules that fit each other, and what is known of respondents. */
function targetingOf(id: string): Known {
  const rules = { attributes: ATTRIBUTES, quotas: [quota('women', WOMEN, 5)] };
  return /^(set|apply|forecast)(Targeting|Campaign)$/.test(id)
    ? {
        // Those of a forecast must be those of its campaign.
        attributes: fc.constant(id === 'forecastCampaign' ? undefined : ATTRIBUTES),
        attribute: fc.constant('age'),
        op: fc.constantFrom('is', 'is_not', 'at_least', 'at_most'),
        value: fc.integer({ min: -9, max: 9 }),
        when: fc.constantFrom(WOMEN, { age: [{ from: 18 }, 3] }),
        quotas: fc.constantFrom([], [quota('women', WOMEN, 5)]),
        screening: fc.constantFrom(undefined, {
          any: [{ attribute: 'gender', op: 'is_not', value: 'male' }],
        }),
        exclude: fc.constantFrom(undefined, { campaigns: 'all', within_days: 2 }),
        include: fc.constant(undefined),
        // Each of them needs others.
        screening_questions: fc.constant(undefined),
        qualify: fc.constant(undefined),
        screen_out_reward: fc.constant(undefined),
        maximum_screen_outs: fc.constant(undefined),
        targeting: fc.constantFrom(null, rules, undefined),
        ...(id === 'setTargeting' ? { other: fc.constantFrom('admit', 'refuse') } : {}),
      }
    : {
        attributes:
          id === 'simulateCampaign'
            ? fc.constantFrom([], undefined)
            : fc.constantFrom({}, { age: -7, gender: 'female' }),
        // The campaign asks nothing.
        screening_answers: fc.constant(undefined),
      };
}

const isJson = ({ content }: any) => content['application/json'] !== undefined;

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

describe('the service, compared with its OpenAPI document,', () => {
  const company = companyForAll();
  const platform = platformForAll();
  let test: Client;
  let document: Document;
  let operations: Operation[];
  let ajv: Ajv2020;
  /** Of any type. */
  let question: fc.Arbitrary<unknown>;
  const postIds: Record<string, string> = {};
  let respondents = 0;
  /** A webhook for each operation on one, since an operation can disable or delete it. */
  const webhookIds: Record<string, string> = {};
  const guardrailIds: Record<string, string> = {};
  const linkIds: Record<string, string> = {};

  beforeAll(async () => {
    document = inlined((await service.client.get('/openapi.json')).body);
    question = new Requests(document, QUESTION_FIELDS)
      .allowed(document.components.schemas.Question!)
      .map(fitting);
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        security: operation.security,
        parameters: (operation.parameters ?? []).map((each: { $ref?: string }) =>
          resolve(document, each),
        ),
        body: operation.requestBody?.content['application/json'].schema,
        responses: operation.responses,
      })),
    );
    // The suite of fielding tests the contents of downloads.
    operations = operations.filter(({ responses }) => isJson(responses['200']!));
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addSchema({ ...closed(document), $id: 'document' });
    postIds.survey = (await createSurvey(company.api)).post_id;
    postIds.advertisement = (
      await createAdvertisement(company.api, { has_feedback: true })
    ).post_id;
    postIds.live = (await createSurvey(company.api)).post_id;
    const questions = [{ type: 'text', question: 'Which?' }];
    await company.api.post('/svc/survey/questions', { post_id: postIds.live, questions });
    await start(company.api, postIds.live);
    const key = await generateKey(company.account, service.client, { mode: 'test' });
    test = key.api;
    postIds.simulated = (await createSurvey(test)).post_id;
    await start(test, postIds.simulated);
    for (const kind of ['results', 'preview']) {
      const path = `/svc/campaign/${kind}-link`;
      const link = await company.api.post(path, { post_id: postIds.live });
      linkIds[kind] = link.body.data.link_id;
    }
    for (const { id, path, body } of operations) {
      const { properties } = body === undefined ? {} : resolve<any>(document, body);
      if (path.includes('{webhook_id}') || properties?.webhook_id !== undefined) {
        const created = await company.api.post('/svc/webhook/create', { url: NOWHERE });
        webhookIds[id] = created.body.data.webhook_id;
      }
      if (properties?.guardrail_id !== undefined) {
        const created = await createGuardrail(company.api, { name: id, then: 'notify' });
        guardrailIds[id] = created.guardrail_id;
      }
    }
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

  /** The document with its operations' responses and parameters in place of references to them. */
  function inlined(served: any): Document {
    const target = (part: any) => resolve<any>(served, part);
    for (const operation of Object.values<any>(served.paths).flatMap((item) =>
      Object.values<any>(item),
    )) {
      operation.parameters = (operation.parameters ?? []).map(target);
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).map(([status, each]) => [status, target(each)]),
      );
    }
    return served as Document;
  }

  /** The document with `additionalProperties: false` wherever it names fields. */
  function closed(open: Document): Document {
    const schemas = Object.entries(open.components.schemas).map(([name, schema]) => [
      name,
      schema.properties === undefined || name.endsWith('Envelope')
        ? schema
        : { unevaluatedProperties: false, ...schema },
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
    const { $ref } = operation.responses[status] as { $ref?: string };
    const place =
      $ref ??
      `#/paths/${escaped(operation.path)}/${operation.method.toLowerCase()}/responses/${status}`;
    const pointer = `document${place}/content/application~1json/schema`;
    const validate = ajv.getSchema(pointer) ?? ajv.compile({ $ref: pointer });
    const valid = validate(body);
    expect([operation.id, status, body.error?.code, valid ? [] : validate.errors]).toEqual([
      operation.id,
      status,
      body.error?.code,
      [],
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
    const { headers: listed } = resolve<any>(document, operation.responses[status]);
    const names = Object.keys(listed).map((name) => name.toLowerCase());
    const sent = OWN_HEADERS.filter((name) => headers.has(name));
    expect([operation.id, status, names]).toEqual([
      operation.id,
      status,
      expect.arrayContaining(sent),
    ]);
  }

  /** Values that only this test can know. */
  function known(id: string): Known {
    // Those about answers and quotas must fit the questions and quotas of their campaign.
    const condition = new Requests(document, {})
      .allowed(document.components.schemas.Condition!)
      .filter((each) => each.question === undefined && each.quota === undefined);
    const isAnswered = /Participation$|Responses$/.test(id);
    const campaign = isAnswered ? 'live' : id === 'setSurveyQuestions' ? 'survey' : 'advertisement';
    return {
      ...QUESTION_FIELDS,
      post_id: fc.constant(postIds[id === 'simulateCampaign' ? 'simulated' : campaign]!),
      participation_id: fc.constant('participation_id'),
      answers: fc.constant([{ question: 1, value: 'Java' }]),
      // Only a condition on answers can complete a campaign, and only then some are expected.
      then: fc.constantFrom('stop', 'notify'),
      expected_answers: fc.constant([]),
      // Only a declined dispute has a note.
      is_accepted: fc.constant(false),
      ...(isAnswered ? { value: fc.constantFrom('Java', ['Java'], 5) } : {}),
      key_id: fc.constant('key_id'),
      link_id: fc.constant(linkIds[id === 'revokePreviewLink' ? 'preview' : 'results']!),
      starts_at: fc.constant('2099-01-12T08:00:00Z'),
      ends_at: fc.constant('2099-01-19T08:00:00Z'),
      external_ref: fc.constant('kept'),
      ...(id in guardrailIds ? { guardrail_id: fc.constant(guardrailIds[id]!) } : {}),
      ...(id in webhookIds ? { webhook_id: fc.constant(webhookIds[id]!) } : {}),
      ...(/^(create|update)Webhook$/.test(id) ? { url: fc.constant(NOWHERE) } : {}),
      after: fc.constant(0),
      ...(id === 'listFieldingFor' ? { cursor: fc.constant(undefined) } : {}),
      ...(id === 'backtestGuardrail'
        ? { after_seq: fc.constant(0), cursor: fc.constant(undefined) }
        : {}),
      types: fc.constant('campaign.created,campaign.updated'),
      ...(/^create(Results|Preview)Link$/.test(id)
        ? { expires_at: fc.constant(new Date(Date.now() + 86_400_000).toISOString()) }
        : {}),
      ...(id === 'createResultsLink'
        ? { cohorts: fc.constantFrom([1], [3, 4, 5]) }
        : /Guardrail$|^(apply|forecast)Campaign$/.test(id)
          ? // Nothing stops the campaigns of the other requests.
            {
              then: fc.constant('notify'),
              all: fc.array(condition, { minLength: 1, maxLength: 5 }),
            }
          : { cohorts: fc.constantFrom('1', '3,4,5') }),
      ...(/^(apply|forecast)Campaign$/.test(id)
        ? {
            guardrails: fc.constantFrom([], [guardrail({ then: 'notify' })]),
            // Only with questions, which a document need not have.
            language: fc.constant(undefined),
            translations: fc.constant(undefined),
            sections: fc.constant(undefined),
          }
        : {}),
      ...targetingOf(id),
      currency: fc.constant('USD'),
      quota: fc.constant(undefined),
      weights: fc.constantFrom('0.2,0.5,1,1,1', '0,0,0,0,1.000000'),
      wait_seconds: fc.constant(0),
      questions: fc.array(question, { minLength: 1, maxLength: 4 }),
      cohort_shares: SHARES,
      shares: POSITIVE_SHARES,
      // Every such spread is possible with every such mean.
      mean: fc.integer({ min: 2, max: 8 }),
      spread: fc.constantFrom(0.1, 2.25, 3.99),
      // No more work than a forecast does, and little of it.
      runs: fc.constant(100),
      respondents: fc.integer({ min: 1, max: 5 }),
      ...(id === 'logIn'
        ? { email: fc.constant(company.email), password: fc.constant(PASSWORD) }
        : {}),
    };
  }

  /** Parameters that the document allows, without a cursor, which fits one list only. */
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
      const all = fc.record(Object.fromEntries(members), { requiredKeys }) as fc.Arbitrary<
        Record<string, string>
      >;
      // What the answer in a row of a matrix is compared with.
      return all.map(({ row, ...others }) =>
        row === undefined || !('answer' in others) ? others : { ...others, row },
      );
    };
    return fc.record({ path: of('path'), query: of('query'), headers: of('header') });
  }

  /**
   * What each request needs anew: a key is revoked only once, a participation answered only once.
   */
  async function makeFor(id: string): Promise<Record<string, string>> {
    if (/ApiKey(History|Spending|Limits)|^(revoke|rotate)ApiKey/.test(id)) {
      const { body } = await company.account.post('/svc/api-key/generate');
      return { key_id: body.data.key_id };
    }
    if (
      /^(get|submit|abandon|reverse)Participation$|^(payBonus|openDispute|decideDispute)$/.test(id)
    ) {
      respondents += 1;
      const place = await begun(platform, postIds.live!, `respondent ${respondents}`);
      if (!/^(get|submit|abandon)/.test(id)) {
        await submit(platform, place, 5, [{ question: 1, value: 'Java' }]);
      }
      return { participation_id: place.participation_id };
    }
    if (/Approval$|^(getApproval|approve|refuse)Request$/.test(id)) {
      return { approval_id: await requestedApproval(company.account) };
    }
    return {};
  }

  async function send(operation: Operation, { path, query, headers, body }: Sent): Promise<Answer> {
    const [scheme] = operation.security.flatMap((each) => Object.keys(each));
    const clients: Record<string, Client> = {
      api_key: operation.id === 'simulateCampaign' ? test : company.api,
      platform_key: platform,
      account_token: company.account,
    };
    const client = scheme === undefined ? service.client : clients[scheme]!;
    const made = await makeFor(operation.id);
    const url = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(path[name] === name ? (made[name] ?? name) : path[name]!),
    );
    const search = new URLSearchParams(query).toString();
    const named = Object.entries(made).filter(
      ([name]) => (body as Record<string, unknown> | null | undefined)?.[name] === name,
    );
    const filled =
      named.length === 0 ? body : { ...(body as object), ...Object.fromEntries(named) };
    return client
      .with(headers)
      .send(operation.method, search === '' ? url : `${url}?${search}`, filled);
  }

  const runs = ({ id }: Operation) => ({ numRuns: SLOW.includes(id) ? Math.ceil(RUNS / 4) : RUNS });

  /** Requests with each edge value in one place, by the place. */
  function edgesIn(operation: Operation): Map<string, Partial<Sent>[]> {
    const make = new Requests(document, known(operation.id));
    const { body, parameters } = operation;
    const inQuery = parameters
      .filter(({ in: place, schema }) => place === 'query' && isMeasured(make.resolve(schema)))
      .map(({ name, schema }): [string, Partial<Sent>[]] => [
        `?${name}`,
        edgesOf(make.resolve(schema)).map((edge) => ({ query: { [name]: String(edge) } })),
      ]);
    const places = body === undefined ? [] : measuredPlaces(make, body);
    const inBody = places.map(([place, schema]): [string, Partial<Sent>[]] => {
      const put = placing(make, body!, place);
      return [place.join('.'), edgesOf(schema).map((edge) => ({ body: put(edge) }))];
    });
    return new Map([...inQuery, ...inBody]);
  }

  it('never responds to a valid request with 400, and always as documented', async () => {
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
      if (RUNS >= ENOUGH && !RARE_BY_CHANCE.includes(operation.id)) {
        expect([operation.id, succeeded]).not.toEqual([operation.id, 0]);
      }
    }
  }, 600_000);

  it('documents the headers of a stored refusal', async () => {
    const operation = operations.find(({ id }) => id === 'archiveCampaign')!;
    const headers = { 'idempotency-key': 'refused' };
    const sent = { path: {}, query: {}, headers, body: { post_id: anyPostId() } };
    await send(operation, sent);
    const again = await send(operation, sent);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([404, 'true']);
    expectDocumented(operation, again);
  });

  it('never responds to an invalid body with 200, and always as documented', async () => {
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

  it('never responds to an invalid parameter with 200, and always as documented', async () => {
    for (const operation of operations) {
      for (const parameter of operation.parameters.filter(({ in: place }) => place !== 'header')) {
        const make = new Requests(document, known(operation.id));
        const arbitrary = fc.tuple(
          allowedParameters(operation),
          // An empty path parameter is another route.
          make
            .forbiddenText(parameter.schema)
            .filter(({ value }) => value !== '' || parameter.in === 'query'),
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

  it('stores or compares every time and number that it accepts', async () => {
    for (const [index, operation] of operations.entries()) {
      for (const [place, all] of edgesIn(operation)) {
        const requests = sampled(all, index);
        const [{ path, query }] = fc.sample(allowedParameters(operation), 1) as [Sent];
        let accepted = 0;
        const refusals: string[] = [];
        for (const edge of requests) {
          const answer = await send(operation, {
            path,
            query: {
              ...query,
              ...(operation.id === 'listEvents' ? FROM_START : {}),
              ...edge.query,
            },
            headers: {},
            body: edge.body,
          });
          const what = `${place}: ${JSON.stringify(edge)}`;
          const isOurs = answer.status >= 500;
          expect([operation.id, what, answer.status, isOurs]).toEqual([
            operation.id,
            what,
            answer.status,
            false,
          ]);
          expectDocumented(operation, answer);
          accepted += answer.status === 400 ? 0 : 1;
          refusals.push(answer.body.message);
        }
        const isDependent = place.split('.').some((part) => DEPENDENT.includes(part));
        // A sample may have none that is valid.
        if (THOROUGH && !isDependent && !SOON.includes(`${operation.id}.${place}`)) {
          expect([operation.id, place, accepted, refusals]).not.toEqual([
            operation.id,
            place,
            0,
            refusals,
          ]);
        }
      }
    }
  }, 600_000);
});
