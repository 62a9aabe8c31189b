import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedSdk, InstalledSdk } from '../support/sdk';

const root = join(__dirname, '../..');

const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));

/** A user's program. The expected errors prove that the types are not `any`. */
const PROGRAM = `
import {
  type Answer, type Campaign, type CampaignChange, CampaignClient, type CampaignEvent, type Delivery,
  type EventOf, type Guardrail, type GuardrailCondition, isErrorOf, PlatformClient, shownQuestions, type Question, type ReadParticipation, type Reconciliation, type RequestBody,
  type ResponseData, type WebhookMessage,
} from 'campaign-service-client';

const client = new CampaignClient({ baseUrl: 'https://example.com', apiKey: 'csk_x', fetch });
const survey: RequestBody<'createSurvey'> = {
  title: 't', description: 'd', category: 'c', tagline: 't', reward_amount: 100,
};

export async function program(): Promise<void> {
  const created: ResponseData<'createSurvey'> = await client.surveys.create(survey);
  const { post_id, is_live }: { post_id: string; is_live: boolean } = created;
  // @ts-expect-error: the field is called post_id
  created.postId;
  // @ts-expect-error: a title is needed
  await client.surveys.create({ ...survey, title: undefined });
  // @ts-expect-error: a survey is created, not changed
  await client.surveys.create(survey, { ifMatch: '"1"' });
  // @ts-expect-error: reading is repeatable as it is
  await client.campaigns.get(post_id, { idempotencyKey: 'x' });
  // @ts-expect-error: the identifier is the first argument
  await client.campaigns.update({ post_id, title: 't' });
  // @ts-expect-error: there is no such field
  await client.campaigns.update(post_id, { name: 't' });
  // @ts-expect-error: there is no such type
  client.campaigns.list({ type: 'poll' });
  // @ts-expect-error: there is no such operation
  isErrorOf(new Error(), 'createPoll');
  for await (const campaign of client.campaigns.list({ type: 'survey' })) {
    const title: string = campaign.title;
    // @ts-expect-error: a title is not a number
    const count: number = campaign.title;
    void [title, count, is_live];
  }
  for await (const { answers, reward } of client.responses.list(post_id, { cohort: 5 })) {
    for (const { question, value } of answers) {
      const text: string = Array.isArray(value) ? value.join() : String(value);
      // @ts-expect-error: a value can be options or a number too
      const onlyText: string = value;
      void [text, onlyText, question, reward];
    }
  }
  const { questions } = await client.results.get(post_id, { cohorts: [4, 5] });
  for (const question of questions) {
    if (question.type === 'nps') {
      const score: number | null = question.score;
      const [low, high]: [number, number] = question.interval;
      void [score, low, high, question.promoters.share];
    }
    // @ts-expect-error: only some types have a score
    question.score;
    if (question.type === 'ranking') {
      void question.options.map(({ mean_rank, strength }) => [mean_rank, strength]);
    }
  }
  for (const question of questions) {
    if (question.type === 'single_choice' || question.type === 'multiple_choice') {
      const shares: (number | null)[] = question.options.map(({ share }) => share);
      void shares;
    }
  }
  // @ts-expect-error: weights are of all five cohorts
  client.results.get(post_id, { weights: [1, 1] });
  const responses = client.responses.export(post_id, { format: 'csv', cohorts: [4, 5] });
  for await (const bytes of responses) {
    const length: number = bytes.length;
    void length;
  }
  for await (const { seq, reward } of client.responses.export(post_id, responses.position).rows()) {
    const row: [number, number] = [seq, reward];
    void [row, responses.summary?.covers.to];
  }
  // @ts-expect-error: there is no such format
  client.responses.export(post_id, { format: 'xlsx' });
  // @ts-expect-error: there is no such cohort
  client.responses.list(post_id, { cohort: 'five' });
  const { checked, differences }: Reconciliation = await client.ledger.reconcile();
  void [checked, differences.map(({ field, expected, found }) => [field, expected - found])];
  const { etag, data, requestId } = await client.campaigns.get(post_id).withResponse();
  await client.campaigns.update(data.post_id, { title: requestId }, { ifMatch: etag });
}

export async function read(message: WebhookMessage): Promise<void> {
  for await (const event of client.events.follow({ types: ['campaign.started', 'webhook.tested'] })) {
    const { type }: { type: 'campaign.started' | 'webhook.tested' } = event;
    if (event.type === 'campaign.started') {
      const live: boolean = event.changes.is_live.new;
      // @ts-expect-error: a start changes no title
      void [type, live, event.changes.title];
    }
  }
  for (const event of await client.events.list().toArray({ limit: 10 })) {
    if (event.type === 'response.submitted') {
      const paid: number = event.changes.reward.new;
      // @ts-expect-error: nothing was before a response
      const before: number = event.changes.reward.old;
      void [paid, before];
    }
    // @ts-expect-error: there is no such type
    void (event.type === 'response.erased');
  }
  if (message.type === 'campaign.stopped') {
    const stopped: EventOf<'campaign.stopped'> = message.data;
    const live: false | true = stopped.changes.is_live.new;
    void live;
  }
  if (message.type === 'guardrail.triggered') {
    const [first] = message.data.changes.values?.new ?? [];
    const money: [string, number | undefined] = [message.data.currency, first?.value];
    void money;
  }
  const event: CampaignEvent = message.data;
  const question: Question = { type: 'text', question: 'Which?' };
  await client.webhooks.signTest({ type: 'webhook.tested', changes: {} }, 'whsec_x');
  // @ts-expect-error: a start changes is_live
  await client.webhooks.signTest({ type: 'campaign.started', changes: {} }, 'whsec_x');
  const { event_id }: { event_id: string } = await client.webhooks.test('whk_1');
  const rows: Delivery[] = await client.webhooks.deliveries('whk_1').toArray({ limit: 10 });
  const campaign: Campaign = await client.campaigns.get('post_1');
  const all: GuardrailCondition[] = [{ metric: 'spent', op: 'gt', value: 100 }];
  const rule: Guardrail = await client.guardrails.create({ name: 'n', when: { all }, then: 'stop' });
  const { items: tried } = await client.guardrails.backtest({ when: { all } });
  const fired: number | undefined = tried[0]?.fired?.seq;
  const isArchived: boolean[] = [
    (await client.ledger.list()).archived,
    (await client.campaigns.history('post_1')).archived,
    (await client.keys.history('key_1')).archived,
  ];
  // @ts-expect-error: campaigns stay in their list
  void [isArchived, (await client.campaigns.list()).archived];
  const changes: CampaignChange[] = await client.campaigns.history('post_1').toArray({ limit: 9 });
  const currencies: string[] = [rule.currency, ...changes.map(({ currency }) => currency)];
  const unknown: unknown = await client.request('GET', '/svc/new');
  void [event, question, event_id, rows, campaign, currencies, fired, unknown];
}

const platform = new PlatformClient({ baseUrl: 'https://example.com', platformKey: 'cpk_x' });

export async function answer(postId: string): Promise<void> {
  const participation = await platform.begin(postId, 'user-1');
  const answers: Answer[] = participation.content.questions.map((_, index) => {
    return { question: index + 1, value: 'x' };
  });
  const { cohort, reward, receipt } = await platform.submit(participation, {
    attention_score: 8.5,
    answers,
  });
  // @ts-expect-error: a submission has a score
  await platform.submit(participation, { answers });
  // @ts-expect-error: a reversal has a reason
  await platform.reverse(participation, {});
  // @ts-expect-error: a platform has no campaigns
  platform.campaigns;
  // @ts-expect-error: a value is not null
  answers.push({ question: 1, value: null });
  const shown: number[] = shownQuestions(participation.content, answers);
  const scales = participation.content.questions.flatMap((asked) =>
    // @ts-expect-error: only some types have a scale
    asked.type === 'rating' ? [asked.scale] : [asked.scale],
  );
  void [shown, scales];
  const read: ReadParticipation = await platform.participation('part_1');
  const { earnings } = await platform.respondent('user-1');
  const earned: number | undefined = earnings?.amounts[0]?.earned;
  for await (const { participation_id } of platform.respondent('user-1', { limit: 100 })) {
    void [participation_id, read.receipt, earned];
  }
  for await (const { post_id, maximum_reward } of platform.list('user-1', { type: 'survey' })) {
    void [post_id, maximum_reward, cohort, reward, receipt];
  }
}
`;

