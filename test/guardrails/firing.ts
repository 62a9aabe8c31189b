import { GuardrailWatcher } from '../../src/campaigns/guardrail/guardrail-watcher.service';
import { createImageSurvey, createSurvey, images } from '../support/builders';
import { Client } from '../support/client';
import { holdDeletions } from '../support/deletions';
import { eventually } from '../support/eventually';
import { allEvents, FeedEvent } from '../support/feed';
import {
  begin,
  begun,
  expectReconciled,
  liveQuestionnaire,
  liveSurvey,
  start,
  submit,
} from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import {
  createGuardrail,
  guardrailsOf,
  respond,
  spent,
  untilGuardrailsRead,
} from '../support/guardrails';
import { generateKey } from '../support/keys';
import { inState } from '../support/life';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** What no other code uses of the watcher. */
interface Private {
  lanes: { add: () => void };
}

describe('a guardrail', () => {
  const platform = platformForAll();
  const company = companyForEach();

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const read = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}`)).body.data;

  const untilFired = (guardrailId: string) =>
    eventually(async () => {
      const all = await guardrailsOf(company.api);
      const { fired } = all.find(({ guardrail_id }) => guardrail_id === guardrailId);
      expect(fired).not.toBeNull();
      return fired;
    });

  /** The firings in the log, once the guardrails have read all of it. */
  async function triggered(api: Client = company.api): Promise<FeedEvent[]> {
    await untilGuardrailsRead(service.dataSource, company.companyId);
    return (await allEvents(api, 1)).filter(({ type }) => type === 'guardrail.triggered');
  }

  const fields = ({ changes }: FeedEvent) =>
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value.new]));

  it('stops a campaign at the response that makes its conditions true', async () => {
    const post_id = await liveSurvey(company);
    const { guardrail_id } = await createGuardrail(company.api, { post_id });
    const open = await begun(platform, post_id, 'still answering');
    await respond(platform, post_id, [10, 10]);
    const fired = await untilFired(guardrail_id);
    const { items } = (await company.api.get('/svc/event/list?types=response.submitted')).body.data;
    expect(fired).toEqual({
      seq: items[1].seq,
      at: items[1].created_at,
      post_id,
      values: [{ metric: 'spent', value: 200, responses: 2, interval: null }],
    });
    expect(await read(post_id)).toMatchObject(inState('paused', 'guardrail'));
    const [event, ...more] = await triggered();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      subject: guardrail_id,
      version: 1,
      actor: { type: 'service', id: 'service' },
    });
    expect(fields(event!)).toEqual({
      ...fired,
      name: 'Too dear',
      then: 'stop',
      stopped: true,
    });
    expectError(await begin(platform, post_id, 'another one'), 422, 'campaign_not_live');
    // Whoever has begun can finish, and is paid.
    const { status, body } = await submit(platform, open, 9);
    expect([status, body.data.reward]).toEqual([200, 100]);
    await expectReconciled(company.api);
    const ofCampaign = (await company.api.get(`/svc/event/list?post_id=${post_id}`)).body.data;
    expect(ofCampaign.items.map(({ type }: FeedEvent) => type)).toContain('guardrail.triggered');
  });

  it('that is deleted does nothing any more, and is nowhere', async () => {
    const post_id = await liveSurvey(company);
    const { guardrail_id } = await createGuardrail(company.api, { post_id });
    await createGuardrail(company.api, { name: 'Reads on', when: { all: [spent(1_000_000)] } });
    await respond(platform, post_id, [10]);
    await company.api.post('/svc/guardrail/delete', { guardrail_id });
    await respond(platform, post_id, [10], 'later');
    expect(await triggered()).toEqual([]);
    expect(await read(post_id)).toMatchObject({ is_live: true });
    const { guardrails } = (await company.api.get(`/svc/campaign/${post_id}/launch-check`)).body
      .data;
    expect(guardrails).toMatchObject([{ name: 'Reads on' }]);
    for (const path of ['arm', 'backtest']) {
      const refused = await company.api.post(`/svc/guardrail/${path}`, { guardrail_id });
      expectError(refused, 404, 'guardrail_not_found');
    }
  });

  it('stays fired when its campaign is started again, until it is armed', async () => {
    const post_id = await liveSurvey(company);
    const { guardrail_id } = await createGuardrail(company.api, { post_id });
    await respond(platform, post_id, [10, 10]);
    await untilFired(guardrail_id);
    await start(company.api, post_id);
    await company.api.patch('/svc/guardrail/update', {
      guardrail_id,
      when: { all: [spent(10)] },
    });
    await respond(platform, post_id, [10], 'later');
    expect(await triggered()).toHaveLength(1);
    expect((await read(post_id)).is_live).toBe(true);
    const armed = await company.api.post('/svc/guardrail/arm', { guardrail_id });
    expect(armed.body.data.fired).toBeNull();
    await respond(platform, post_id, [10], 'last');
    expect((await untilFired(guardrail_id)).values).toMatchObject([{ value: 400, responses: 1 }]);
    expect(await triggered()).toHaveLength(2);
    expect((await read(post_id)).stop_reason).toBe('guardrail');
  });

  it('that notifies leaves its campaign live', async () => {
    const post_id = await liveSurvey(company);
    const { guardrail_id } = await createGuardrail(company.api, { post_id, then: 'notify' });
    await respond(platform, post_id, [10, 10]);
    await untilFired(guardrail_id);
    expect((await triggered()).map(fields)).toMatchObject([{ then: 'notify', stopped: false }]);
    expect((await read(post_id)).is_live).toBe(true);
  });

  it('of all campaigns fires once for each, and is armed for one or for all', async () => {
    const { guardrail_id } = await createGuardrail(company.api);
    const first = await liveSurvey(company);
    const second = await liveSurvey(company);
    const test = await generateKey(company.account, service.client, { mode: 'test' });
    const tested = await liveSurvey(test);
    for (const post_id of [first, second]) {
      await respond(platform, post_id, [10, 10]);
      await eventually(async () => {
        expect((await read(post_id)).stop_reason).toBe('guardrail');
      });
    }
    await respond(test.api, tested, [10, 10]);
    const state = await test.api.get(`/svc/campaign/${tested}`);
    expect(state.body.data.is_live).toBe(true);
    expect((await untilFired(guardrail_id)).post_id).toBe(second);
    const arm = async (post_id?: string) =>
      (await company.api.post('/svc/guardrail/arm', { guardrail_id, post_id })).body.data.fired;
    const listed = async (post_id: string) =>
      (await company.api.get(`/svc/guardrail/list?post_id=${post_id}`)).body.data.items[0].fired;
    expect(await listed(first)).toMatchObject({ post_id: first });
    expect(await arm(second)).toBeNull();
    expect([await listed(first), await listed(second)]).toMatchObject([{ post_id: first }, null]);
    expect((await untilFired(guardrail_id)).post_id).toBe(first);
    await start(company.api, first);
    await start(company.api, second);
    await respond(platform, first, [10], 'again');
    await respond(platform, second, [10], 'again');
    await eventually(async () => {
      expect((await read(second)).is_live).toBe(false);
    });
    expect((await triggered()).map((event) => fields(event).post_id)).toEqual([
      first,
      second,
      second,
    ]);
    expect((await read(first)).is_live).toBe(true);
    expect(await arm()).toBeNull();
    await respond(platform, first, [10], 'once more');
    await eventually(async () => {
      expect((await read(first)).is_live).toBe(false);
    });
    const { post_id: drafted } = await createSurvey(company.api);
    expect((await read(drafted)).stop_reason).toBeNull();
  });

  it('ignores what was submitted before it was created, and other campaigns', async () => {
    const post_id = await liveSurvey(company);
    const other = await liveSurvey(company);
    await respond(platform, post_id, [1, 1, 1]);
    await allEvents(company.api, 8);
    const condition = {
      metric: 'cohort_share',
      cohorts: [1],
      op: 'gte',
      value: 0.5,
      confidence: 0,
      minimum_responses: 2,
    };
    const { guardrail_id } = await createGuardrail(company.api, {
      post_id,
      when: { all: [condition] },
    });
    await respond(platform, other, [1, 1]);
    await respond(platform, post_id, [9, 9, 1], 'later');
    expect(await triggered()).toEqual([]);
    await respond(platform, post_id, [1], 'last');
    expect((await untilFired(guardrail_id)).values).toEqual([
      { metric: 'cohort_share', value: 0.5, responses: 4, interval: null },
    ]);
  });

  it('measures attention, cost, reversals and answering times', async () => {
    const post_id = await liveSurvey(company);
    const all = { minimum_responses: 3 };
    const exact = { ...all, confidence: 0 };
    const { guardrail_id } = await createGuardrail(company.api, {
      post_id,
      when: {
        all: [
          { metric: 'mean_attention', last: 3, op: 'lt', value: 9, confidence: 0.8, ...all },
          { metric: 'cost_per_response', last: 3, op: 'lte', value: 3, ...exact },
          { metric: 'median_answer_seconds', last: 3, op: 'lt', value: 3_600, ...all },
          { metric: 'responses_per_hour', op: 'gte', value: 4, ...all },
          { metric: 'reversed_share', op: 'gt', value: 0.2, ...exact },
        ],
      },
    });
    const ids = await respond(platform, post_id, [10, 1, 1.5, 1.25]);
    expect(await triggered()).toEqual([]);
    await platform.post('/svc/fielding/reverse', {
      post_id,
      participation_id: ids[0],
      reason: 'Fraud',
    });
    const { values, seq } = await untilFired(guardrail_id);
    expect(values).toMatchObject([
      { value: 1.25, responses: 3, interval: [expect.closeTo(0.63, 2), expect.closeTo(5.8, 2)] },
      { value: 3, responses: 3, interval: null },
      { metric: 'median_answer_seconds', responses: 3 },
      { value: 4, responses: 4 },
      { value: 0.25, responses: 4 },
    ]);
    const { items } = (await company.api.get('/svc/event/list?types=response.reversed')).body.data;
    expect(items[0].seq).toBe(seq);
  });

  it('counts flagged responses, but not one that was erased before it was read', async () => {
    const { post_id } = await createImageSurvey(company.api, 'slider', { images: images(5) });
    await start(company.api, post_id);
    const share = {
      metric: 'flagged_share',
      signal: 'straight_lining',
      minimum_responses: 3,
      confidence: 0,
    };
    const { guardrail_id } = await createGuardrail(company.api, {
      post_id,
      when: { all: [{ ...share, op: 'gt', value: 0.5 }] },
    });
    const rated = (...values: number[]) =>
      values.map((value, index) => ({ image: index + 1, value }));
    const straight = rated(7, 7, 7, 7, 7);
    const parts = [];
    for (const respondent of ['erased', 'b', 'c', 'd']) {
      parts.push(await begun(platform, post_id, respondent));
    }
    const [erased, ...others] = parts;
    const { lanes } = service.app.get<Private>(GuardrailWatcher);
    const add = jest.spyOn(lanes, 'add').mockImplementation(() => undefined);
    try {
      expect((await submit(platform, erased!, 9, straight)).status).toBe(200);
      const path = '/svc/fielding/erase-respondent';
      expect((await platform.post(path, { respondent_id: 'erased' })).status).toBe(200);
    } finally {
      add.mockRestore();
    }
    for (const [index, part] of others.entries()) {
      const answers = index === 0 ? rated(1, 2, 3, 4, 5) : straight;
      expect((await submit(platform, part, 9, answers)).status).toBe(200);
    }
    expect((await untilFired(guardrail_id)).values).toEqual([
      { metric: 'flagged_share', value: 0.666667, responses: 3, interval: null },
    ]);
  });

  it.each(['in the log', 'in an archive', 'whose guardrail was deleted'])(
    'forgets the signals of a response that is erased after it was read, %s',
    async (where) => {
      const { id, post_id } = await createImageSurvey(company.api, 'slider', { images: images(5) });
      await start(company.api, post_id);
      const share = {
        metric: 'flagged_share',
        signal: 'straight_lining',
        minimum_responses: 2,
        confidence: 0,
      };
      const { guardrail_id } = await createGuardrail(company.api, {
        post_id,
        when: { all: [{ ...share, last: 3, op: 'gte', value: 1 }] },
      });
      const answer = async (respondent: string, isStraight: boolean) => {
        const values = isStraight ? [7, 7, 7, 7, 7] : [1, 2, 3, 4, 5];
        const ratings = values.map((value, index) => ({ image: index + 1, value }));
        const part = await begun(platform, post_id, `${company.companyId} ${respondent}`);
        expect((await submit(platform, part, 9, ratings)).status).toBe(200);
      };
      const archiveEvents = async () => {
        for (const statement of [
          `INSERT INTO archived_submission (company_id, campaign_id, seq, participation_id, cohort)
         SELECT company_id, $2::bigint, seq, subject, 5 FROM event
         WHERE company_id = $1 AND type = 'response.submitted' AND changes ->> 'post_id' = $3`,
          `DELETE FROM event
         WHERE company_id = $1 AND $2::bigint IS NOT NULL AND changes ->> 'post_id' = $3`,
        ]) {
          await service.dataSource.query(statement, [
            storedEnvironment(company.companyId),
            id,
            post_id,
          ]);
        }
      };
      const erase = (respondent: string) =>
        platform.post('/svc/fielding/erase-respondent', {
          respondent_id: `${company.companyId} ${respondent}`,
        });
      const stored = async (): Promise<number[][]> => {
        const rows = await service.dataSource.query(
          `SELECT state -> 'window' -> 'quality' AS quality FROM guardrail_watch
         WHERE company_id = $1 AND post_id = $2`,
          [storedEnvironment(company.companyId), post_id],
        );
        return rows.map(({ quality }: any) => quality);
      };
      const remembered = async () => {
        await untilGuardrailsRead(service.dataSource, company.companyId);
        const [quality] = await stored();
        return quality!;
      };
      await answer('ann', false);
      await answer('bob', true);
      const [ofAnn, ofBob] = await remembered();
      expect([ofAnn, ofBob]).toEqual([32, 34]);
      if (where === 'in an archive') {
        await archiveEvents();
      }
      if (where === 'whose guardrail was deleted') {
        holdDeletions(service.app);
        await company.api.post('/svc/guardrail/delete', { guardrail_id });
        await erase('ann');
        expect(await stored()).toEqual([[0, ofBob]]);
        return;
      }
      await erase('ann');
      expect(await remembered()).toEqual([0, ofBob]);
      expect((await guardrailsOf(company.api))[0].fired).toBeNull();
      await answer('cid', true);
      expect((await untilFired(guardrail_id)).values).toEqual([
        { metric: 'flagged_share', value: 1, responses: 2, interval: null },
      ]);
    },
  );

  it('completes a campaign whose answer is known well enough, until its owner starts it', async () => {
    const post_id = await liveQuestionnaire(company, [
      { type: 'single_choice', question: 'Which?', key: 'which', options: ['a', 'b'] },
    ]);
    const narrow = { metric: 'interval_width', question: 'which', option: 'a', op: 'lte' };
    const { guardrail_id, when } = await createGuardrail(company.api, {
      name: 'Known',
      post_id,
      when: { all: [{ ...narrow, value: 0.6 }] },
      then: 'complete',
    });
    expect(when.all).toEqual([{ ...narrow, value: 0.6, minimum_responses: 1, confidence: 0.95 }]);
    const answer = async (respondent: number, open?: { participation_id: string }) => {
      const part = open ?? (await begun(platform, post_id, `${company.companyId} ${respondent}`));
      const answers = [{ question: 1, value: respondent % 4 === 0 ? 'b' : 'a' }];
      return submit(platform, part as never, 9, answers);
    };
    const open = await begun(platform, post_id, `${company.companyId} open`);
    for (let respondent = 1; (await read(post_id)).is_live; respondent += 1) {
      expect((await answer(respondent)).status).toBe(200);
      await untilGuardrailsRead(service.dataSource, company.companyId);
    }
    const fired = await untilFired(guardrail_id);
    const [{ value, interval, responses }] = fired.values;
    expect([fired.values[0].metric, value <= 0.6]).toEqual(['interval_width', true]);
    expect(interval[1] - interval[0]).toBeCloseTo(value, 5);
    expect(responses).toBeGreaterThan(10);
    expect(await read(post_id)).toMatchObject(inState('completed', 'known_enough'));
    const { items } = (await company.api.get(`/svc/event/list?post_id=${post_id}`)).body.data;
    const completed = items.find(({ type }: FeedEvent) => type === 'campaign.completed');
    expect(completed).toMatchObject({
      actor: { type: 'service' },
      changes: { status: { old: 'live', new: 'completed' }, is_live: { old: true, new: false } },
    });
    expect(fields((await triggered())[0]!)).toMatchObject({ then: 'complete', stopped: true });
    expectError(await begin(platform, post_id, 'late'), 422, 'campaign_completed');
    expect((await answer(0, open)).status).toBe(200);
    const backtest = await company.api.post('/svc/guardrail/backtest', { guardrail_id });
    expect(backtest.body.data.items[0]).toMatchObject({
      fired: { seq: fired.seq, values: fired.values },
      finished: false,
      stop_reason: 'known_enough',
    });
    const check = (await company.api.get(`/svc/campaign/${post_id}/launch-check`)).body.data;
    expect(check.blockers).toEqual([]);
    await start(company.api, post_id);
    expect(await read(post_id)).toMatchObject(inState('live'));
    expect((await answer(-1)).status).toBe(200);
    await expectReconciled(company.api);
  });

  it('measures answers by keys and positions, and forgets those that are erased', async () => {
    const questions = [
      { type: 'single_choice', question: 'Which?', key: 'which', options: ['a', 'b'] },
      {
        type: 'matrix',
        question: 'How?',
        rows: ['x', { text: 'Y', key: 'y' }],
        scale: { min: 1, max: 5 },
        required: false,
      },
    ];
    const post_id = await liveQuestionnaire(company, questions);
    const fields = { minimum_responses: 2, confidence: 0 };
    const rules = {
      share: {
        metric: 'option_share',
        question: 'which',
        option: 'b',
        last: 3,
        op: 'gte',
        value: 1,
      },
      mean: { metric: 'mean_rating', question: 2, row: 'y', last: 3, op: 'lt', value: 2 },
    };
    const ids: string[] = [];
    for (const [name, condition] of Object.entries(rules)) {
      const when = { all: [{ ...condition, ...fields }] };
      const { guardrail_id } = await createGuardrail(company.api, {
        name,
        post_id,
        when,
        then: 'notify',
      });
      ids.push(guardrail_id);
    }
    const answer = async (respondent: string, which: string, how?: object) => {
      const part = await begun(platform, post_id, `${company.companyId} ${respondent}`);
      const answers = [
        { question: 1, value: which },
        ...(how === undefined ? [] : [{ question: 2, value: how }]),
      ];
      expect((await submit(platform, part, 9, answers)).status).toBe(200);
    };
    const remembered = async () => {
      await untilGuardrailsRead(service.dataSource, company.companyId);
      const rows = await service.dataSource.query(
        `SELECT kept.value FROM guardrail_watch AS w
         CROSS JOIN jsonb_each(w.state -> 'window') AS kept
         WHERE w.company_id = $1 AND w.post_id = $2 AND starts_with(kept.key, 'answer')
         ORDER BY kept.key`,
        [storedEnvironment(company.companyId), post_id],
      );
      return rows.map(({ value }: any) => value);
    };
    await answer('ann', 'a', { x: 1, y: 5 });
    await answer('bob', 'b');
    expect(await remembered()).toEqual([
      [1, 2],
      [5, null],
    ]);
    await platform.post('/svc/fielding/erase-respondent', {
      respondent_id: `${company.companyId} ann`,
    });
    expect(await remembered()).toEqual([
      [null, 2],
      [null, null],
    ]);
    await answer('cid', 'b', { x: 5, y: 1 });
    expect((await untilFired(ids[0]!)).values).toEqual([
      { metric: 'option_share', value: 1, responses: 2, interval: null },
    ]);
    await answer('dan', 'a', { y: 2 });
    expect((await untilFired(ids[1]!)).values).toEqual([
      { metric: 'mean_rating', value: 1.5, responses: 2, interval: null },
    ]);
  });

  it('keeps respondents out once its response is a second old, if no process has read it', async () => {
    const post_id = await liveSurvey(company);
    const { guardrail_id } = await createGuardrail(company.api, { post_id });
    const { lanes } = service.app.get<Private>(GuardrailWatcher);
    const add = jest.spyOn(lanes, 'add').mockImplementation(() => undefined);
    try {
      await respond(platform, post_id, [10, 10]);
      for (const table of ['unnumbered_event', 'event']) {
        await service.dataSource.query(
          `UPDATE ${table} SET created_at = now() - interval '2 seconds' WHERE company_id = $1`,
          [storedEnvironment(company.companyId)],
        );
      }
      expectError(await begin(platform, post_id, 'too late'), 422, 'campaign_not_live');
    } finally {
      add.mockRestore();
    }
    expect((await untilFired(guardrail_id)).post_id).toBe(post_id);
  });
});
