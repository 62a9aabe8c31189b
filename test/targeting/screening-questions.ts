import { RefusedBegins } from '../../src/campaigns/targeting/refused-begins.service';
import { createSurvey, survey } from '../support/builders';
import { Answer, Client, registerCompany } from '../support/client';
import { itOnPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { begin, begun, expectReconciled, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import { Instances } from '../support/instances';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { setTargeting, targetedSurvey } from '../support/targeting';

const CUPS = {
  type: 'single_choice',
  key: 'cups',
  question: 'How many cups do you drink a day?',
  options: ['None', 'One or two', 'More'],
};
const BORN = { type: 'number', key: 'born', question: 'When were you born?', minimum: 1900 };
const DRINKS = { question: 'cups', op: 'is_not', value: 'None' };

/** Two questions, of which one has a condition. */
const RULES = {
  attributes: [],
  screening_questions: [CUPS, BORN],
  qualify: {
    all: [DRINKS, { question: 'born', op: 'at_most', value: 2008, name: 'adults' }],
  },
};
const PAID = { ...RULES, screen_out_reward: 0.25 };

const QUALIFYING = [
  { question: 'cups', value: 'More' },
  { question: 'born', value: 1990 },
];
const YOUNG = [
  { question: 1, value: 'More' },
  { question: 2, value: 2015 },
];
const DRY = [
  { question: 'cups', value: 'None' },
  { question: 'born', value: 1990 },
];

const answering = (
  api: Client,
  post_id: string,
  respondent_id: string,
  screening_answers?: unknown,
  fields: Record<string, unknown> = {},
): Promise<Answer> =>
  api.post('/svc/fielding/begin', { post_id, respondent_id, screening_answers, ...fields });

describe('screening questions', () => {
  const company = companyForEach();
  const platform = platformForAll();

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'eleven questions',
      { screening_questions: Array(11).fill(BORN) },
      { screening_questions: 'too_many' },
    ],
    [
      'a type that no condition can compare, and an order that differs',
      {
        screening_questions: [
          { type: 'text', question: 'Where?' },
          { ...CUPS, shuffle: true },
        ],
        qualify: { all: [DRINKS] },
      },
      {
        'screening_questions[0].type': 'not_allowed',
        'screening_questions[1].shuffle': 'not_allowed',
      },
    ],
    [
      'what is wrong in a question',
      { screening_questions: [{ ...CUPS, options: ['One'] }], qualify: { all: [DRINKS] } },
      { 'screening_questions[0].options': 'too_few' },
    ],
    ['questions that nothing follows from', { qualify: undefined }, { qualify: 'required' }],
    [
      'a key twice',
      { screening_questions: [CUPS, BORN, CUPS] },
      { 'screening_questions[2].key': 'duplicate' },
    ],
    [
      'conditions on no question, and on no option',
      {
        qualify: {
          any: [
            { question: 'tea', op: 'is', value: 'None' },
            { question: 'cups', op: 'is', value: 'Many' },
            { question: 'cups', op: 'at_least', value: 1 },
          ],
        },
      },
      {
        'qualify.any[0].question': 'not_allowed',
        'qualify.any[1].value': 'not_allowed',
        'qualify.any[2].op': 'not_allowed',
      },
    ],
    [
      'answers that nobody can give',
      {
        qualify: {
          all: [
            { question: 'born', op: 'at_least', value: 2000 },
            { question: 'born', op: 'at_most', value: 1999 },
          ],
        },
      },
      { qualify: 'unreachable' },
    ],
    [
      'what belongs to questions without any',
      { screening_questions: [], screen_out_reward: 1 },
      { qualify: 'not_allowed', screen_out_reward: 'not_allowed' },
    ],
    ['a limit of nothing', { maximum_screen_outs: 5 }, { maximum_screen_outs: 'not_allowed' }],
    [
      'a reward of nothing, to nobody',
      { screen_out_reward: -0, maximum_screen_outs: 0 },
      { screen_out_reward: 'too_small', maximum_screen_outs: 'too_small' },
    ],
    [
      'a reward with three places',
      { screen_out_reward: 0.125 },
      { screen_out_reward: 'too_precise' },
    ],
  ])('are refused with %s', async (_, fields, wrong) => {
    const { post_id } = await createSurvey(company.api);
    expectInvalid(await setTargeting(company.api, post_id, { ...RULES, ...fields }), wrong);
    const document = { ...survey({ type: 'survey' }), external_ref: 'own' };
    const targeting = { ...RULES, ...fields };
    expectInvalid(
      await company.api.put('/svc/campaign/apply', { ...document, targeting }),
      Object.fromEntries(Object.entries(wrong).map(([at, code]) => [`targeting.${at}`, code])),
    );
  });

  it('pay whole amounts in a currency without decimals', async () => {
    const yen = await registerCompany(service.client, { currency: 'JPY' });
    const { post_id } = await createSurvey(yen.api);
    expectInvalid(await setTargeting(yen.api, post_id, PAID), { screen_out_reward: 'too_precise' });
    const whole = await setTargeting(yen.api, post_id, { ...PAID, screen_out_reward: 25 });
    expect(whole.data.screen_out_reward).toBe(25);
  });

  it('are stored with the rules, copied, and part of a document', async () => {
    const rules = { ...PAID, maximum_screen_outs: 9 };
    const { post_id } = await createSurvey(company.api);
    expect((await setTargeting(company.api, post_id, rules)).data).toMatchObject(rules);
    const copy = await company.api.post('/svc/campaign/duplicate', { post_id });
    const read = await company.api.get(`/svc/campaign/${copy.data.post_id}/targeting`);
    expect(read.data).toMatchObject(rules);
    const apply = (fields: object, document: object = {}) =>
      company.api.put('/svc/campaign/apply', {
        ...survey({ type: 'survey', external_ref: 'own' }),
        ...document,
        targeting: { ...rules, ...fields },
      });
    expect((await apply({})).data.result).toBe('created');
    expect((await apply({})).data.result).toBe('unchanged');
    const dry = await apply({ maximum_screen_outs: 8 }, { dry_run: true });
    expect(dry.data.changed_fields).toEqual(['targeting']);
    expect((await apply({ maximum_screen_outs: 8 })).data.changed_fields).toEqual(['targeting']);
  });

  it('are answered before a place is taken, by position or key', async () => {
    const postId = await targetedSurvey(company, RULES);
    expectInvalid(await answering(platform, postId, 'ann'), { screening_answers: 'required' });
    const missing = await answering(platform, postId, 'ann', QUALIFYING.slice(0, 1));
    expect(missing.body.error!.details[0]!.message).toContain('question 2');
    expectInvalid(
      await answering(platform, postId, 'ann', [
        { question: 'cups', value: 'Many' },
        { question: 2, value: 1899 },
        { question: 'tea', value: 1 },
      ]),
      {
        'screening_answers[0].value': 'not_allowed',
        'screening_answers[1].value': 'too_small',
        'screening_answers[2].question': 'not_allowed',
      },
    );
    expectInvalid(await answering(platform, postId, 'ann', 'no'), {
      screening_answers: 'invalid_type',
    });
    const young = await answering(platform, postId, 'ann', YOUNG);
    expect(young.body.error).toMatchObject({ code: 'screened_out', rule: 'adults' });
    expect(young.body.error).not.toHaveProperty('reward');
    const dry = await answering(platform, postId, 'ann', DRY);
    expect(dry.body.error).toMatchObject({ code: 'screened_out', rule: 'cups is_not None' });
    // Nothing was paid, so it can be tried again; whoever has begun has answered.
    const place = (await answering(platform, postId, 'ann', QUALIFYING)).data;
    expect(place.status).toBe('open');
    expect((await begun(platform, postId, 'ann')).participation_id).toBe(place.participation_id);
    const { progress } = (await company.api.get(`/svc/campaign/${postId}`)).data;
    expect(progress).toMatchObject({ begun: 1, screened_out: 0, screen_out_spent: 0 });
    await service.app.get(RefusedBegins, { strict: false }).flush();
    const { screened_out } = (await company.api.get(`/svc/campaign/${postId}/quotas`)).data;
    expect(screened_out).toEqual([
      { rule: 'cups is_not None', refused: 1 },
      { rule: 'adults', refused: 1 },
    ]);
  });

  it('are compared after the attributes, and any condition can do', async () => {
    const postId = await targetedSurvey(company, {
      ...PAID,
      attributes: [{ name: 'age', type: 'number' }],
      screening: { all: [{ attribute: 'age', op: 'at_least', value: 18 }] },
      qualify: { any: RULES.qualify.all },
    });
    const before = await answering(platform, postId, 'bea', YOUNG, { attributes: { age: 3 } });
    expect(before.body.error).toMatchObject({ rule: 'age at_least 18' });
    expect(before.body.error).not.toHaveProperty('reward');
    const neither = [{ question: 'cups', value: 'None' }, YOUNG[1]];
    const attributes = { age: 30 };
    const paid = await answering(platform, postId, 'bea', neither, { attributes });
    expect(paid.body.error).toMatchObject({ rule: 'screening_questions', reward: 0.25 });
    expect((await answering(platform, postId, 'cleo', YOUNG, { attributes })).status).toBe(200);
  });

  it('are refused where the campaign asks none, and where they are hidden', async () => {
    const { post_id } = await createSurvey(company.api);
    await start(company.api, post_id);
    expectInvalid(await answering(platform, post_id, 'ann', QUALIFYING), {
      screening_answers: 'not_allowed',
    });
    const shown = { ...BORN, show_if: { all: [DRINKS] } };
    const postId = await targetedSurvey(company, { ...RULES, screening_questions: [CUPS, shown] });
    expectInvalid(await answering(platform, postId, 'ann', DRY), {
      'screening_answers[1].question': 'not_shown',
    });
    const dry = await answering(platform, postId, 'ann', DRY.slice(0, 1));
    expect(dry.body.error).toMatchObject({ code: 'screened_out', rule: 'cups is_not None' });
  });

  it('are in the list of a platform that can show them, with what they pay', async () => {
    const postId = await targetedSurvey(company, { ...PAID, maximum_screen_outs: 1 });
    const listed = async (who: string, fields: object = {}) => {
      const body = { respondent_id: who, limit: 100, ...fields };
      const { items } = (await platform.post('/svc/fielding/list', body)).data;
      return items.find(({ post_id }: { post_id: string }) => post_id === postId);
    };
    const supports = ['single_choice', 'number'];
    await eventually(async () => {
      expect(await listed('ann', { supports })).toMatchObject({
        screening_questions: RULES.screening_questions,
        screen_out_reward: 0.25,
      });
    });
    expect(await listed('ann', { supports: ['single_choice'] })).toBeUndefined();
    const words = `respondent_id=ann&limit=100&supports=${supports.join()}`;
    expect((await platform.get(`/svc/fielding/list?${words}`)).data.items).toContainEqual(
      expect.objectContaining({ post_id: postId, screen_out_reward: 0.25 }),
    );
    const unable = await answering(platform, postId, 'ann', YOUNG, { supports: ['number'] });
    expectError(unable, 422, 'not_supported');
    expect((await answering(platform, postId, 'ann', YOUNG)).body.error!.reward).toBe(0.25);
    await eventually(async () => {
      const left = await listed('bea');
      expect(left).toHaveProperty('screening_questions');
      expect(left).not.toHaveProperty('screen_out_reward');
    });
    expect(await listed('ann')).toBeUndefined();
    expect((await begin(platform, postId, 'ann')).body.error!.code).toBe('screened_out');
  });
});

