import { createSurvey } from '../support/builders';
import { Client } from '../support/client';
import { eventually } from '../support/eventually';
import { companyForEach } from '../support/fixtures';
import { apply, DOCUMENTS } from '../support/documents';
import { createGuardrail, guardrail, guardrailsOf, spent } from '../support/guardrails';
import { generateKey } from '../support/keys';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { quota, setTargeting, WOMEN } from '../support/targeting';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const CONDITIONS = [
  { metric: 'cohort_share', cohorts: [2, 1], last: 200, op: 'gt', value: 0.3 },
  { metric: 'responses_per_hour', op: 'gte', value: 5, minimum_responses: 7 },
];

describe('guardrails', () => {
  const company = companyForEach();
  const stranger = companyForEach();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const create = (fields: Record<string, unknown> = {}, api: Client = company.api) =>
    api.post('/svc/guardrail/create', guardrail(fields));

  const change = (path: string, body: unknown, api: Client = company.api) =>
    path === 'update'
      ? api.patch('/svc/guardrail/update', body)
      : api.post(`/svc/guardrail/${path}`, body);

  it('are returned with every default', async () => {
    const created = await createGuardrail(company.api, { post_id, when: { all: CONDITIONS } });
    expect(created).toEqual({
      guardrail_id: expect.stringMatching(/^grd_\w{26}$/),
      mode: 'live',
      post_id,
      name: 'Too dear',
      currency: 'USD',
      when: {
        all: [
          { ...CONDITIONS[0], cohorts: [1, 2], minimum_responses: 30, confidence: 0.9999 },
          CONDITIONS[1],
        ],
      },
      then: 'stop',
      since_seq: expect.any(Number),
      fired: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await guardrailsOf(company.api)).toEqual([created]);
  });

  it('are listed oldest first, also by campaign with those of all campaigns', async () => {
    const other = await createSurvey(company.api);
    const ids: string[] = [];
    for (const watched of [post_id, undefined, other.post_id]) {
      ids.push((await createGuardrail(company.api, { post_id: watched })).guardrail_id);
    }
    const idsOf = async (query: string) =>
      (await guardrailsOf(company.api, query)).map(({ guardrail_id }) => guardrail_id);
    expect(await idsOf('')).toEqual(ids);
    expect(await idsOf(`?post_id=${post_id}`)).toEqual(ids.slice(0, 2));
    expect(await idsOf(`?post_id=${other.post_id}`)).toEqual(ids.slice(1));
    expect(await guardrailsOf(stranger.api)).toEqual([]);
  });

  describe('about the questions of a campaign', () => {
    const QUESTIONS = [
      { type: 'single_choice', question: 'Which?', key: 'which', options: ['a', 'b'] },
      { type: 'rating', question: 'How?', scale: { min: 1, max: 5 } },
      { type: 'matrix', question: 'How?', rows: ['x', 'y'], scale: { min: 0, max: 4 } },
      { type: 'number', question: 'How many?', minimum: -5 },
      { type: 'text', question: 'Why?' },
    ];
    const share = { metric: 'option_share', op: 'gt', value: 0.5, question: 'which', option: 'b' };
    const width = { metric: 'interval_width', op: 'lte', value: 0.06, question: 'which' };
    const mean = { metric: 'mean_rating', op: 'lt', value: 2, question: 'q2', last: 50 };

    beforeEach(async () => {
      const content = { post_id, questions: QUESTIONS };
      expect((await company.api.post('/svc/survey/questions', content)).status).toBe(200);
    });

    it('are checked against them, with the place of what is wrong', async () => {
      const conditions: [object, string?][] = [
        [{ ...share, question: 1 }],
        [{ ...share, option: 'c' }, 'option'],
        [{ ...share, question: 2 }, 'question'],
        [{ ...share, question: 'nobody' }, 'question'],
        [{ ...share, question: 6 }, 'question'],
        [mean],
        [{ ...mean, question: 3, row: 'y' }],
        [{ ...mean, question: 3 }, 'row'],
        [{ ...mean, question: 3, row: 'z' }, 'row'],
        [{ ...mean, row: 'x' }, 'row'],
        [{ ...mean, question: 'q4', value: -2 }],
        [{ ...mean, question: 'which' }, 'question'],
        [{ ...mean, question: 5 }, 'question'],
        [{ ...share, quota: 'women' }],
        [{ ...width, option: 'b', quota: 'women' }],
        [{ ...width, option: 'c' }, 'option'],
        [{ ...width, option: 'b', value: 1 }, 'value'],
        [{ ...width, option: 'b', bounds: [0, 1] }, 'bounds'],
        [{ ...width, option: 'b', question: 'q9' }, 'question'],
        [width, 'question'],
        [{ ...width, question: 'q2' }],
        [{ ...width, question: 'q2', value: 4 }, 'value'],
        [{ ...width, question: 'q2', bounds: [0, 5] }],
        [{ ...width, question: 'q2', bounds: [2, 5] }, 'bounds'],
        [{ ...width, question: 3, row: 'y' }],
        [{ ...width, question: 'q4' }, 'bounds'],
        [{ ...width, question: 'q4', bounds: [-10, 10] }],
        [{ ...mean, quota: 'nobody' }, 'quota'],
        [{ ...spent(1), quota: 'women' }, 'quota'],
      ];
      await setTargeting(company.api, post_id, { quotas: [quota('women', WOMEN, 5)] });
      for (const [condition, wrong] of conditions) {
        const when = { all: [spent(1), condition] };
        const answer = await company.api.post('/svc/guardrail/backtest', { when, post_id });
        if (wrong === undefined) {
          expect([answer.status, answer.body.error]).toEqual([200, undefined]);
        } else {
          expectInvalid(answer, { [`when.all[1].${wrong}`]: 'not_allowed' });
          expectInvalid(await create({ post_id, when }), {
            [`when.all[1].${wrong}`]: 'not_allowed',
          });
        }
      }
      expectInvalid(await create({ when: { all: [share, { ...mean, quota: 'women' }] } }), {
        'when.all[0].question': 'not_allowed',
        'when.all[1].question': 'not_allowed',
        'when.all[1].quota': 'not_allowed',
      });
      expectInvalid(
        await create({ post_id, when: { all: [{ ...mean, bounds: [5, 1] }, share] } }),
        {
          'when.all[0].bounds': 'not_allowed',
        },
      );
      const { option: _option, ...without } = share;
      expectInvalid(await create({ post_id, when: { all: [without, { ...mean, option: 'a' }] } }), {
        'when.all[0].option': 'required',
        'when.all[1].option': 'not_allowed',
      });
    });

    it('have the bounds of the scale, and are copied, applied and updated with them', async () => {
      const all = [share, mean, { ...mean, question: 3, row: 'x', bounds: [0, 10] }];
      const created = await createGuardrail(company.api, { post_id, when: { all } });
      const complete = [
        { ...share, minimum_responses: 30, confidence: 0.9999 },
        { ...mean, bounds: [1, 5], minimum_responses: 30, confidence: 0.9999 },
        { ...all[2], minimum_responses: 30, confidence: 0.9999 },
      ];
      expect(created.when.all).toEqual(complete);
      const again = await change('update', {
        guardrail_id: created.guardrail_id,
        when: { all: [all[0], all[1]] },
      });
      expect(again.data.when.all).toEqual(complete.slice(0, 2));
      // What a campaign has is copied, whatever has become of the questions since.
      const questions = [{ type: 'text', question: 'Why?' }];
      await company.api.post('/svc/survey/questions', { post_id, questions });
      const copy = await company.api.post('/svc/campaign/duplicate', { post_id });
      const [copied] = await guardrailsOf(company.api, `?post_id=${copy.data.post_id}`);
      expect(copied.when).toEqual(again.data.when);
      const document = {
        external_ref: `of ${post_id}`,
        ...DOCUMENTS.questionnaire,
        questions: QUESTIONS,
        guardrails: [{ name: 'Answers', when: { all }, then: 'stop' }],
      };
      expect((await apply(company.api, document)).body.data.result).toBe('created');
      expect((await apply(company.api, document)).body.data.result).toBe('unchanged');
      const wrong = { ...document, questions };
      expectInvalid(await apply(company.api, wrong), {
        'guardrails[0].when.all[0].question': 'not_allowed',
        'guardrails[0].when.all[1].question': 'not_allowed',
        'guardrails[0].when.all[2].question': 'not_allowed',
      });
    });
  });

  it('change in the fields that are sent, and begin to watch anew with other conditions', async () => {
    const { guardrail_id, ...created } = await createGuardrail(company.api, { post_id });
    const update = async (fields: object) =>
      (await change('update', { guardrail_id, ...fields })).body.data;
    expect(await update({ name: 'Other', then: 'notify' })).toMatchObject({
      ...created,
      name: 'Other',
      then: 'notify',
      updated_at: expect.any(String),
    });
    expect(
      await update({ when: { all: [{ ...spent(150), minimum_responses: 1 }] } }),
    ).toMatchObject({ since_seq: created.since_seq });
    await createSurvey(company.api);
    await createGuardrail(company.api, { name: 'Waits for the events before' });
    const { when } = await update({ when: { all: [spent(2)] } });
    expect(when.all).toEqual([{ ...spent(2), minimum_responses: 1 }]);
    expectError(await change('update', { guardrail_id }), 400, 'nothing_to_update');
  });

  it('are deleted once', async () => {
    const created = await createGuardrail(company.api);
    const { guardrail_id } = created;
    expect((await change('delete', { guardrail_id })).body.data).toEqual(created);
    expectError(await change('delete', { guardrail_id }), 404, 'guardrail_not_found');
    expect(await guardrailsOf(company.api)).toEqual([]);
    const [{ positions }] = await service.dataSource.query(
      'SELECT count(*)::integer AS positions FROM guardrail_position WHERE company_id = $1',
      [storedEnvironment(company.companyId)],
    );
    expect(positions).toBe(0);
    expect(await createGuardrail(company.api)).toMatchObject({ name: created.name });
  });

  it('are deleted with what they remember, and nothing of others', async () => {
    const { guardrail_id } = await createGuardrail(company.api);
    const kept = await createGuardrail(company.api, { name: 'Stays' });
    await service.dataSource.query(
      `INSERT INTO guardrail_watch (company_id, guardrail_id, post_id, since_seq)
       SELECT $1, guardrail_id, 'post_' || n, 0
       FROM unnest($2::text[]) AS guardrail_id, generate_series(1, 10) AS n`,
      [storedEnvironment(company.companyId), [guardrail_id, kept.guardrail_id]],
    );
    expect((await change('delete', { guardrail_id })).status).toBe(200);
    await eventually(async () => {
      const left = await service.dataSource.query(
        `SELECT guardrail_id, count(*)::integer AS watches FROM guardrail_watch
         WHERE company_id = $1 GROUP BY 1
         UNION ALL SELECT id, NULL FROM deletion WHERE company_id = $1`,
        [storedEnvironment(company.companyId)],
      );
      expect(left).toEqual([{ guardrail_id: kept.guardrail_id, watches: 10 }]);
    });
  });

  it('have a name of their own among those of their campaign', async () => {
    const { guardrail_id } = await createGuardrail(company.api, { post_id, name: 'A' });
    await createGuardrail(company.api, { post_id, name: 'B' });
    await createGuardrail(company.api, { name: 'A' });
    const taken = [expect.objectContaining({ field: 'name', code: 'duplicate' })];
    expectError(await create({ post_id, name: 'A' }), 409, 'guardrail_name_taken', taken);
    const renamed = await change('update', { guardrail_id, name: 'B' });
    expectError(renamed, 409, 'guardrail_name_taken', taken);
  });

  it('are at most 10 for a campaign, 10 for all campaigns and 50 for a company', async () => {
    const many = async (watched: string | undefined, count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, index) => create({ post_id: watched, name: `${index}` })),
      );
      return answers.map(({ body }) => body.error?.code ?? 'ok').toSorted();
    };
    const ten = Array<string>(10).fill('ok');
    const tooMany = 'too_many_guardrails';
    expect(await many(post_id, 12)).toEqual([...ten, tooMany, tooMany]);
    expect(await many(undefined, 11)).toEqual([...ten, tooMany]);
    for (let campaign = 0; campaign < 3; campaign += 1) {
      expect(await many((await createSurvey(company.api)).post_id, 10)).toEqual(ten);
    }
    const last = await createSurvey(company.api);
    expectError(await create({ post_id: last.post_id }), 422, tooMany);
    const [{ guardrail_id }] = await guardrailsOf(company.api);
    await change('delete', { guardrail_id });
    expect((await create({ post_id: last.post_id })).status).toBe(200);
    // Each mode has its own.
    const { api } = await generateKey(company.account, service.client, { mode: 'test' });
    expect((await create({}, api)).data.mode).toBe('test');
  });

  it('are created once for an Idempotency-Key', async () => {
    const api = company.api.with({ 'idempotency-key': 'once' });
    const { guardrail_id } = (await create({}, api)).body.data;
    expect((await create({}, api)).body.data.guardrail_id).toBe(guardrail_id);
    expect(await guardrailsOf(company.api)).toHaveLength(1);
  });

  it('are armed for campaigns of their company only', async () => {
    const { guardrail_id } = await createGuardrail(stranger.api);
    const armed = await change('arm', { guardrail_id, post_id }, stranger.api);
    expectError(armed, 403, 'campaign_not_owned');
  });

  it('are not listed for a campaign of another company', async () => {
    await createGuardrail(stranger.api);
    const path = `/svc/guardrail/list?post_id=${post_id}`;
    expectError(await stranger.api.get(path), 403, 'campaign_not_owned');
    expectError(await stranger.api.get(`${path}0`), 404, 'campaign_not_found');
  });

  it('are refused with what their grammar does not have', async () => {
    const wrongs = (condition: object, wrong: Record<string, string>) =>
      [
        { metric: 'cohort_share', cohorts: [1], op: 'gt', value: 0.5, ...condition },
        Object.fromEntries(
          Object.entries(wrong).map(([field, code]) => [`when.all[0].${field}`, code]),
        ),
      ] as const;
    for (const [condition, wrong] of [
      wrongs({ metric: 'clicks' }, { metric: 'not_allowed' }),
      wrongs({ op: 'eq' }, { op: 'not_allowed' }),
      wrongs({ value: 1.1 }, { value: 'too_large' }),
      wrongs({ value: '0.5' }, { value: 'invalid_type' }),
      wrongs({ value: 0.1234567 }, { value: 'too_precise' }),
      wrongs({ cohorts: undefined }, { cohorts: 'required' }),
      wrongs({ cohorts: [1, 2, 3, 4, 5] }, { cohorts: 'too_many' }),
      wrongs({ cohorts: [6] }, { 'cohorts[0]': 'too_large' }),
      wrongs({ last: 1_001 }, { last: 'too_large' }),
      wrongs({ confidence: -0.1 }, { confidence: 'too_small' }),
      wrongs({ confidence: 0.123456 }, { confidence: 'too_precise' }),
      wrongs({ confidence: 1 }, { confidence: 'too_large' }),
      wrongs({ minimum_responses: 0 }, { minimum_responses: 'too_small' }),
      wrongs({ signal: 'fast' }, { signal: 'not_allowed' }),
      wrongs({ metric: 'flagged_share' }, { cohorts: 'not_allowed', signal: 'required' }),
      wrongs(
        { metric: 'flagged_share', cohorts: undefined, signal: 'bored' },
        { signal: 'not_allowed' },
      ),
      wrongs({ script: '1' }, { script: 'unknown_field' }),
      wrongs(
        { metric: 'interval_width', cohorts: undefined, question: 1, last: 5, confidence: 0.4 },
        { op: 'not_allowed', last: 'not_allowed', confidence: 'too_small' },
      ),
      wrongs({ metric: 'mean_attention' }, { cohorts: 'not_allowed', last: 'required' }),
      wrongs(
        { metric: 'spent', value: 9, cohorts: undefined, last: 5, confidence: 0.9 },
        { last: 'not_allowed', confidence: 'not_allowed' },
      ),
      wrongs(
        { metric: 'responses_per_hour', value: 1.5, cohorts: undefined },
        { value: 'not_an_integer' },
      ),
    ]) {
      expectInvalid(await create({ when: { all: [condition] } }), wrong);
    }
    expectInvalid(await create({ when: { all: [] } }), { 'when.all': 'too_few' });
    const six = Array.from({ length: 6 }, () => spent(1));
    expectInvalid(await create({ when: { all: six } }), { 'when.all': 'too_many' });
    expectInvalid(await create({ when: { any: [spent(1)] } }), {
      'when.any': 'unknown_field',
      'when.all': 'required',
    });
    expectInvalid(await create({ then: 'complete' }), { then: 'not_allowed' });
    expectInvalid(await create({ then: 'refund', name: '' }), {
      then: 'not_allowed',
      name: 'empty',
    });
    expect(await guardrailsOf(company.api)).toEqual([]);
  });
});
