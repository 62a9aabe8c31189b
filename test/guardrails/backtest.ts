import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { BacktestService } from '../../src/campaigns/guardrail/backtest.service';
import { createSurvey } from '../support/builders';
import { registerCompany, TestCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { liveQuestionnaire, liveSurvey, submit } from '../support/fielding';
import { platformForAll } from '../support/fixtures';
import {
  createGuardrail,
  guardrailsOf,
  respond,
  spent,
  untilGuardrailsRead,
} from '../support/guardrails';
import { generateKey } from '../support/keys';
import { inHours } from '../support/life';
import { beginAs, quota, setTargeting, WOMEN } from '../support/targeting';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { THOROUGH } from '../support/thorough';
import type { OneByOne } from '../../src/platform/limits/turns';

const SHARE = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
/** Widths that a few responses reach. */
const WIDTH = fc.integer({ min: 50, max: 99 }).map((percent) => percent / 100);
const ROW = fc.constantFrom('Taste', 'Price');
const SIGNAL = fc.constantFrom('fast', 'straight_lining', 'inconsistent', 'repeated_text');

/** The parameters of each metric, and the values that it is compared with. */
const METRICS: [string, fc.Arbitrary<number>, Record<string, fc.Arbitrary<unknown>>][] = [
  ['cohort_share', SHARE, { cohorts: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), SIZE(4)) }],
  ['mean_attention', fc.integer({ min: 0, max: 10 }), {}],
  ['cost_per_response', fc.integer({ min: 3, max: 100 }), {}],
  ['median_answer_seconds', fc.integer({ min: 0, max: 2 }), {}],
  ['responses_per_hour', fc.integer({ min: 0, max: 15 }), {}],
  ['spent', fc.integer({ min: 0, max: 1_000 }), {}],
  ['reversed_share', SHARE, {}],
  ['flagged_share', SHARE, { signal: SIGNAL }],
  ['option_share', SHARE, { question: fc.constantFrom(1, 'milk'), option: fc.constant('oat') }],
  [
    'mean_rating',
    fc.integer({ min: 1, max: 5 }),
    { question: fc.constantFrom(2, 'taste'), bounds: fc.constantFrom([1, 5], [0, 10]) },
  ],
  ['mean_rating', fc.integer({ min: 1, max: 5 }), { question: fc.constant('q3'), row: ROW }],
  ['interval_width', WIDTH, { question: fc.constant('milk'), option: fc.constant('oat') }],
  ['interval_width', WIDTH.map((part) => 4 * part), { question: fc.constant('taste') }],
];

/** What random guardrails look at in answers. */
const QUESTIONS = [
  {
    type: 'multiple_choice',
    question: 'What do you add?',
    key: 'milk',
    options: ['None', { text: 'Oat milk', key: 'oat' }],
    required: false,
  },
  {
    type: 'rating',
    question: 'How does it taste?',
    key: 'taste',
    scale: { min: 1, max: 5, step: 0.5 },
    required: false,
  },
  {
    type: 'matrix',
    question: 'How good is it?',
    rows: ['Taste', 'Price'],
    scale: { min: 1, max: 5, step: 1 },
    required: false,
  },
];

function SIZE(maxLength: number) {
  return { minLength: 1, maxLength };
}

/** Metrics that look at a window, and those whose interval can be compared. */
const WINDOWED = [
  'cohort_share',
  'mean_attention',
  'cost_per_response',
  'median_answer_seconds',
  'mean_rating',
];
const ESTIMATED = [
  'cohort_share',
  'mean_attention',
  'reversed_share',
  'option_share',
  'mean_rating',
];

const CONDITION = fc.constantFrom(...METRICS).chain(([metric, value, own]) =>
  fc.record(
    {
      metric: fc.constant(metric),
      op: fc.constantFrom(...(metric === 'interval_width' ? [] : ['gt', 'gte']), 'lt', 'lte'),
      value,
      minimum_responses: fc.integer({ min: 1, max: 8 }),
      ...own,
      ...(WINDOWED.includes(metric) ? { last: fc.integer({ min: 1, max: 12 }) } : {}),
      ...(ESTIMATED.includes(metric) ? { confidence: fc.constantFrom(0, 0.8, 0.95) } : {}),
    },
    { noNullPrototype: true },
  ),
);

/** A condition that can be about one of the quotas. */
const CONDITIONS = fc
  .tuple(CONDITION, fc.option(fc.constantFrom('women', 'young'), { freq: 2 }))
  .map(([condition, quota]) =>
    quota === null || condition.metric === 'spent' ? condition : { ...condition, quota },
  );

/** Quotas, of which a respondent can match both or none. */
const QUOTAS = [quota('women', WOMEN, 90), quota('young', { age: [{ from: 0, to: 30 }] }, 90)];

