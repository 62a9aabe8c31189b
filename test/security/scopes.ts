import { SCOPES, Scope } from '../../src/access/api-key/scopes';
import { requestedApproval } from '../support/approvals';
import { createAdvertisement, createSurvey, question } from '../support/builders';
import type { Client, TestCompany } from '../support/client';
import { ALL_DISPUTABLE } from '../support/disputes';
import { DocumentedOperation, readOperations } from '../support/document';
import { allEvents, FeedEvent } from '../support/feed';
import { begun, liveQuestionnaire, start, submit } from '../support/fielding';
import { companyForAll, companyForEach, platformForAll } from '../support/fixtures';
import { createGuardrail, guardrailsOf, untilGuardrailsRead } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { EVERY_OPERATION_ID, NEEDS_TEST_KEY } from '../support/operation-order';
import { Receiver } from '../support/receiver';
import { service } from '../support/service';
import { settleOne, storedCompany } from '../support/settlements';

/** An attention score that no other number of a response is, nor the seconds of a time. */
const SCORE = 7.31;

/** Fires at the first response, and measures that response alone. */
const REVEALING = {
  when: { all: [{ metric: 'mean_attention', last: 1, op: 'gt', value: 1, confidence: 0 }] },
  then: 'notify',
};

/** The address of a webhook. Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9/guarded-receiver';

const without = (...left: Scope[]) => SCOPES.filter((scope) => !left.includes(scope));

const keyOf = async ({ account }: Pick<TestCompany, 'account'>, scopes: readonly Scope[]) =>
  (await generateKey(account, service.client, { scopes })).api;

describe('what a scope guards', () => {
  const company = companyForAll();
  const platform = platformForAll();
  let operations: Map<string, DocumentedOperation>;
  /** What identifies it in a response, and the scopes of which a key needs one to see it. */
  let guarded: (readonly [name: string, pattern: RegExp, scopes: Scope[]])[];
  let postId: string;
  let advertisement: string;
  /** Without guardrails, which a copy would have too. */
  let original: string;
  let webhookId: string;
  let participationId: string;
  let settlementId: string;
  let approvalId: string;
  /** The event of a guardrail, with what it measured. */
  let firing: string;
  const linkIds: Record<string, string> = {};
  /** Guardrails that have fired, and one that is armed again. */
  let fired: string[];
  let armed: string;
  let made = 0;

  const createWebhook = async (): Promise<string> => {
    const fields = { url: NOWHERE, event_types: ['webhook.disabled'] };
    return (await company.api.post('/svc/webhook/create', fields)).data.webhook_id;
  };

  beforeAll(async () => {
    const documented = await readOperations(service.client);
    operations = new Map(documented.map((operation) => [operation.id, operation]));
    postId = await liveQuestionnaire(company, [question({ type: 'text' })], {
      description: 'Guarded description',
      ...ALL_DISPUTABLE,
    });
    ({ post_id: advertisement } = await createAdvertisement(company.api, { has_feedback: true }));
    ({ post_id: original } = await createSurvey(company.api, {
      description: 'Guarded description',
    }));
    webhookId = await createWebhook();
    for (const kind of ['results', 'preview']) {
      const path = `/svc/campaign/${kind}-link`;
      const { data } = await company.api.post(path, { post_id: postId });
      linkIds[kind] = data.link_id;
    }
    for (let index = 0; index < 9; index += 1) {
      await createGuardrail(company.api, {
        post_id: postId,
        name: `Guarded ${index}`,
        ...REVEALING,
      });
    }
    const place = await begun(platform, postId, 'guarded respondent');
    const answers = [{ question: 1, value: 'guarded answer' }];
    participationId = place.participation_id;
    expect((await submit(platform, place, SCORE, answers)).status).toBe(200);
    approvalId = await requestedApproval(company.account);
    settlementId = await settleOne(service.dataSource, storedCompany(company.companyId));
    await untilGuardrailsRead(service.dataSource, company.companyId);
    const guardrails = await guardrailsOf(company.api);
    expect(guardrails.map((each) => each.fired.values[0].value)).toEqual(Array(9).fill(SCORE));
    [armed = '', ...fired] = guardrails.map(({ guardrail_id }) => guardrail_id);
    const events = await allEvents(company.api, 9);
    firing = events.findLast(({ type }) => type === 'guardrail.triggered')!.event_id;
    guarded = [
      ['the score of a response', /(?<!\d)7\.31(?!\d)/, ['responses:read']],
      ['its answers', /guarded answer/, ['responses:read']],
      ['the pseudonym of the respondent', /"resp_/, ['responses:read']],
      ['an account of the ledger', /"credit":"respondents"/, ['ledger:read']],
      ['the address of a webhook', /guarded-receiver/, ['webhooks:read', 'webhooks:write']],
      [
        'the content of a campaign',
        /Guarded description/,
        ['campaigns:read', 'campaigns:write', 'events:read'],
      ],
    ];
  });

  /** What a request about these things has in place of the values of its example. */
  async function valuesFor(id: string): Promise<Record<string, unknown>> {
    made += 1;
    const isApart = id === 'setAdvertisementQuestions' || id === 'createGuardrail';
    const guardrails: Record<string, string> = {
      armGuardrail: armed,
      deleteGuardrail: fired.at(-1)!,
    };
    if (id === 'deleteGuardrail') {
      fired.pop();
    }
    return {
      post_id: isApart ? advertisement : id === 'duplicateCampaign' ? original : postId,
      guardrail_id: guardrails[id] ?? fired[0],
      name: `Named ${made}`,
      webhook_id: id === 'deleteWebhook' ? await createWebhook() : webhookId,
      link_id: linkIds[id.includes('Preview') ? 'preview' : 'results'],
      participation_id: participationId,
      settlement_id: settlementId,
      approval_id: approvalId,
      event_id: firing,
      url: NOWHERE,
      cohort_5_reward: 100,
      reward_amount: 100,
      external_ref: `ref-${made}`,
    };
  }

  /** Queries in place of those of the examples. */
  const queries = (): Readonly<Record<string, string>> => ({
    listEvents: '?limit=1000',
    listResponses: '?limit=100',
    listGuardrails: '',
    // Of the questions that the example of setSurveyQuestions has.
    getCrosstab: '?rows=1&columns=cohort',
    compareWaves: `?compare=${postId}`,
  });

  async function send(
    client: Client,
    { id, method, path, query, body }: DocumentedOperation,
    values: Record<string, unknown>,
  ): Promise<{ status: number; replayed: string | null; text: string }> {
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
    const own = Object.entries(values).filter(([name]) => body !== undefined && name in body);
    const response = await fetch(client.url + url + (queries()[id] ?? query), {
      method,
      headers: { 'content-type': 'application/json', ...client.headers },
      body: body && JSON.stringify({ ...body, ...Object.fromEntries(own) }),
    });
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      text: await response.text(),
    };
  }

  /** Every operation that a live API key can try, in an order in which each finds what it needs. */
  const tried = () =>
    EVERY_OPERATION_ID.flatMap((id) => {
      const operation = operations.get(id)!;
      const isTried =
        operation.credential === 'api_key' && !operation.takesTestKeys && id !== NEEDS_TEST_KEY;
      return isTried ? [operation] : [];
    });

  it('is shown by the operations that need the scope', async () => {
    const shown = new Set<string>();
    for (const operation of tried().filter(({ method }) => method === 'GET')) {
      const { text } = await send(company.api, operation, await valuesFor(operation.id));
      guarded.filter(([, pattern]) => pattern.test(text)).forEach(([name]) => shown.add(name));
    }
    expect([...shown].toSorted()).toEqual(guarded.map(([name]) => name).toSorted());
  });

  it('is shown by no operation to a key without it, nor in the outcome of another key', async () => {
    const shown: string[] = [];
    for (const scopes of new Set(guarded.map((row) => row[2].join()))) {
      const left = scopes.split(',') as Scope[];
      const weak = await keyOf(company, without(...left));
      for (const operation of tried().filter(
        (each) => !left.some((it) => each.scopes.includes(it)),
      )) {
        const { id } = operation;
        const look = (how: string, text: string) => {
          for (const [name, pattern, needed] of guarded) {
            if (needed.join() === scopes && pattern.test(text)) {
              shown.push(`${id} shows ${name} ${how} without ${scopes}`);
            }
          }
        };
        const own = await send(weak, operation, await valuesFor(id));
        expect([id, own.status, own.text]).toEqual([id, 200, own.text]);
        look('to a key', own.text);
        if (operation.method !== 'GET') {
          const key = { 'idempotency-key': `${scopes} ${id}`.replaceAll(/[ ,]/g, '-') };
          const values = await valuesFor(id);
          const first = await send(company.api.with(key), operation, values);
          expect([id, first.status]).toEqual([id, 200]);
          const again = await send(weak.with(key), operation, values);
          expect([id, again.status, again.replayed]).toEqual([id, 200, 'true']);
          look('again', again.text);
        }
      }
    }
    expect(shown).toEqual([]);
  });
});