/** Options of the compiler, besides those of every program here. */
interface Compilation extends Record<string, unknown> {
  /** The folder of the compiler in `node_modules`. */
  compiler?: 'typescript' | 'typescript-7';
}

describe('types of the SDK', () => {
  let installed: InstalledSdk;

  beforeAll(async () => {
    installed = await installedSdk();
  }, 180_000);

  /** Returns the compiler's errors for a program that imports the installed package. */
  function compile(name: string, program: string, more: Compilation = {}): string {
    const { compiler = 'typescript-7', ...options } = more;
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      lib: ['es2022'],
      target: 'es2022',
      module: 'nodenext',
      ...options,
    };
    const { directory } = installed;
    writeFileSync(join(directory, name), program);
    writeFileSync(
      join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [name] }),
    );
    const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
    const ended = spawnSync(process.execPath, [tsc, '-p', directory], { encoding: 'utf8' });
    expect([ended.stderr, ended.status === 0]).toEqual(['', ended.stdout === '']);
    return ended.stdout;
  }

  const BROWSER = {
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
  };

  describe.each(['typescript', 'typescript-7'] as const)('by %s', (compiler) => {
    it.each<[string, string, Compilation]>([
      ['an ES module of Node', 'program.mts', {}],
      ['CommonJS of Node', 'program.cts', {}],
      ['a bundler for browsers', 'bundled.ts', BROWSER],
    ])(
      'match the document in %s',
      (_where, name, more) => {
        // The package's own declarations too, which its build checks only beside those of browsers.
        expect(compile(name, PROGRAM, { ...more, compiler, skipLibCheck: false })).toBe('');
      },
      120_000,
    );
  });

  it('allow an exhaustive switch over every error code', () => {
    const all = document.components.schemas.ErrorCode.enum as string[];
    const program = (codes: string[]) => `
      import type { ErrorCode } from 'campaign-service-client';
      export function advice(code: ErrorCode): string {
        switch (code) {
          ${codes.map((code) => `case '${code}': return 'x';`).join('\n')}
        }
      }`;
    expect(compile('codes.mts', program(all))).toBe('');
    expect(compile('codes.mts', program(all.slice(1)))).toContain('lacks ending return statement');
    expect(compile('codes.mts', program([...all, 'no_such_code']))).toContain('not comparable');
  }, 120_000);

  it('allow an exhaustive switch over the codes of one operation', () => {
    const codes = codesOf(document.paths['/svc/campaign/update'].patch);
    expect(codes).toContain('nothing_to_update');
    expect(codes).not.toContain('email_taken');
    const program = (cases: string[], of = "'updateCampaign'") => `
      import { CampaignClient, isErrorOf } from 'campaign-service-client';
      export async function update(client: CampaignClient): Promise<string> {
        try {
          return (await client.campaigns.update('post_1', { title: 't' })).title;
        } catch (error) {
          if (!isErrorOf(error, ${of})) throw error;
          switch (error.code) {
            ${cases.map((code) => `case '${code}': return error.requestId;`).join('\n')}
          }
        }
      }`;
    expect(compile('operation.mts', program(codes))).toBe('');
    expect(compile('method.mts', program(codes, 'client.campaigns.update'))).toBe('');
    expect(compile('method.mts', program(codes, 'client.campaigns.start'))).toContain(
      'not comparable',
    );
    expect(compile('operation.mts', program(codes.slice(1)))).toContain('lacks ending return');
    expect(compile('operation.mts', program([...codes, 'email_taken']))).toContain(
      'not comparable',
    );
  }, 120_000);

  it('narrow the code of an error to the codes checked for', () => {
    const program = (code: string) => `
      import { isCode } from 'campaign-service-client';
      export function code(error: unknown): 'timeout' | 'campaign_not_found' | undefined {
        return isCode(error, '${code}', 'timeout') ? error.code : undefined;
      }`;
    expect(compile('narrow.mts', program('campaign_not_found'))).toBe('');
    expect(compile('narrow.mts', program('email_taken'))).toContain('not assignable');
    expect(compile('narrow.mts', program('no_such_code'))).toContain('not assignable');
  }, 120_000);
});