/** Holds as soon as anybody has answered the first question. */
const ANSWERED = {
  metric: 'option_share',
  question: 'milk',
  option: 'oat',
  op: 'gte',
  value: 0,
  minimum_responses: 1,
  confidence: 0,
};

/** Holds as soon as two women have submitted, whoever else has. */
const OF_WOMEN = {
  metric: 'mean_attention',
  quota: 'women',
  last: 2,
  op: 'gte',
  value: 0,
  minimum_responses: 2,
  confidence: 0,
};

/** What respondents do: submit with a score, or lose the reward of an earlier submission. */
const STEP = fc.record({
  campaign: fc.integer({ min: 0, max: 1 }),
  score: fc.integer({ min: 0, max: 10 }),
  attributes: fc.record(
    { gender: fc.constantFrom('female', 'male'), age: fc.constantFrom(20, 40) },
    { noNullPrototype: true },
  ),
  reverses: fc.option(fc.nat(), { freq: 3 }),
  answers: fc
    .record(
      {
        milk: fc.constantFrom(['None'], ['oat'], ['None', 'oat']),
        taste: fc.integer({ min: 2, max: 10 }).map((half) => half / 2),
        q3: fc.record({ Taste: fc.integer({ min: 1, max: 5 }), Price: fc.constant(2) }),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    .map((all) => Object.entries(all).map(([question, value]) => ({ question, value }))),
});

describe('a backtest', () => {
  const platform = platformForAll();
  let company: TestCompany;

  beforeEach(async () => {
    company = await registerCompany(service.client);
  });

  const ask = (body: object, api = company.api) => api.post('/svc/guardrail/backtest', body);

  async function backtest(body: object): Promise<any> {
    const { status, body: answer } = await ask(body);
    expect([status, answer.error]).toEqual([200, undefined]);
    return answer.data;
  }

  const untilRead = () => untilGuardrailsRead(service.dataSource, company.companyId);

  it('finds where a guardrail would have fired, and what came afterwards', async () => {
    const post_id = await liveSurvey(company);
    // A rule that never fires: its position says when the log is numbered.
    await createGuardrail(company.api, { when: { all: [spent(1_000_000)] } });
    await respond(platform, post_id, [10, 10, 10, 1]);
    await untilRead();
    const { items: log } = (await company.api.get('/svc/event/list?types=response.submitted')).body
      .data;
    const { items: events } = (await company.api.get('/svc/event/list?limit=100')).body.data;
    const tried = await backtest({ when: { all: [spent(150)] }, post_id });
    expect(tried).toEqual({
      items: [
        {
          post_id,
          status: 'live',
          stop_reason: null,
          finished: false,
          currency: 'USD',
          responses: 4,
          fired: {
            seq: log[1].seq,
            at: log[1].created_at,
            values: [{ metric: 'spent', value: 200, responses: 2, interval: null }],
          },
          responses_after: 2,
          spent_after: 103,
        },
      ],
      from_seq: 1,
      to_seq: events.at(-1).seq,
      fired: 1,
      finished: 0,
      fired_on_finished: 0,
      next_cursor: null,
    });
    const later = await backtest({
      when: {
        all: [
          {
            metric: 'cohort_share',
            cohorts: [5],
            op: 'gt',
            value: 0,
            confidence: 0,
            minimum_responses: 2,
          },
        ],
      },
      post_id,
      after_seq: log[0].seq,
    });
    expect(later.from_seq).toBe(log[0].seq + 1);
    expect(later.items[0]).toMatchObject({ responses: 3, fired: { seq: log[2].seq } });
    await company.api.post('/svc/campaign/archive', { post_id });
    expect(await backtest({ when: { all: [spent(150)] } })).toMatchObject({
      items: [{ status: 'archived', finished: true }],
      finished: 1,
      fired_on_finished: 1,
    });
  });

  it('does not take a pause of the campaign for a slow hour', async () => {
    const fired: unknown[] = [];
    for (const isPaused of [false, true]) {
      const post_id = await liveSurvey(company);
      await createGuardrail(company.api, { post_id, when: { all: [spent(1_000_000)] } });
      await respond(platform, post_id, [10]);
      await untilRead();
      await service.dataSource.query('UPDATE event SET created_at = $2 WHERE company_id = $1', [
        storedEnvironment(company.companyId),
        inHours(-2),
      ]);
      for (const is_live of isPaused ? [false, true] : []) {
        await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });
      }
      await respond(platform, post_id, [10], 'later');
      await untilRead();
      const rate = { metric: 'responses_per_hour', op: 'lt', value: 5, minimum_responses: 1 };
      const { items } = await backtest({ when: { all: [rate] }, post_id });
      fired.push(items[0].fired !== null);
    }
    expect(fired).toEqual([true, false]);
  });

  it('tries a stored guardrail on its campaign, on another one, and page by page', async () => {
    const first = await liveSurvey(company);
    const second = await liveSurvey(company);
    const draft = (await createSurvey(company.api)).post_id;
    const { guardrail_id } = await createGuardrail(company.api, { post_id: first, then: 'notify' });
    await respond(platform, first, [10, 10]);
    await respond(platform, second, [10]);
    await untilRead();
    const own = await backtest({ guardrail_id });
    expect(own.items).toMatchObject([{ post_id: first, responses: 2, fired: { values: [{}] } }]);
    expect((await backtest({ guardrail_id, post_id: second })).items).toMatchObject([
      { post_id: second, responses: 1, fired: null, responses_after: 0, spent_after: 0 },
    ]);
    const when = { all: [spent(150)] };
    const { items, fired } = await backtest({ when });
    expect(items.map(({ post_id }: any) => post_id)).toEqual([draft, second, first]);
    expect(fired).toBe(1);
    const pages: any[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await backtest({ when, limit: 1, cursor });
      pages.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(items);
  });

  it('fires where live guardrails fire, whatever the history and the rules are', async () => {
    let [firings, ofAnswers, ofQuotas] = [0, 0, 0];
    const isAboutAnswers = (condition: object) => 'question' in condition;
    const isAboutQuota = (condition: object) => 'quota' in condition;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(CONDITIONS, SIZE(2)), { minLength: 8, maxLength: 10 }),
        fc.array(STEP, { minLength: 15, maxLength: 25 }),
        async (rules, steps) => {
          company = await registerCompany(service.client);
          const posts = [
            await liveQuestionnaire(company, QUESTIONS),
            await liveQuestionnaire(company, QUESTIONS),
          ];
          for (const post_id of posts) {
            await setTargeting(company.api, post_id, { quotas: QUOTAS });
          }
          const always = [[ANSWERED], [ANSWERED], [OF_WOMEN]];
          for (const [index, all] of [...rules, ...always].entries()) {
            // Only a guardrail of one campaign can be about its questions and quotas.
            const isOfOne = all.some((each) => isAboutAnswers(each) || isAboutQuota(each));
            const post_id = isOfOne ? posts[index % 2] : undefined;
            const rule = { name: `Rule ${index}`, post_id, when: { all }, then: 'notify' };
            await createGuardrail(company.api, rule);
          }
          const submitted: [post: string, id: string][] = [];
          for (const [
            index,
            { campaign, score, attributes, reverses, answers },
          ] of steps.entries()) {
            const post_id = posts[campaign]!;
            const respondent = `${post_id} ${index}`;
            const { data: part } = await beginAs(platform, post_id, respondent, attributes);
            expect((await submit(platform, part, score, answers)).status).toBe(200);
            submitted.push([post_id, part.participation_id]);
            const reversed = submitted[(reverses ?? 0) % submitted.length]!;
            if (reverses !== null) {
              await platform.post('/svc/fielding/reverse', {
                post_id: reversed[0],
                participation_id: reversed[1],
                reason: 'Fraud',
              });
            }
          }
          await untilRead();
          const { items: events } = (
            await company.api.get('/svc/event/list?types=guardrail.triggered&limit=100')
          ).body.data;
          for (const rule of await guardrailsOf(company.api)) {
            const { guardrail_id, since_seq } = rule;
            const { all } = rule.when;
            const { items } = await backtest({ guardrail_id, after_seq: since_seq });
            const live = events
              .filter(({ subject }: any) => subject === guardrail_id)
              .map(({ changes }: any) => [
                changes.post_id.new,
                changes.seq.new,
                changes.values.new,
              ]);
            const tried = items
              .filter(({ fired }: any) => fired !== null)
              .map(({ post_id, fired }: any) => [post_id, fired.seq, fired.values]);
            expect(tried.toSorted()).toEqual(live.toSorted());
            firings += tried.length;
            ofAnswers += all.some(isAboutAnswers) ? tried.length : 0;
            ofQuotas += all.some(isAboutQuota) ? tried.length : 0;
          }
        },
      ),
      { numRuns: THOROUGH ? 4 : 2 },
    );
    expect(firings).toBeGreaterThan(0);
    expect(ofAnswers).toBeGreaterThan(0);
    expect(ofQuotas).toBeGreaterThan(0);
  });

  it('ends when its client has gone, also where nothing concerns its campaign', async () => {
    const post_id = await liveSurvey(company);
    await createGuardrail(company.api, { then: 'notify' });
    await liveSurvey(company);
    await untilRead();
    const { items } = (await company.api.get('/svc/event/list?types=campaign.started')).body.data;
    const request = { when: { all: [spent(150)] as never }, post_id, after_seq: items[0].seq };
    const backtests = service.app.get(BacktestService);
    const ended = backtests.backtest(
      storedEnvironment(company.companyId)!,
      request,
      AbortSignal.abort(),
    );
    await expect(ended).rejects.toMatchObject({ code: 'request_timeout' });
    const whole = await backtests.backtest(
      storedEnvironment(company.companyId)!,
      request,
      new AbortController().signal,
    );
    expect(whole.items).toMatchObject([{ responses: 0, fired: null }]);
  });

  it('reads the log in turns with other backtests, and uses one connection with them', async () => {
    const other = await registerCompany(service.client);
    for (const each of [company, other]) {
      await respond(platform, await liveSurvey(each), [9]);
      await allEvents(each.api, 3);
    }
    const environments = [company, other].map((each) => storedEnvironment(each.companyId));
    const query = service.dataSource.query.bind(service.dataSource);
    let [running, most] = [0, 0];
    const spy = jest.spyOn(service.dataSource, 'query').mockImplementation(async (...args) => {
      // Guardrails of other companies read the log too.
      const [statement, [environment] = []] = args as [string, any[]?];
      const isLog = statement.includes('AS reverses') && environments.includes(environment);
      running += isLog ? 1 : 0;
      most = Math.max(most, running);
      await (isLog && delay(20));
      const rows: unknown = await query(...args);
      running -= isLog ? 1 : 0;
      return rows;
    });
    const when = { all: [spent(1)] };
    const sent = [company, company, other, other].map(({ api }) => ask({ when }, api));
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    spy.mockRestore();
    expect(most).toBe(1);
  });

  it('has all of its time for itself, however long it waits for others', async () => {
    await respond(platform, await liveSurvey(company), [9]);
    await allEvents(company.api, 3);
    const { steps } = service.app.get<unknown, { steps: OneByOne }>(BacktestService, {
      strict: false,
    });
    let release!: () => void;
    const others = steps.run(() => new Promise<void>((resolve) => (release = resolve)));
    const waiting = jest.spyOn(steps, 'run');
    const asked = ask({ when: { all: [spent(1)] } });
    await eventually(() => {
      expect(waiting).toHaveBeenCalledTimes(1);
    });
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    release();
    await others;
    const { status } = await asked;
    clock.mockRestore();
    waiting.mockRestore();
    expect(status).toBe(200);
  });

  it('does not take events that are archived while it reads for none', async () => {
    const post_id = await liveSurvey(company);
    await respond(platform, post_id, [9]);
    await allEvents(company.api, 3);
    const query = service.dataSource.query.bind(service.dataSource);
    const spy = jest.spyOn(service.dataSource, 'query').mockImplementation(async (...args) => {
      if (args[0].includes('AS reverses')) {
        spy.mockRestore();
        await query('UPDATE event_sequence SET first_seq = 2 WHERE company_id = $1', [
          storedEnvironment(company.companyId),
        ]);
      }
      return query(...args);
    });
    const when = { all: [spent(1)] };
    expectError(await ask({ when, post_id }), 503, 'service_unavailable');
    expect(await backtest({ when, post_id })).toMatchObject({ from_seq: 2 });
  });

  it('needs a key that reads responses too, because its values can be those of one', async () => {
    const body = { when: { all: [spent(1)] } };
    const withScopes = async (...scopes: string[]) =>
      (await generateKey(company.account, service.client, { scopes })).api;
    const refused = await ask(body, await withScopes('campaigns:read'));
    expectError(refused, 403, 'insufficient_scope');
    expect(refused.body.message).toBe('This API key does not have the scope responses:read.');
    expect((await ask(body, await withScopes('campaigns:read', 'responses:read'))).status).toBe(
      200,
    );
  });

  it('refuses what it cannot try', async () => {
    const when = { all: [spent(150)] };
    const { guardrail_id } = await createGuardrail(company.api);
    const stranger = await registerCompany(service.client);
    const { post_id } = await createSurvey(stranger.api);
    for (const body of [
      {},
      { when, guardrail_id },
      { when: { all: [] } },
      { when, cursor: 'no cursor' },
      { when, limit: 101 },
    ]) {
      expectError(await ask(body), 400, 'validation_failed', expect.any(Array));
    }
    expectError(await ask({ when, post_id }), 403, 'campaign_not_owned');
    expectError(await ask({ guardrail_id }, stranger.api), 404, 'guardrail_not_found');
    const beyond = await ask({ when, after_seq: 1_000_000 });
    expectError(beyond, 422, 'feed_position_unknown', expect.any(Array));
  });
});