describe('a screen-out reward', () => {
  const company = companyForEach();
  const platform = new Client('');
  let panels = 0;

  /** Another panel for each test, whose respondents have the same names. */
  beforeEach(async () => {
    panels += 1;
    Object.assign(platform, await platformClient(service, `screening-${panels}`));
  });

  const progressOf = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}`)).data.progress;
  const transfersOf = async (postId: string) =>
    (await company.api.get(`/svc/ledger/list?post_id=${postId}`)).data.items as any[];

  it('is paid once, stands in the books, and is final', async () => {
    const postId = await targetedSurvey(company, PAID, { budget: 1_000 });
    const key = platform.with({ 'idempotency-key': postId });
    const first = await answering(key, postId, 'ann', YOUNG);
    const error = { code: 'screened_out', rule: 'adults', reward: 0.25, currency: 'USD' };
    expect([first.status, first.body.error]).toEqual([422, expect.objectContaining(error)]);
    const replayed = await answering(key, postId, 'ann', YOUNG);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body.error).toMatchObject(error);
    expect((await answering(platform, postId, 'ann', YOUNG)).body.error).toMatchObject(error);
    const before = { ...error, rule: 'screened_out_before' };
    expect((await answering(platform, postId, 'ann', QUALIFYING)).body.error).toMatchObject(before);
    expect((await begin(platform, postId, 'ann')).body.error).toMatchObject(before);
    await setTargeting(company.api, postId, { attributes: [] });
    expect((await begin(platform, postId, 'ann')).body.error).toMatchObject(before);
    expect((await begin(platform, postId, 'bea')).status).toBe(200);

    const spent = { screened_out: 1, screen_out_spent: 0.25, spent: 0.25 };
    expect(await progressOf(postId)).toMatchObject({ begun: 1, open: 1, submitted: 0, ...spent });
    const [hold, paid] = await transfersOf(postId);
    expect(hold.kind).toBe('hold');
    expect(paid).toMatchObject({
      kind: 'screen_out',
      debit: 'company',
      credit: 'respondents',
      amount: 0.25,
      released: 0,
    });
    const { results } = {
      results: (await company.api.get(`/svc/campaign/${postId}/results`)).data,
    };
    expect(results.spending).toMatchObject({ ...spent, mean_reward: null });
    expect(results.funnel).toMatchObject({ begun: 1 });
    await expectReconciled(company.api);

    const { participation_id } = paid;
    const read = await platform.get(`/svc/fielding/participation/${participation_id}`);
    expect(read.data).toMatchObject({
      status: 'screened_out',
      reward: 0.25,
      cohort: null,
      receipt: null,
      question_id: null,
    });
    const { earnings } = (await platform.get('/svc/fielding/respondent?respondent_id=ann')).data;
    expect(earnings.amounts).toEqual([{ currency: 'USD', earned: 0.25, reversed: 0, held: 0 }]);
    const about = { post_id: postId, participation_id };
    expectError(await submit(platform, about, 9), 422, 'participation_closed');
    expectError(await platform.post('/svc/fielding/abandon', about), 422, 'participation_closed');
    const reverse = await platform.post('/svc/fielding/reverse', { ...about, reason: 'x' });
    expectError(reverse, 422, 'participation_not_submitted');
    const event = await eventually(async () => {
      const events = await allEvents(company.api, 0);
      const found = events.find(({ type }) => type === 'participation.screened_out');
      expect(found).toBeDefined();
      return found!;
    });
    expect(event).toMatchObject({ subject: participation_id, version: 1 });
    expect(
      Object.fromEntries(
        Object.entries(event.changes).map(([name, each]: any) => [name, each.new]),
      ),
    ).toEqual({
      post_id: postId,
      reward: 0.25,
      screened_out: 1,
      answered: 0,
      spent: 0.25,
      held: 0,
    });
    const { items } = (await company.api.get(`/svc/campaign/${postId}/responses`)).data;
    expect(items).toEqual([]);
  });

  it('is paid once to one who begins 50 times at once', async () => {
    const postId = await targetedSurvey(company, PAID);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => {
        const keyed =
          n % 3 === 0 ? platform.with({ 'idempotency-key': `${postId}-${n % 4}` }) : platform;
        return answering(keyed, postId, 'ann', YOUNG);
      }),
    );
    const codes = new Set(answers.map(({ body: { error } }) => `${error!.code} ${error!.reward}`));
    expect([...codes].filter((code) => !code.startsWith('idempotency'))).toEqual([
      'screened_out 0.25',
    ]);
    expect(await progressOf(postId)).toMatchObject({ screened_out: 1, spent: 0.25 });
    expect(await transfersOf(postId)).toHaveLength(1);
    await expectReconciled(company.api);
  });

  it('is paid to no more than the maximum, nor beyond the budget, of 30 at once', async () => {
    const bounded = await targetedSurvey(company, { ...PAID, maximum_screen_outs: 7 });
    const outs = await Promise.all(
      Array.from({ length: 30 }, (_, n) => answering(platform, bounded, `${n}`, YOUNG)),
    );
    expect(outs.filter(({ body }) => body.error!.reward === 0.25)).toHaveLength(7);
    expect(new Set(outs.map(({ body }) => body.error!.code))).toEqual(new Set(['screened_out']));
    expect(await progressOf(bounded)).toMatchObject({ screened_out: 7, spent: 1.75 });
    // Of those who were not paid, nothing is stored.
    const unpaid = outs.findIndex(({ body }) => body.error!.reward === undefined);
    expect((await answering(platform, bounded, `${unpaid}`, QUALIFYING)).status).toBe(200);

    const budget = 101;
    const poor = await targetedSurvey(company, PAID, { reward_amount: 100, budget });
    const begins = await Promise.all(
      Array.from({ length: 30 }, (_, n) => answering(platform, poor, `${n}`, YOUNG)),
    );
    const paid = begins.filter(({ body }) => body.error!.reward !== undefined);
    // With less than the largest reward left, nobody could begin.
    expect(paid).toHaveLength(5);
    const read = (await company.api.get(`/svc/campaign/${poor}`)).data;
    expect(read.progress).toMatchObject({ spent: 1.25, screened_out: 5 });
    expect(read).toMatchObject({ status: 'completed', status_reasons: ['budget_spent'] });
    expect(new Set(begins.map(({ body }) => body.error!.code))).toEqual(
      new Set(['screened_out', 'campaign_completed']),
    );
    await expectReconciled(company.api);
  });

  it('is not paid where the respondent could not begin', async () => {
    const postId = await targetedSurvey(company, PAID, { max_responses: 1 });
    await answering(platform, postId, 'ann', QUALIFYING);
    expectError(await answering(platform, postId, 'bea', YOUNG), 422, 'fully_held');
    await company.api.patch('/svc/campaign/toggle-live', { post_id: postId, is_live: false });
    expectError(await answering(platform, postId, 'bea', YOUNG), 422, 'campaign_not_live');
    expect(await progressOf(postId)).toMatchObject({ screened_out: 0, spent: 0 });
  });

  it('neither excludes nor includes anybody elsewhere, and is forgotten by an erasure', async () => {
    const postId = await targetedSurvey(company, { ...PAID, maximum_screen_outs: 2 });
    await answering(platform, postId, 'ann', YOUNG);
    const others = [{ exclude: { campaigns: 'all' } }, { at_most: { responses: 1, per_days: 9 } }];
    for (const rules of others) {
      const other = await targetedSurvey(company, { attributes: [], ...rules });
      const { data } = await begin(platform, other, 'ann');
      await platform.post('/svc/fielding/abandon', {
        post_id: other,
        participation_id: data.participation_id,
      });
    }
    const erase = () => platform.post('/svc/fielding/erase-respondent', { respondent_id: 'ann' });
    expect((await erase()).data.participations).toBe(3);
    const stored = await service.dataSource.query(
      `SELECT p.respondent, p.state FROM participation AS p JOIN campaign AS c
         ON c.company_id = p.company_id AND c.id = p.campaign_id WHERE c.post_id = $1`,
      [postId],
    );
    expect(stored).toEqual([{ respondent: null, state: 'screened_out' }]);
    // Nobody knows any more who was paid; the maximum still holds.
    expect((await answering(platform, postId, 'ann', YOUNG)).body.error!.reward).toBe(0.25);
    await erase();
    expect((await answering(platform, postId, 'ann', YOUNG)).body.error).not.toHaveProperty(
      'reward',
    );
    expect(await progressOf(postId)).toMatchObject({ screened_out: 2 });
    expect((await company.api.get(`/svc/campaign/${postId}/results`)).data.responses).toMatchObject(
      {
        submitted: 0,
        erased: 0,
      },
    );
    await expectReconciled(company.api);
  });

  it('is part of what the launch check says a campaign can cost', async () => {
    const { post_id } = await createSurvey(company.api, { reward_amount: 10, max_responses: 3 });
    const check = async () => (await company.api.get(`/svc/campaign/${post_id}/launch-check`)).data;
    const codes = async () => (await check()).warnings.map(({ code, field }: any) => [code, field]);
    await setTargeting(company.api, post_id, { ...PAID, maximum_screen_outs: 8 });
    expect((await check()).maximum_cost).toBe(32);
    await start(company.api, post_id);
    await answering(platform, post_id, 'ann', YOUNG);
    await setTargeting(company.api, post_id, {
      ...PAID,
      screen_out_reward: 2,
      maximum_screen_outs: 8,
    });
    expect((await check()).maximum_cost).toBe(44.25);
    await setTargeting(company.api, post_id, {
      ...PAID,
      qualify: { any: [DRINKS, { question: 'born', op: 'at_least', value: 1900 }] },
    });
    expect((await check()).maximum_cost).toBeNull();
    expect(await codes()).toEqual(
      expect.arrayContaining([
        ['unlimited_screen_outs', 'screen_out_reward'],
        ['condition_always_holds', 'qualify'],
      ]),
    );
    await company.api.patch('/svc/campaign/update', { post_id, budget: 500 });
    expect((await check()).maximum_cost).toBe(500);
    expect(await codes()).not.toContainEqual(['unlimited_screen_outs', 'screen_out_reward']);
  });

  it('depends on nothing that another platform has done, nor does the work of a request', async () => {
    const other = await platformClient(service, 'another-panel');
    const rules = { ...PAID, exclude: { campaigns: 'all' } };
    const postId = await targetedSurvey(company, rules);
    const second = await targetedSurvey(company, rules);
    await answering(other, postId, 'ann', YOUNG);
    await answering(other, second, 'ann', QUALIFYING);

    /** What a request of this platform returns, and the statements that it takes. */
    const observe = async (who: string) => {
      const asked = jest.spyOn(service.dataSource.logger, 'logQuery');
      const seen: unknown[] = [];
      const note = ({ status, body }: Answer) => {
        const { code, rule, reward } = body.error ?? {};
        seen.push([status, code, rule, reward, Object.keys(body.data ?? {})]);
      };
      note(await answering(platform, postId, who, YOUNG));
      note(await answering(platform, postId, who, YOUNG));
      note(await answering(platform, second, who, QUALIFYING));
      note(await answering(platform, second, who, QUALIFYING));
      note(await platform.get(`/svc/fielding/respondent?respondent_id=${who}`));
      const texts = asked.mock.calls.map(([text]) => text);
      asked.mockRestore();
      // Background jobs read participations too, but not those of a campaign or a respondent.
      const own = texts.filter((text) => /begin_participation|WHERE participation\./.test(text));
      return { seen, own };
    };
    await observe('first');
    const known = await observe('ann');
    expect(known).toEqual(await observe('nobody'));
    expect(known.own.length).toBeGreaterThan(4);
    expect(known.seen).toEqual([
      [422, 'screened_out', 'adults', 0.25, []],
      [422, 'screened_out', 'adults', 0.25, []],
      [200, undefined, undefined, undefined, expect.arrayContaining(['content'])],
      [200, undefined, undefined, undefined, expect.arrayContaining(['content'])],
      [200, undefined, undefined, undefined, expect.arrayContaining(['earnings'])],
    ]);
    await expectReconciled(company.api);
  });
});

describe('two instances', () => {
  const instances = new Instances();

  afterAll(() => instances.drop());

  itOnPostgres('pay one respondent once, and no more than the maximum', async () => {
    const database = await instances.database();
    const [one, two] = [await instances.start(database), await instances.start(database)];
    const company = await registerCompany(one.client);
    const platform = await platformClient({ dataSource: one.sql, client: one.client });
    const at = [platform, two.client.withKey(platform.headers['x-api-key']!)];
    const postId = await targetedSurvey(company, { ...PAID, maximum_screen_outs: 6 });
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) => answering(at[n % 2]!, postId, `${n % 8}`, YOUNG)),
    );
    const paid = new Map<number, number>();
    for (const [n, { body }] of answers.entries()) {
      expect(body.error!.code).toBe('screened_out');
      paid.set(n % 8, (paid.get(n % 8) ?? 0) + (body.error!.reward ?? 0));
    }
    // Whoever was paid is told so each time, unless it was refused before.
    expect([...paid.values()].filter((sum) => sum > 0)).toHaveLength(6);
    const { progress } = (await company.api.get(`/svc/campaign/${postId}`)).data;
    expect(progress).toMatchObject({ screened_out: 6, spent: 1.5, screen_out_spent: 1.5 });
    const { items } = (await company.api.get(`/svc/ledger/list?post_id=${postId}`)).data;
    expect(items).toHaveLength(6);
    await expectReconciled(company.api);
  });
});
