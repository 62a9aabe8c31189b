import { Client, registerCompany } from '../support/client';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';
import { RefusedBegins } from '../../src/campaigns/targeting/refused-begins.service';
import { dump } from '../support/dump';
import { submit } from '../support/fielding';
import { createGuardrail, untilGuardrailsRead } from '../support/guardrails';
import { platformClient } from '../support/platforms';
import { serviceForAll } from '../support/service';
import { beginAs, quota, setTargeting, targetedSurvey } from '../support/targeting';

/** Values that no rule and nothing else has. */
const TOWN = 'Zwolle-quartz-9177';
const INCOME = 734_019_283;

/** Answers that no rule has. */
const BAND = 'Quagga-basalt-5521';
const WEIGHT = 918_273_645.5;
const OTHER = 'Hunebed-4810';

const QUESTIONS = [
  {
    type: 'single_choice',
    question: 'Which band?',
    // The rules name the options, so an answer can only be told by what is written beside it.
    options: ['Nowhere-1188', { text: 'Another', other: true }],
    comment: true,
  },
  { type: 'number', question: 'How heavy?', decimals: 1 },
];

describe('what is said of respondents', () => {
  const service = serviceForAll({ variables: { LOG_LEVEL: 'trace' } });

  it('is nowhere in the database, the log, a statement, an event or a response', async () => {
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const sent = jest.spyOn(service.dataSource.logger, 'logQuery');
    const rules = {
      attributes: [
        { name: 'town', type: 'select' },
        { name: 'income', type: 'number' },
      ],
      screening: { all: [{ attribute: 'town', op: 'is_not', value: 'Nowhere-1188' }] },
      quotas: [quota('rich', { income: [{ from: 500_000_000 }] }, 2)],
    };
    const asking = {
      attributes: [],
      screening_questions: QUESTIONS,
      qualify: { all: [{ question: 'q2', op: 'at_most', value: 918_273_645 }] },
      screen_out_reward: 1,
    };
    const askingId = await targetedSurvey(company, asking);
    const screening_answers = [
      { question: 1, value: 'Another', other: OTHER, comment: BAND },
      { question: 2, value: WEIGHT },
    ];
    const answering = (api: Client, respondent_id: string, given: unknown) =>
      api.post('/svc/fielding/begin', {
        post_id: askingId,
        respondent_id,
        screening_answers: given,
      });
    const postId = await targetedSurvey(company, rules);
    const known = { town: TOWN, income: INCOME };
    const keyed = platform.with({ 'idempotency-key': 'begin' });
    const answers = [
      await beginAs(keyed, postId, 'ann', known),
      await beginAs(keyed, postId, 'ann', known),
      await beginAs(platform, postId, 'bob', known),
      await beginAs(platform, postId, 'cleo', known),
      await beginAs(platform, postId, 'dan', { income: INCOME }),
      await beginAs(platform, postId, 'eva', { town: [TOWN], income: INCOME + 0.5 }),
      await beginAs(platform, 'post_unknown', 'eva', known),
      await platform.with({ 'idempotency-key': 'list' }).post('/svc/fielding/list', {
        respondent_id: 'ann',
        attributes: known,
      }),
      await answering(keyed.with({ 'idempotency-key': 'screen' }), 'ann', screening_answers),
      await answering(keyed.with({ 'idempotency-key': 'screen' }), 'ann', screening_answers),
      await answering(platform, 'ann', screening_answers),
      await answering(platform, 'bob', screening_answers.slice(0, 1)),
      await answering(platform, 'bob', [{ ...screening_answers[0], value: 'Nowhere-1188' }]),
      await answering(platform, 'bob', [{ question: 2, value: BAND }]),
      await answering(platform, 'bob', [{ question: 2, value: WEIGHT, other: [OTHER] }]),
      await answering(platform, 'bob', [screening_answers[0], { question: 2, value: 7 }]),
      await company.api.get(`/svc/campaign/${askingId}/quotas`),
      await company.api.get(`/svc/ledger/list?post_id=${askingId}`),
      await platform.get('/svc/fielding/respondent?respondent_id=ann'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 200, 200, 422, 422, 400, 404, 200],
      ...[422, 422, 422, 400, 400, 400, 400, 200, 200, 200, 200],
    ]);
    expect(answers[8]!.body.error).toMatchObject({ rule: 'q2 at_most 918273645', reward: 1 });
    expect(answers[9]!.headers.get('idempotency-replayed')).toBe('true');
    await submit(platform, answers[0]!.data, 9);
    await setTargeting(company.api, postId, rules);
    await service.app.get(RefusedBegins, { strict: false }).flush();
    const statements = JSON.stringify(
      sent.mock.calls.map(([text, parameters]) => [text, parameters as unknown]),
    );
    sent.mockRestore();

    const places = [
      await dump(service.dataSource),
      service.log.text,
      statements,
      JSON.stringify(answers),
    ];
    // The rules themselves are stored, so a value would be found.
    expect(places[0]).toContain('Nowhere-1188');
    expect(places[0]).toContain('500000000');
    expect(places[1]).toContain('begin');
    for (const place of places) {
      expect(place).not.toContain(TOWN);
      expect(place).not.toContain(String(INCOME));
      expect(place).not.toContain(BAND);
      expect(place).not.toContain(String(WEIGHT));
      expect(place).not.toContain(OTHER);
    }
  });

  it('leaves only the number of a cell, which an erasure removes too, also from guardrails', async () => {
    const company = await registerCompany(service.client);
    const platform = await platformClient(service);
    const postId = await targetedSurvey(company, {
      quotas: [quota('all', { age: [{ from: 0 }] }, 9)],
    });
    const share = { metric: 'flagged_share', signal: 'fast', op: 'gt', value: 0.5, last: 9 };
    await createGuardrail(company.api, {
      post_id: postId,
      when: { all: [{ ...share, quota: 'all' }] },
    });
    await submit(platform, (await beginAs(platform, postId, 'fay', { age: 30 })).data, 9);
    await untilGuardrailsRead(service.dataSource, company.companyId);
    const remembered = async () => {
      const [{ quotas }] = await service.dataSource.query(
        "SELECT state -> 'quotas' AS quotas FROM guardrail_watch WHERE company_id = $1",
        [storedEnvironment(company.companyId)],
      );
      return quotas[0].state.window.seq;
    };
    expect(await remembered()).toEqual([expect.any(Number)]);
    expect(await remembered()).not.toEqual([0]);
    const cells = () =>
      service.dataSource.query(
        `SELECT p.cells FROM participation AS p JOIN campaign AS c
           ON c.company_id = p.company_id AND c.id = p.campaign_id WHERE c.post_id = $1`,
        [postId],
      );
    expect(await cells()).toEqual([{ cells: [1] }]);
    await platform.post('/svc/fielding/erase-respondent', { respondent_id: 'fay' });
    expect(await cells()).toEqual([{ cells: null }]);
    expect(await remembered()).toEqual([0]);
  });
});