describe('what a guardrail measured', () => {
  const company = companyForEach();
  const platform = platformForAll();
  let receivers: Receiver[];

  beforeEach(async () => {
    receivers = await Promise.all([Receiver.start(), Receiver.start()]);
  });

  afterEach(() => Promise.all(receivers.map((each) => each.stop())));

  const createWebhook = async (api: Client, { url }: Receiver): Promise<string> => {
    const fields = { url, event_types: ['guardrail.triggered'] };
    return (await api.post('/svc/webhook/create', fields)).data.webhook_id;
  };

  /** Lets a guardrail fire on a new campaign. */
  async function fire(): Promise<string> {
    const { post_id } = await createSurvey(company.api);
    await start(company.api, post_id);
    const { guardrail_id } = await createGuardrail(company.api, { post_id, ...REVEALING });
    const place = await begun(platform, post_id, 'a respondent');
    expect((await submit(platform, place, SCORE)).status).toBe(200);
    await untilGuardrailsRead(service.dataSource, company.companyId);
    return guardrail_id;
  }

  const valuesIn = ({ changes }: FeedEvent) => changes.values?.new;
  const MEASURED = [expect.objectContaining({ value: SCORE })];

  it('is left out for a key without responses:read, which sees where it fired', async () => {
    const guardrail_id = await fire();
    const weak = await keyOf(company, without('responses:read'));
    const [whole] = await guardrailsOf(company.api);
    const { values, ...place } = whole.fired;
    expect(values).toEqual(MEASURED);
    expect(await guardrailsOf(weak)).toEqual([{ ...whole, fired: place }]);
    const eventOf = async (api: Client) =>
      (await allEvents(api, 1)).find(({ type }) => type === 'guardrail.triggered')!;
    const event = await eventOf(company.api);
    expect(valuesIn(event)).toEqual(values);
    const { values: _, ...changes } = event.changes;
    expect(await eventOf(weak)).toEqual({ ...event, changes });
    const update = { guardrail_id, name: 'Renamed' };
    expect((await weak.patch('/svc/guardrail/update', update)).data.fired).toEqual(place);
    expect((await company.api.patch('/svc/guardrail/update', update)).data.fired).toEqual(
      whole.fired,
    );
  });

  it('is left out of the messages to a URL that a key without responses:read has set', async () => {
    const weak = await keyOf(company, without('responses:read'));
    const [open, closed] = receivers as [Receiver, Receiver];
    const whole = await createWebhook(company.api, open);
    const guarded = await createWebhook(weak, closed);
    const next = async (count: number) => {
      await fire();
      const sent = await Promise.all(receivers.map((each) => each.until(count)));
      return sent.map((messages) => valuesIn(messages.at(-1)!.body.data));
    };
    expect(await next(1)).toEqual([MEASURED, undefined]);
    // Neither a change of anything else, nor a replay, shows more than before.
    const { event_id } = closed.messages[0]!.body.data;
    await company.api.patch('/svc/webhook/update', { webhook_id: guarded, description: 'Mine' });
    await weak.patch('/svc/webhook/update', { webhook_id: whole, description: 'Theirs' });
    for (const [api, webhook_id] of [
      [company.api, guarded],
      [weak, whole],
    ] as const) {
      expect((await api.post('/svc/webhook/replay', { webhook_id, event_id })).status).toBe(200);
    }
    const again = await Promise.all(receivers.map((each) => each.until(2)));
    expect(again.map((messages) => valuesIn(messages.at(-1)!.body.data))).toEqual([
      MEASURED,
      undefined,
    ]);
    await weak.patch('/svc/webhook/update', { webhook_id: whole, url: open.url });
    await company.api.patch('/svc/webhook/update', { webhook_id: guarded, url: closed.url });
    expect(await next(3)).toEqual([undefined, MEASURED]);
  });
});