/** Returns the part of the document that a reference names. */
function resolve(node: any): any {
  return typeof node?.$ref === 'string'
    ? resolve(
        (node.$ref as string)
          .split('/')
          .slice(1)
          .reduce((at, name) => at[name], document),
      )
    : node;
}

/**
 * Returns the values that a schema allows at a path of properties; `undefined` if it allows any.
 */
function valuesAt(schema: any, path: readonly string[]): string[] | undefined {
  const { enum: list, const: only, properties, allOf = [], oneOf } = resolve(schema);
  const [name, ...rest] = path;
  const constraints: (string[] | undefined)[] = [
    name === undefined ? (list ?? (only && [only])) : undefined,
    name !== undefined && properties?.[name] ? valuesAt(properties[name], rest) : undefined,
    oneOf?.flatMap((choice: unknown) => valuesAt(choice, path) ?? []),
    ...allOf.map((part: unknown) => valuesAt(part, path)),
  ];
  return constraints
    .filter((values) => values !== undefined)
    .reduce<string[] | undefined>(
      (all, values) => all?.filter((value) => values.includes(value)) ?? values,
      undefined,
    );
}

/** Returns the error codes that an operation lists. */
function codesOf({ responses }: any): string[] {
  return Object.entries(responses)
    .filter(([status]) => status !== '200')
    .flatMap(([, response]) => {
      const { schema } = resolve(response).content['application/json'];
      return valuesAt(schema, ['error', 'code']) ?? [];
    });
}
