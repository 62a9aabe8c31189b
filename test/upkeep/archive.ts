import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { archive, ArchiveRun } from '../../src/operations/archive/archive-run';
import { lineOf, readManifest } from '../../src/operations/archive/manifest.rules';
import { verify } from '../../src/operations/archive/verify';
import * as archives from '../support/archives';
import { createSurvey } from '../support/builders';
import { Answer, registerCompany } from '../support/client';
import { companyForEach, platformForAll } from '../support/fixtures';
import { temporaryDirectory } from '../support/databases';
import { holdDeletions } from '../support/deletions';
import { eventually } from '../support/eventually';
import { allEvents, askFeed, FeedEvent, feedPage } from '../support/feed';
import { begun, expectReconciled, liveQuestionnaire, start, submit } from '../support/fielding';
import { createGuardrail, guardrailsOf, respond } from '../support/guardrails';
import { untilNumbered } from '../support/numbering';
import { Receiver, status } from '../support/receiver';
import { recount, tallied } from '../support/recount';
import { expectError } from '../support/refusals';
import { serviceForAll } from '../support/service';
import { tamper } from '../support/tampering';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/** Later than everything that a test does. */
const LATER = new Date(Date.now() + 3_600_000);

describe('an archive', () => {
  const service = serviceForAll({ variables: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const platform = platformForAll(service);
  let folder: string;

  beforeEach(() => archives.forgetCompanies(service.dataSource));

  const company = companyForEach(service);

  beforeEach(() => {
    folder = temporaryDirectory();
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const run = (
    before = LATER,
    dataSource: DataSource = service.dataSource,
    pastDisabledWebhooks = false,
  ): Promise<ArchiveRun> => {
    const { signal } = new AbortController();
    return archive(dataSource, folder, { before, pastDisabledWebhooks, stop: signal });
  };

  /** A live survey with a response of each of these scores. */
  async function answered(...scores: number[]): Promise<string> {
    const { post_id } = await createSurvey(company.api);
    await start(company.api, post_id);
    await answer(post_id, ...scores);
    return post_id;
  }

  async function answer(postId: string, ...scores: number[]): Promise<void> {
    for (const score of scores) {
      const begin = await begun(platform, postId, `respondent ${Math.random()}`);
      const { questions } = begin.content;
      const answers = questions?.length > 0 ? [{ question: 1, value: `Score ${score}` }] : [];
      expect((await submit(platform, begin, score, answers)).status).toBe(200);
    }
  }

  /** The whole log, once it has this many events and the results count all of them. */
  async function settled(count: number): Promise<FeedEvent[]> {
    const events = await allEvents(company.api, count);
    const post = events.find(({ type }) => type === 'campaign.created')?.subject;
    await eventually(async () => {
      const { body } = await company.api.get(`/svc/campaign/${post}/results`);
      expect(body.data.as_of_seq).toBe(events.length);
    });
    return events;
  }

  /** Runs until no event is left. A read of results counts them, which an archive waits for. */
  const archiveAll = (postId: string): Promise<void> =>
    eventually(async () => {
      await company.api.get(`/svc/campaign/${postId}/results`);
      await run();
      expect(await stored('event')).toBe(0);
    });

  /** Does work once, before a statement of the company that contains this text. */
  function onceBefore(text: string, work: () => Promise<unknown>): void {
    const query = service.dataSource.query.bind(service.dataSource);
    const spy = jest.spyOn(service.dataSource, 'query').mockImplementation(async (...args) => {
      const [statement, parameters] = args;
      const [companyId] = Array.isArray(parameters) ? parameters : [];
      if (statement.includes(text) && companyId === storedEnvironment(company.companyId)) {
        spy.mockRestore();
        await work();
      }
      return query(...args);
    });
  }

  const filesOf = (kind: string) => archives.filesOf(folder, company.companyId, kind);
  const rowsOf = (kind: string) => archives.rowsOf(folder, company.companyId, kind);

  function expectExpired({ status, body }: Answer, field: string, first_seq: number): void {
    expect([status, body.error]).toEqual([
      410,
      {
        code: 'feed_position_expired',
        request_id: expect.any(String),
        details: [{ field, code: 'too_small', message: body.message }],
        first_seq,
      },
    ]);
    expect(body.message).toContain(`the first event that is left has the seq ${first_seq}`);
  }

  const stored = async (table: string): Promise<number> => {
    const [{ count }] = await service.dataSource.query(
      `SELECT count(*)::integer AS count FROM ${table} WHERE company_id = $1`,
      [storedEnvironment(company.companyId)],
    );
    return count;
  };

  it('is whole wherever a run is interrupted', async () => {
    const postId = await answered(9, 3);
    const events = await settled(5);
    const interruptions = await archives.interruptions(service.dataSource, (interrupted) =>
      run(LATER, interrupted),
    );
    expect(interruptions).toBeGreaterThan(5);
    expect(rowsOf('events')).toEqual(events);
    expect(await stored('event')).toBe(0);
    expect((await exportOf(postId)).map(({ seq }) => seq)).toEqual([4, 5]);
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('has the events as the feed returned them, and no others can read it', async () => {
    await answered(9, 3);
    const events = await settled(5);
    const { held } = await run();
    expect(held).not.toContain(company.companyId);
    expect(rowsOf('events')).toEqual(events);
    expect(await stored('event')).toBe(0);
    expect(statSync(join(folder, company.companyId)).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, company.companyId, filesOf('events')[0]!)).mode & 0o777).toBe(
      0o600,
    );
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('lets guardrails count a reversal whose submission is archived', async () => {
    const { post_id } = await createSurvey(company.api);
    await start(company.api, post_id);
    const when = {
      metric: 'reversed_share',
      op: 'gte',
      value: 0.5,
      confidence: 0,
      minimum_responses: 2,
    };
    await createGuardrail(company.api, { post_id, when: { all: [when] }, then: 'notify' });
    const [first] = await respond(platform, post_id, [9, 3]);
    await archiveAll(post_id);
    const reversal = { post_id, participation_id: first, reason: 'Fraud' };
    expect((await platform.post('/svc/fielding/reverse', reversal)).status).toBe(200);
    await eventually(async () => {
      const [{ fired }] = await guardrailsOf(company.api);
      expect(fired).toMatchObject({ post_id, values: [{ value: 0.5, responses: 2 }] });
    });
    // Nothing of it is left for the runs of other tests.
    await archiveAll(post_id);
  });

  it('lets new events get their numbers between its removals', async () => {
    const companyId = storedEnvironment(company.companyId);
    const { dataSource } = service;
    await untilNumbered(dataSource, company.companyId);
    for (const statement of [
      `INSERT INTO event (company_id, subject, version, type, seq, actor, changes, created_at)
       SELECT company_id, gen_random_uuid(), 1, 'webhook.tested', last_seq + n, 'service', '{}',
         now()
       FROM event_sequence CROSS JOIN generate_series(1, 2500) AS n WHERE company_id = $1`,
      'UPDATE event_sequence SET last_seq = last_seq + 2500 WHERE company_id = $1',
      `INSERT INTO tally_position (company_id, folded_seq)
       SELECT company_id, last_seq FROM event_sequence WHERE company_id = $1
       ON CONFLICT (company_id) DO UPDATE SET folded_seq = excluded.folded_seq`,
    ]) {
      await dataSource.query(statement, [companyId]);
    }
    const removals: { began: number; ended: number }[] = [];
    const query = dataSource.query.bind(dataSource);
    const spy = jest.spyOn(dataSource, 'query').mockImplementation(async (...args) => {
      const began = performance.now();
      const result = await query(...args);
      if (args[0].includes('remove_archived_events')) {
        removals.push({ began, ended: performance.now() });
      }
      return result;
    });
    try {
      await run();
    } finally {
      spy.mockRestore();
    }
    expect(await stored('event')).toBe(0);
    expect(removals).toHaveLength(3);
    for (const [index, { began, ended }] of removals.slice(0, -1).entries()) {
      // A timer can be a millisecond early.
      expect(removals[index + 1]!.began - ended).toBeGreaterThan(ended - began - 2);
    }
  });

  it('ends before the first event that is not old enough', async () => {
    await answered(9);
    const events = await settled(4);
    await service.dataSource.query(
      `UPDATE event SET created_at = now() - interval '1 year'
       WHERE company_id = $1 AND seq IN (1, 2, 4)`,
      [storedEnvironment(company.companyId)],
    );
    await run(new Date(Date.now() - 1_000 * 3_600));
    expect(rowsOf('events').map(({ seq }) => seq)).toEqual([1, 2]);
    expect(await feedPage(company.api, { after: 2 })).toMatchObject({
      items: [{ seq: 3 }, { seq: 4 }],
    });
    expect(events).toHaveLength(4);
  });

  it('goes on where the last one ended', async () => {
    const postId = await answered(9);
    await settled(4);
    await run();
    await answer(postId, 5);
    await archiveAll(postId);
    expect(rowsOf('events').map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(filesOf('events')).toHaveLength(2);
    expect((await verify(folder)).problems).toEqual([]);
    const files = readdirSync(folder);
    expect((await run()).companies).toBe(0);
    expect(readdirSync(folder)).toEqual(files);
  });

  it('makes the feed say which event is the first one left', async () => {
    const postId = await answered(9);
    await settled(4);
    await run();
    for (const after of [0, 3]) {
      expectExpired(await askFeed(company.api, { after }), 'after', 5);
    }
    expect(await feedPage(company.api, { after: 4 })).toMatchObject({ items: [], last_seq: 4 });
    const waiting = feedPage(company.api, { after: 4, wait_seconds: 20 });
    await answer(postId, 5);
    expect(await waiting).toMatchObject({ items: [{ seq: 5 }], covers: { from: 5, to: 5 } });
  });

  it('never lets a page skip events that are archived while it is read', async () => {
    await answered(9);
    await settled(4);
    // Between the two statements of a page.
    onceBefore('FROM event_sequence AS sequence', run);
    expectExpired(await askFeed(company.api, { types: 'campaign.archived' }), 'after', 5);
  });

  it('leaves exports, results and the ledger as they are', async () => {
    const questions = [{ type: 'text', question: 'Why?' }];
    const postId = await liveQuestionnaire(company, questions);
    await answer(postId, 9, 3, 5);
    await settled(7);
    const exported = async (query = '') => {
      const response = await fetch(
        `${company.api.url}/svc/campaign/${postId}/responses/export?up_to_seq=7&${query}`,
        { headers: company.api.headers },
      );
      expect(response.status).toBe(200);
      return response.text();
    };
    const all = async () => {
      const { body } = await company.api.get(`/svc/campaign/${postId}/results`);
      const exports: string[] = [];
      for (const query of [
        '',
        'format=csv',
        'after_seq=5',
        'cohorts=5,2',
        'format=csv&version=1',
      ]) {
        exports.push(await exported(query));
      }
      return { exports, results: { ...body.data, as_of: null } };
    };
    const before = await all();
    await run();
    expect(await stored('event')).toBe(0);
    expect(await all()).toEqual(before);
    await answer(postId, 7);
    await settledAt(postId, 8);
    expect((await exportOf(postId)).map(({ seq }) => seq)).toEqual([5, 6, 7, 8]);
    expect(await expectReconciled(company.api)).toMatchObject({ checked: 4 });
  });

  async function settledAt(postId: string, seq: number): Promise<void> {
    await eventually(async () => {
      const { body } = await company.api.get(`/svc/campaign/${postId}/results`);
      expect(body.data.as_of_seq).toBe(seq);
    });
  }

  async function exportOf(postId: string): Promise<any[]> {
    const response = await fetch(`${company.api.url}/svc/campaign/${postId}/responses/export`, {
      headers: company.api.headers,
    });
    const lines = (await response.text()).trimEnd().split('\n');
    expect(response.headers.get('export-count')).toBe(String(lines.length - 1));
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  }

  it('counts a reversal and an erasure of archived submissions', async () => {
    const postId = await answered(9, 3);
    const begin = await begun(platform, postId, `${company.companyId} ann`);
    await submit(platform, begin, 5);
    await settled(6);
    await run();
    const [first] = await exportOf(postId);
    const reversal = await platform.post('/svc/fielding/reverse', {
      post_id: postId,
      participation_id: first.participation_id,
      reason: 'Bot',
    });
    expect(reversal.status).toBe(200);
    const erasure = await platform.post('/svc/fielding/erase-respondent', {
      respondent_id: `${company.companyId} ann`,
    });
    expect(erasure.status).toBe(200);
    await settledAt(postId, 7);
    expect(await tallied(service.dataSource, company.companyId)).toEqual(
      await recount(service.dataSource, company.companyId),
    );
    await expectReconciled(company.api);
  });

  it('leaves versions and later changes alone, and the history says that it is not whole', async () => {
    const postId = await answered();
    await company.api.patch('/svc/campaign/update', { post_id: postId, title: 'Second' });
    await settled(4);
    const history = async (query = '') =>
      (await company.api.get(`/svc/campaign/${postId}/history${query}`)).body.data;
    expect(await history()).toMatchObject({ items: [{}, {}, {}], archived: false });
    await run();
    expect(await history()).toEqual({ items: [], next_cursor: null, archived: true });
    const { headers } = await company.api.get(`/svc/campaign/${postId}`);
    expect(headers.get('etag')).toBe('"3"');
    const update = await company.api
      .with({ 'if-match': '"3"' })
      .patch('/svc/campaign/update', { post_id: postId, title: 'Third' });
    expect([update.status, update.headers.get('etag')]).toEqual([200, '"4"']);
    expect(await history()).toMatchObject({ items: [{ changes: {} }], archived: true });
    await company.api.patch('/svc/campaign/update', { post_id: postId, title: 'Fourth' });
    const page = await history('?limit=1');
    expect(page.archived).toBe(false);
    expect(await history(`?limit=1&cursor=${page.next_cursor}`)).toMatchObject({ archived: true });
  });

  it('waits for every webhook, also for a disabled one', async () => {
    const receiver = await Receiver.start();
    // A webhook gets the events that are numbered after it was created.
    await allEvents(company.api, 1);
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: false });
    await answered(9);
    const events = await settled(5);
    const { held } = await run();
    expect(held).toContain(company.companyId);
    const [{ first_seq }] = await service.dataSource.query(
      'SELECT first_seq::integer FROM event_sequence WHERE company_id = $1',
      [storedEnvironment(company.companyId)],
    );
    expect(first_seq).toBeLessThanOrEqual(2);
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: true });
    await eventually(() => {
      expect(receiver.messages.map(({ body: { data } }) => data.seq).toSorted()).toEqual(
        events.slice(1).map(({ seq }) => seq),
      );
    });
    await eventually(async () => {
      expect((await run()).held).not.toContain(company.companyId);
      expect(rowsOf('events')).toEqual(events);
      expect(
        rowsOf('deliveries')
          .map(({ seq }) => seq)
          .toSorted(),
      ).toEqual([2, 3, 4, 5]);
    });
    expect(await stored('webhook_delivery')).toBe(0);
    const replay = await company.api.post('/svc/webhook/replay', { webhook_id, after_seq: 4 });
    expectExpired(replay, 'after_seq', 6);
    const one = { webhook_id, event_id: events[2]!.event_id };
    expectError(await company.api.post('/svc/webhook/replay', one), 404, 'event_not_found');
    const none = { webhook_id, after_seq: 5 };
    expect((await company.api.post('/svc/webhook/replay', none)).status).toBe(200);
    await receiver.stop();
  });

  it('stops at events that a webhook needs again, and goes on once they are delivered', async () => {
    const receiver = await Receiver.start();
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    const post_id = await answered(9);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    // Between the part of the events and their removal.
    onceBefore('remove_archived_events', async () => {
      const replay = { webhook_id, after_seq: 0 };
      expect((await company.api.post('/svc/webhook/replay', replay)).status).toBe(200);
    });
    await archiveAll(post_id);
    expect(rowsOf('transfers')).toHaveLength(2);
    const [{ last_seq }] = await service.dataSource.query(
      'SELECT last_seq::integer FROM event_sequence WHERE company_id = $1',
      [storedEnvironment(company.companyId)],
    );
    expect(rowsOf('events').map(({ seq }) => seq)).toEqual(
      Array.from({ length: last_seq }, (_, index) => index + 1),
    );
    expect((await verify(folder)).problems).toEqual([]);
    await receiver.stop();
  });

  it('leaves out the deliveries of a deleted webhook', async () => {
    const receiver = await Receiver.start();
    await allEvents(company.api, 1);
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    const postId = await answered(9);
    await eventually(async () => {
      const path = `/svc/webhook/${webhook_id}/deliveries?status=delivered`;
      expect((await company.api.get(path)).body.data.items).toHaveLength(3);
    });
    const remove = holdDeletions(service.app);
    await company.api.post('/svc/webhook/delete', { webhook_id });
    await archiveAll(postId);
    expect(await stored('webhook_delivery')).toBe(3);
    expect(rowsOf('deliveries')).toEqual([]);
    await remove();
    expect(await stored('webhook_delivery')).toBe(0);
    jest.restoreAllMocks();
    await receiver.stop();
  });

  it('goes past a disabled webhook if it is told to, and the webhook shows it', async () => {
    const receiver = await Receiver.start();
    await allEvents(company.api, 1);
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    const state = async () => (await company.api.get('/svc/webhook/list')).body.data.items[0];
    const past = (before = LATER) => run(before, service.dataSource, true);
    // A delivery is not finished when it is disabled.
    receiver.respond = status(500);
    const postId = await answered(9);
    await eventually(async () => {
      expect((await state()).failing_since).not.toBeNull();
    });
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: false });
    const disabled = await state();
    await answer(postId, 8, 7);
    const { length } = await settled(7);
    const [{ pending }] = await service.dataSource.query(
      `SELECT min(seq)::integer AS pending FROM webhook_delivery
       WHERE webhook_id = $1 AND due_at IS NOT NULL`,
      [webhook_id],
    );
    expect(pending).not.toBeNull();
    // It was not disabled before this time.
    expect((await past(new Date(disabled.updated_at))).held).toContain(company.companyId);
    expect((await run()).held).toContain(company.companyId);
    expect(await state()).toEqual(disabled);

    expect((await past()).held).not.toContain(company.companyId);
    expect(rowsOf('events').map(({ seq }) => seq)).toEqual(
      Array.from({ length }, (_, index) => index + 1),
    );
    expect(rowsOf('deliveries').map(({ status }) => status)).toContain('failed');
    expect(await stored('webhook_delivery')).toBe(0);
    const missed = { missed_from_seq: pending, missed_to_seq: length };
    expect(await state()).toEqual({ ...disabled, ...missed });

    // The next run extends what it has missed.
    await answer(postId, 6);
    await settledAt(postId, length + 1);
    await eventually(async () => {
      await past();
      expect(await state()).toEqual({ ...disabled, ...missed, missed_to_seq: length + 1 });
    });
    receiver.respond = status(204);
    receiver.messages.length = 0;
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: true });
    await answer(postId, 5);
    await eventually(() => {
      expect(receiver.messages.map(({ body: { data } }) => data.seq)).toEqual([length + 2]);
    });
    expect(await state()).toMatchObject({ enabled: true, missed_to_seq: length + 1 });
    const replay = await company.api.post('/svc/webhook/replay', { webhook_id, after_seq: 0 });
    expectExpired(replay, 'after_seq', length + 2);
    await receiver.stop();
  });

  it('leaves a webhook what it has given up, while that is in the log', async () => {
    const receiver = await Receiver.start();
    receiver.respond = status(500);
    const { body } = await company.api.post('/svc/webhook/create', { url: receiver.url });
    const { webhook_id } = body.data;
    const state = async () => (await company.api.get('/svc/webhook/list')).body.data.items[0];
    await answered(9);
    const events = await settled(4);
    await eventually(async () => {
      expect((await state()).failing_since).not.toBeNull();
    });
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: false });
    await service.dataSource.query('SELECT give_up_deliveries($1, $2, 1000)', [
      storedEnvironment(company.companyId),
      LATER,
    ]);
    const { missed_from_seq: first, missed_to_seq: last } = await state();
    expect(first).not.toBeNull();
    receiver.respond = status(204);
    receiver.messages.length = 0;
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: true });
    const replay = async (after_seq: number) =>
      (await company.api.post('/svc/webhook/replay', { webhook_id, after_seq })).status;
    expect(await replay(last)).toBe(200);
    expect(await state()).toMatchObject({ missed_from_seq: first, missed_to_seq: last });
    expect(await replay(first)).toBe(200);
    expect(await state()).toMatchObject({ missed_from_seq: first, missed_to_seq: first });
    expect(await replay(first - 1)).toBe(200);
    expect(await state()).toMatchObject({ missed_from_seq: null, missed_to_seq: null });
    await eventually(() => {
      const sent = receiver.messages.map(({ body: { data } }) => data.seq);
      expect(sent).toEqual(expect.arrayContaining(events.slice(first - 1).map(({ seq }) => seq)));
    });
    await receiver.stop();
  });

  it('removes what a killed run has left in its folder', async () => {
    await answered();
    const events = await settled(3);
    await run();
    const own = join(folder, company.companyId);
    const manifest = readFileSync(join(own, 'manifest.ndjson'), 'utf8');
    writeFileSync(join(own, '.unfinished'), 'half');
    writeFileSync(join(own, 'manifest.ndjson'), `${manifest}{"part":2,"ki`);
    await run();
    expect(readdirSync(own).toSorted()).toEqual(['1-events-1-3.ndjson.gz', 'manifest.ndjson']);
    expect(readFileSync(join(own, 'manifest.ndjson'), 'utf8')).toBe(manifest);
    expect(rowsOf('events')).toEqual(events);
  });

  it.each([
    ['an empty manifest', ''],
    ['a part of the first line', '{"part":1,"ki'],
  ])('goes on after a killed run that has left %s', async (_, left) => {
    await answered();
    const events = await settled(3);
    const own = join(folder, company.companyId);
    mkdirSync(own, { mode: 0o700 });
    writeFileSync(join(own, '.unfinished'), 'half');
    writeFileSync(join(own, 'manifest.ndjson'), left);
    expect((await run()).failed).toEqual([]);
    expect(rowsOf('events')).toEqual(events);
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('gives a part the name that a killed run has not given it', async () => {
    await answered();
    const events = await settled(3);
    await run();
    const own = join(folder, company.companyId);
    const [file] = filesOf('events');
    renameSync(join(own, file!), join(own, '.unfinished'));
    expect((await run()).failed).toEqual([]);
    expect(readdirSync(own).toSorted()).toEqual([file, 'manifest.ndjson']);
    expect(rowsOf('events')).toEqual(events);
  });

  it.each([
    ['is missing', () => undefined],
    ['is an older one', (lines: string) => lines.slice(0, lines.indexOf('\n') + 1)],
  ])('removes no file because the manifest %s', async (_, older) => {
    const postId = await answered();
    await settled(3);
    await run();
    await answer(postId, 9);
    await archiveAll(postId);
    const own = join(folder, company.companyId);
    const manifest = join(own, 'manifest.ndjson');
    const content = readFileSync(manifest, 'utf8');
    const files = readdirSync(own);
    const left = older(content);
    if (left === undefined) {
      rmSync(manifest);
    } else {
      writeFileSync(manifest, left);
    }
    const problem = expect.stringMatching(
      `${company.companyId}: \\d-events-.* is not in the manifest, which may be missing`,
    );
    expect((await run()).failed).toEqual([problem]);
    expect((await verify(folder)).problems).toContainEqual(problem);
    writeFileSync(manifest, content);
    expect(readdirSync(own).toSorted()).toEqual(files.toSorted());
    expect([(await run()).failed, (await verify(folder)).problems]).toEqual([[], []]);
  });

  it.each(['../../x', '/etc/hosts', '..', 'a/b', '.unfinished', ''])(
    'reads and moves no file that a manifest names elsewhere: %j',
    async (file) => {
      await answered();
      await settled(3);
      await run();
      const path = join(folder, company.companyId, 'manifest.ndjson');
      const { entries } = readManifest(readFileSync(path, 'utf8'));
      const forged = entries.reduce(
        (text, entry) => text + lineOf(readManifest(text), { ...entry, file }),
        '',
      );
      writeFileSync(path, forged);
      const outside = join(folder, 'x');
      writeFileSync(join(folder, company.companyId, '.unfinished'), 'elsewhere');
      const problem = `${company.companyId}: line 1 of the manifest names no file of its folder`;
      expect((await verify(folder)).problems).toEqual([problem]);
      expect((await run()).failed).toEqual([problem]);
      expect(existsSync(outside)).toBe(false);
    },
  );

  it('notices that the folder of a company is gone', async () => {
    await answered();
    await settled(3);
    await run();
    const own = join(folder, company.companyId);
    const list = join(folder, 'companies.txt');
    // What an interrupted run has left of another line.
    appendFileSync(list, 'co_01');
    expect((await verify(folder)).problems).toEqual([]);
    rmSync(own, { recursive: true });
    const problem = `${company.companyId}: the archive has lost the folder of this company`;
    expect((await verify(folder)).problems).toEqual([problem]);
    await createSurvey(company.api);
    await eventually(async () => {
      expect(await stored('event')).toBeGreaterThan(0);
    });
    await eventually(async () => {
      expect((await run()).failed).toEqual([problem]);
    });
    expect(existsSync(own)).toBe(false);
    // Nothing was removed: the rows can be archived elsewhere.
    expect(await stored('event')).toBeGreaterThan(0);
    rmSync(list);
    await eventually(async () => {
      expect([(await run()).failed, await stored('event')]).toEqual([[], 0]);
    });
    // Another company whose events got their numbers only meanwhile is in no list any more.
    const { problems } = await verify(folder);
    expect(problems.filter((each) => each.startsWith(company.companyId))).toEqual([]);
    rmSync(list);
    const unlisted = expect.stringMatching(`^${company.companyId}: is not in companies.txt`);
    expect((await verify(folder)).problems).toContainEqual(unlisted);
    // A run that finds nothing to archive keeps a folder that has parts.
    expect((await run(new Date(0))).failed).toEqual([]);
    expect((await verify(folder)).problems).toContainEqual(unlisted);
  });

  it('is chained: every change of a file or a manifest shows', async () => {
    await answered();
    await settled(3);
    await run();
    const { digest } = await verify(folder);
    const own = join(folder, company.companyId);
    const changed = async (file: string, change: (content: Buffer) => Buffer | undefined) => {
      const path = join(own, file);
      const content = readFileSync(path);
      const bytes = change(content);
      if (bytes === undefined) {
        rmSync(path);
      } else {
        writeFileSync(path, bytes);
      }
      const found = await verify(folder);
      writeFileSync(path, content);
      return found;
    };
    const [file] = filesOf('events');
    const middle = (content: Buffer) => {
      const copy = Buffer.from(content);
      copy[copy.length >> 1]! ^= 1;
      return copy;
    };
    for (const change of [
      middle,
      (content: Buffer) => content.subarray(0, -3),
      () => Buffer.alloc(0),
      () => undefined,
    ]) {
      const found = await changed(file!, change);
      expect(found.problems).toEqual([expect.stringContaining(`${company.companyId}: ${file}`)]);
    }
    const rehashed = await changed('manifest.ndjson', (content) =>
      Buffer.from(content.toString().replace('"rows":3', '"rows":3 ')),
    );
    expect(rehashed.problems).toEqual([]);
    expect(rehashed.digest).not.toBe(digest);
    const cut = await changed('manifest.ndjson', (content) =>
      Buffer.from(content.toString().replace(/"previous":"0/, '"previous":"1')),
    );
    expect(cut.problems).toEqual([expect.stringContaining('line 1 of the manifest')]);
  });

  it('does not hold up other companies when one of them fails', async () => {
    await answered(9);
    await settled(4);
    await run();
    const manifest = join(folder, company.companyId, 'manifest.ndjson');
    const content = readFileSync(manifest, 'utf8');
    writeFileSync(manifest, content.replace('"previous":"0', '"previous":"1'));
    const damaged = company.companyId;
    Object.assign(company, await registerCompany(service.client));
    await answered(9);
    await settled(4);
    expect((await run()).failed).toEqual([
      `${damaged}: line 1 of the manifest does not follow from the one before`,
    ]);
    expect(rowsOf('events')).toHaveLength(4);
    writeFileSync(manifest, content);
    expect((await run()).failed).toEqual([]);
  });

  it('does not hold up what a statement that takes too long does not concern', async () => {
    const post_id = await answered(9);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    const events = await settled(5);
    const fail = (message: string) =>
      service.dataSource.query(`DO $$ BEGIN RAISE '${message}' USING ERRCODE = '57014'; END $$`);
    onceBefore('give_up_deliveries', () => {
      onceBefore('FROM webhook_delivery', () => {
        onceBefore('archivable_seq', () => fail('slow events'));
        return fail('slow deliveries');
      });
      return fail('slow webhooks');
    });
    const { failed, held } = await run(LATER, service.dataSource, true);
    expect(failed).toEqual(
      ['webhooks', 'deliveries', 'events'].map((part) => `${company.companyId}: slow ${part}`),
    );
    expect(held).not.toContain(company.companyId);
    expect(rowsOf('transfers')).toHaveLength(2);
    expect((await run()).failed).toEqual([]);
    expect(rowsOf('events')).toEqual(events);
  });

  it('keeps a part that a full disk left without its name, before it writes another kind', async () => {
    const post_id = await answered(9);
    await company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    const events = await settled(5);
    const files = jest.requireActual<typeof import('node:fs/promises')>('node:fs/promises');
    onceBefore('octet_length(changes::text)', async () => {
      jest.spyOn(files, 'rename').mockRejectedValueOnce(new Error('no space left'));
      return Promise.resolve();
    });
    expect((await run()).failed).toEqual([`${company.companyId}: no space left`]);
    expect(rowsOf('transfers')).toHaveLength(2);
    expect((await run()).failed).toEqual([]);
    expect(rowsOf('events')).toEqual(events);
    expect(await stored('event')).toBe(0);
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('gives up the deliveries of a disabled webhook in parts', async () => {
    const { body } = await company.api.post('/svc/webhook/create', {
      url: 'https://receiver.example/hook',
    });
    const { webhook_id } = body.data;
    await company.api.patch('/svc/webhook/update', { webhook_id, enabled: false });
    await allEvents(company.api, 2);
    const { dataSource } = service;
    const ids = [storedEnvironment(company.companyId), webhook_id];
    for (const statement of [
      `INSERT INTO webhook_delivery (company_id, webhook_id, seq, state, due_at)
       SELECT $1, $2, n, 'pending', now() FROM generate_series(11, 2510) AS n`,
      'UPDATE webhook_endpoint SET claimed_seq = 2510 WHERE company_id = $1 AND webhook_id = $2',
    ]) {
      await dataSource.query(statement, ids);
    }
    const giveUp = async () => {
      const [{ count }] = await dataSource.query(
        `SELECT give_up_deliveries($1, now() + interval '1 hour', 1000) AS count`,
        ids.slice(0, 1),
      );
      return count;
    };
    expect(await giveUp()).toBe(1_000);
    expect((await run(LATER, dataSource, true)).failed).toEqual([]);
    expect(rowsOf('deliveries')).toHaveLength(2_500);
    expect(await stored('webhook_delivery')).toBe(0);
    const { body: list } = await company.api.get('/svc/webhook/list');
    expect(list.data.items).toMatchObject([{ missed_from_seq: 11, missed_to_seq: 2_510 }]);
  });

  describe('of a database that was restored', () => {
    /** Archives all events, then puts them back with a change. */
    async function restoreAfterRun(change: string): Promise<number> {
      const { dataSource } = service;
      const stored = storedEnvironment(company.companyId);
      await dataSource.query(
        `CREATE TABLE kept AS SELECT * FROM event WHERE company_id = stored_id('${company.companyId}')`,
      );
      try {
        expect((await run()).failed).toEqual([]);
        await tamper(dataSource, async (session) => {
          await session.query('INSERT INTO event SELECT * FROM kept');
          await session.query('DELETE FROM archived_submission WHERE company_id = $1', [stored]);
          await session.query('UPDATE event_sequence SET first_seq = 1 WHERE company_id = $1', [
            stored,
          ]);
          await session.query(change, [stored]);
        });
        const [{ count }] = await dataSource.query('SELECT count(*)::integer AS count FROM kept');
        return count;
      } finally {
        await dataSource.query('DROP TABLE kept');
      }
    }

    const OTHER = `
      UPDATE event SET created_at = '2026-01-01T00:00:00Z'
      WHERE company_id = $1 AND seq = `;

    it.each([
      ['the last event', `${OTHER} 4`],
      ['the first event', `${OTHER} 1`],
    ])('keeps its events if %s is another one', async (_, change) => {
      await answered(9);
      await settled(4);
      expect(await restoreAfterRun(change)).toBe(4);
      expect((await run()).failed).toEqual([
        expect.stringContaining(`${company.companyId}: 1-events-1-4.ndjson.gz has other events`),
      ]);
      expect(await stored('event')).toBe(4);
      rmSync(folder, { recursive: true });
      expect((await run()).failed).toEqual([]);
      expect(rowsOf('events')).toHaveLength(4);
    });

    it('removes its events if they are those of the folder', async () => {
      await answered(9);
      await settled(4);
      await restoreAfterRun('SELECT $1::uuid');
      expect((await run()).failed).toEqual([]);
      expect(await stored('event')).toBe(0);
    });
  });

  it.each([
    ['reads', 'octet_length(changes::text)'],
    ['compares', 'AND seq = ANY ($2)'],
  ])('names another run that removes the events that it %s', async (_, statement) => {
    await answered(9);
    await settled(4);
    const other = temporaryDirectory();
    const { signal } = new AbortController();
    onceBefore(statement, () =>
      archive(service.dataSource, other, { before: LATER, stop: signal }),
    );
    expect((await run()).failed).toEqual([
      expect.stringMatching(`${company.companyId}: another run has removed events`),
    ]);
    rmSync(other, { recursive: true });
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('refuses a folder that was left for another one, whose events it lacks', async () => {
    const postId = await answered(9);
    await settled(4);
    await run();
    const left = folder;
    folder = temporaryDirectory();
    await answer(postId, 5, 7);
    await archiveAll(postId);
    rmSync(folder, { recursive: true });
    folder = left;
    await answer(postId, 3);
    await settledAt(postId, 7);
    expect((await run()).failed).toEqual([
      `${company.companyId}: events 5 to 6 are in another folder: archive into that one or a new one`,
    ]);
    expect((await verify(folder)).problems).toEqual([]);
  });

  it('is written by one run at a time', async () => {
    await answered(9);
    await settled(4);
    const runs = await Promise.allSettled([run(), run()]);
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
