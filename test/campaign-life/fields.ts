import { createAdvertisement, createSurvey, images, survey } from '../support/builders';
import { Answer, registerCompany } from '../support/client';
import { allEvents } from '../support/feed';
import { begun, liveSurvey, start, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { campaignStatus, inHours, inState, UNLIMITED } from '../support/life';
import { platformClient } from '../support/platforms';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

const FIELDS = {
  starts_at: '2099-01-12T08:00:00.000Z',
  ends_at: '2099-01-19T08:00:00.000Z',
  max_responses: 500,
  budget: 20000.5,
  answer_minutes: 25,
  review_days: 7,
  maximum_dispute_share: 0.05,
};

/** A list shows what campaigns are limited by, not what can be disputed. */
const { review_days: _, maximum_dispute_share: __, ...LISTED } = FIELDS;

describe("the fields of a campaign's life", () => {
  const company = companyForAll();

  const read = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}`)).body.data;
  const update = (fields: object): Promise<Answer> =>
    company.api.patch('/svc/campaign/update', fields);
  const toggle = (post_id: string, is_live: boolean) =>
    company.api.patch('/svc/campaign/toggle-live', { post_id, is_live });

  it.each([
    ['/svc/survey/create', {}],
    ['/svc/advertisement/create', { video_url: 'https://example.com/spot.mp4' }],
    ['/svc/image-survey/binary', { question: 'Which?', images: images(2) }],
  ])('are stored by %s, and shown wherever the campaign is', async (path, more) => {
    const { body } = await company.api.post(path, survey({ ...more, ...FIELDS }));
    const scheduled = {
      is_live: false,
      status: 'scheduled',
      status_reasons: ['waiting_for_starts_at'],
      stop_reason: null,
    };
    expect(body.data).toMatchObject(scheduled);
    const { post_id } = body.data;
    expect(await read(post_id)).toMatchObject({ ...scheduled, ...FIELDS });
    const { body: updated } = await update({ post_id, title: 'Other' });
    expect(updated.data).toMatchObject({ ...scheduled, ...FIELDS });
    const { body: listed } = await company.api.get('/svc/campaign/list?status=scheduled&limit=1');
    expect(listed.data.items).toMatchObject([{ post_id, ...scheduled, ...LISTED }]);
    const { body: cleared } = await update({ post_id, ...UNLIMITED });
    expect(cleared.data).toMatchObject({ ...UNLIMITED, status: 'draft', status_reasons: [] });
    expect(await read(post_id)).toMatchObject({
      ...UNLIMITED,
      status: 'draft',
      status_reasons: [],
    });
  });

  it.each([
    ['starts_at', '2030-01-01', 'invalid_timestamp'],
    ['ends_at', '2030-02-30T00:00:00Z', 'invalid_timestamp'],
    ['max_responses', 0, 'too_small'],
    ['max_responses', 10_000_001, 'too_large'],
    ['max_responses', 1.5, 'not_an_integer'],
    ['budget', 0, 'too_small'],
    ['budget', 1_000_000_000.01, 'too_large'],
    ['budget', 1.001, 'too_precise'],
  ])('are checked: %s %j is %s', async (field, value, code) => {
    const { post_id } = await createSurvey(company.api);
    expectInvalid(await company.api.post('/svc/survey/create', survey({ [field]: value })), {
      [field]: code,
    });
    expectInvalid(await update({ post_id, [field]: value }), { [field]: code });
    expectInvalid(
      await company.api.put('/svc/campaign/apply', { external_ref: 'x', [field]: value }),
      { [field]: code },
    );
  });

  it.each(Object.keys(UNLIMITED))('cannot be null at creation: %s', async (field) => {
    const answer = await company.api.post('/svc/survey/create', survey({ [field]: null }));
    expectInvalid(answer, { [field]: 'null_not_allowed' });
  });

  it.each([
    [{ ends_at: FIELDS.ends_at, starts_at: FIELDS.ends_at }],
    [{ ends_at: FIELDS.starts_at, starts_at: FIELDS.ends_at }],
  ])('refuse an end that is not after the start: %j', async (times) => {
    const details = [
      { field: 'ends_at', code: 'too_small', message: 'ends_at must be after starts_at.' },
    ];
    const refused = (answer: Answer) => {
      expectError(answer, 422, 'ends_before_start', details);
    };
    refused(await company.api.post('/svc/survey/create', survey(times)));
    const document = { external_ref: `e-${times.ends_at}`, type: 'survey', ...survey(times) };
    refused(await company.api.put('/svc/campaign/apply', document));
    const { post_id } = await createSurvey(company.api, { starts_at: times.starts_at });
    refused(await update({ post_id, ends_at: times.ends_at }));
    const other = await createAdvertisement(company.api, { ends_at: times.ends_at });
    refused(await update({ post_id: other.post_id, starts_at: times.starts_at }));
    expect((await read(other.post_id)).starts_at).toBeNull();
  });

  it('in the wrong order are refused only for a campaign that the update may change', async () => {
    const times = { starts_at: FIELDS.ends_at, ends_at: FIELDS.starts_at };
    const stranger = await registerCompany(service.client);
    const { post_id } = await createSurvey(company.api);
    expectError(await update({ post_id: 'post_unknown', ...times }), 404, 'campaign_not_found');
    const path = '/svc/campaign/update';
    const strange = await stranger.api.patch(path, { post_id, ...times });
    expectError(strange, 403, 'campaign_not_owned');
    const outdated = company.api.with({ 'if-match': '"9"' });
    expectError(await outdated.patch(path, { post_id, ...times }), 412, 'version_conflict');
    expectError(await update({ post_id, ...times }), 422, 'ends_before_start', expect.any(Array));
  });

  it('refuse limits below what is counted, and complete the campaign at exactly that', async () => {
    const { id, post_id } = await createSurvey(company.api, { max_responses: 50, budget: 5000 });
    await toggle(post_id, true);
    const count = (counters: string) =>
      service.dataSource.query(
        `UPDATE campaign_progress SET ${counters} WHERE company_id = $1 AND campaign_id = $2`,
        [storedEnvironment(company.companyId), id],
      );
    await count('taken = 20, answered = 18, held = 200, spent = 1500');
    expectError(
      await update({ post_id, max_responses: 19 }),
      422,
      'max_responses_below_taken',
      expect.any(Array),
    );
    expectError(
      await update({ post_id, budget: 1699.99 }),
      422,
      'budget_below_spent',
      expect.any(Array),
    );
    expect(await read(post_id)).toMatchObject({ max_responses: 50, budget: 5000, status: 'live' });
    await update({ post_id, max_responses: 20, budget: 1700 });
    expect(await read(post_id)).toMatchObject({ max_responses: 20, status: 'live' });
    await count('taken = 18, held = 0');
    const full = await update({ post_id, max_responses: 18, budget: null });
    expect(full.body.data).toMatchObject(inState('completed', 'max_responses_reached'));
    const refused = await toggle(post_id, true);
    expectError(refused, 422, 'campaign_completed');
    expect(refused.body.message).toContain('max_responses');
    await update({ post_id, max_responses: 19 });
    expect((await toggle(post_id, true)).body.data.status).toBe('live');
  });

  it('are recorded in the history and in the events, as they happen', async () => {
    const own = await registerCompany(service.client);
    const { post_id } = await createSurvey(own.api, { max_responses: 5 });
    await own.api.patch('/svc/campaign/update', { post_id, budget: 10.5, max_responses: null });
    await own.api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    const ends_at = inHours(-1);
    await own.api.patch('/svc/campaign/update', { post_id, ends_at });
    await own.api.post('/svc/campaign/archive', { post_id });
    await own.api.post('/svc/campaign/unarchive', { post_id });
    const events = (await allEvents(own.api, 8)).slice(1);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['campaign.created', 1],
      ['campaign.updated', 2],
      ['campaign.started', 3],
      ['campaign.updated', 4],
      ['campaign.completed', 5],
      ['campaign.archived', 6],
      ['campaign.unarchived', 7],
    ]);
    expect(events[0]!.changes.max_responses).toEqual({ old: null, new: 5 });
    expect(events[1]!.changes).toEqual({
      budget: { old: null, new: 10.5 },
      max_responses: { old: 5, new: null },
    });
    expect(events[3]!.changes).toEqual({ ends_at: { old: null, new: ends_at } });
    expect(events[4]!.changes).toEqual({
      status: { old: 'live', new: 'completed' },
      is_live: { old: true, new: false },
    });
    expect(events[5]!.changes).toEqual({ status: { old: 'completed', new: 'archived' } });
    const { body } = await own.api.get(`/svc/campaign/${post_id}/history`);
    expect(body.data.items).toHaveLength(7);
    expect(Object.keys(body.data.items[2].changes).sort()).toEqual(['is_live', 'status']);
    expect(Object.keys(body.data.items[3].changes)).toEqual(['ends_at']);
  });

  it.each<[string, Record<string, unknown>, object, string, string]>([
    ['a start that has come', { starts_at: inHours(-1) }, { is_live: true }, 'live', 'started'],
    [
      'a start that has come, and an end',
      { starts_at: inHours(-1), ends_at: inHours(1) },
      { is_live: true },
      'live',
      'started',
    ],
    [
      'an end that has passed',
      { ends_at: inHours(-1) },
      { is_live: false },
      'completed',
      'completed',
    ],
    [
      'a start and an end that have passed',
      { starts_at: inHours(-2), ends_at: inHours(-1) },
      { is_live: false },
      'completed',
      'completed',
    ],
  ])('with %s take effect in the creation, as an event of its own', async (_, times, ...rest) => {
    const [shown, status, type] = rest;
    const own = await registerCompany(service.client);
    const document = { type: 'survey', ...survey(times) };
    const answers = [
      await own.api.post('/svc/survey/create', survey(times)),
      await own.api.put('/svc/campaign/apply', { external_ref: 'past', ...document }),
    ];
    expect(answers[0]!.body.data).toMatchObject({ ...shown, status });
    const events = (await allEvents(own.api, 5)).slice(1);
    for (const { body, headers } of answers) {
      const { post_id } = body.data;
      expect(headers.get('etag')).toBe('"2"');
      const read = await own.api.get(`/svc/campaign/${post_id}`);
      expect([read.headers.get('etag'), read.body.data]).toMatchObject([
        '"2"',
        { ...shown, status },
      ]);
      const [created, second, ...more] = events.filter(({ subject }) => subject === post_id);
      expect(created).toMatchObject({ type: 'campaign.created', version: 1 });
      expect(created!.changes.is_live).toEqual({ old: null, new: false });
      expect(second).toMatchObject({
        type: `campaign.${type}`,
        version: 2,
        actor: created!.actor,
        changes:
          type === 'started'
            ? { is_live: { old: false, new: true } }
            : { status: { old: 'draft', new: 'completed' } },
      });
      expect(more).toEqual([]);
    }
    const again = await own.api.put('/svc/campaign/apply', { external_ref: 'past', ...document });
    expect([again.body.data.result, again.headers.get('etag')]).toEqual(['unchanged', '"2"']);
  });

  it('of the log say what an archive of a live campaign changes, one after the other', async () => {
    const own = await registerCompany(service.client);
    const post_id = await liveSurvey(own);
    await own.api.post('/svc/campaign/archive', { post_id });
    const events = await allEvents(own.api, 5);
    expect(events.slice(-2).map(({ type, changes }) => [type, changes])).toEqual([
      ['campaign.stopped', { is_live: { old: true, new: false } }],
      ['campaign.archived', { status: { old: 'paused', new: 'archived' } }],
    ]);
  });

  it('refuse to make a campaign live that has ended', async () => {
    const document = { external_ref: `ended-${Date.now()}`, type: 'survey', is_live: true };
    for (const dry_run of [true, false]) {
      const fields = survey({ ends_at: inHours(-1), dry_run });
      const answer = await company.api.put('/svc/campaign/apply', { ...document, ...fields });
      expectError(answer, 422, 'campaign_completed');
      expect(answer.body.message).toContain('ends_at');
    }
  });

  it('of a document start a completed campaign if they remove all that has ended it', async () => {
    const platform = await platformClient(service);
    const own = await registerCompany(service.client);
    const document = {
      external_ref: 'again',
      type: 'survey',
      ...survey({ is_live: true, max_responses: 1, budget: 150 }),
    };
    const apply = async (fields: object) => {
      const { data } = await own.api.put('/svc/campaign/apply', { ...document, ...fields });
      const { changed_fields } = data;
      const after = await campaignStatus(own.api, data.post_id);
      return [changed_fields, after.status, after.status_reasons];
    };
    const { body } = await own.api.put('/svc/campaign/apply', document);
    const { post_id } = body.data;
    const paid = await begun(platform, post_id, 'first');
    await submit(platform, paid, 10);
    const both = ['max_responses_reached', 'budget_spent'];
    expect(await apply({})).toEqual([[], 'completed', both]);
    expect(await apply({ budget: 500 })).toEqual([['budget'], 'completed', both.slice(0, 1)]);
    expect(await apply({ budget: 150 })).toEqual([['budget'], 'completed', both]);
    const more = { max_responses: 9 };
    expect(await apply(more)).toEqual([['max_responses'], 'completed', both.slice(1)]);
    const { status } = await platform.post('/svc/fielding/reverse', {
      post_id,
      participation_id: paid.participation_id,
      reason: 'A duplicate.',
    });
    expect(status).toBe(200);
    expect(await apply(more)).toEqual([[], 'paused', ['max_responses_reached']]);
    const dearer = { ...more, budget: 600 };
    expect(await apply(dearer)).toEqual([['budget'], 'paused', ['max_responses_reached']]);
    await own.api.patch('/svc/campaign/update', { post_id, starts_at: inHours(1) });
    expect(await apply(dearer)).toEqual([[], 'scheduled', ['waiting_for_starts_at']]);
    const again = { ...dearer, max_responses: 10 };
    expect(await apply(again)).toEqual([['is_live', 'max_responses'], 'live', []]);
    expect(await apply(again)).toEqual([[], 'live', []]);
  });

  describe('of a document whose start something has cancelled', () => {
    const starts_at = inHours(1);
    const scheduled = { status: 'scheduled', starts_at };

    async function applier(external_ref: string) {
      const own = await registerCompany(service.client);
      const apply = async (fields: object = {}) => {
        const document = { external_ref, type: 'survey', ...survey({ starts_at, ...fields }) };
        const { data } = await own.api.put('/svc/campaign/apply', document);
        const campaign = await own.api.get(`/svc/campaign/${data.post_id}`);
        return { ...data, ...campaign.data };
      };
      return { own, apply };
    }

    it('schedule it again after the archive', async () => {
      const { own, apply } = await applier('archived');
      const { post_id } = await apply();
      await own.api.post('/svc/campaign/archive', { post_id });
      const unchanged = { result: 'unchanged', status: 'archived', starts_at: null };
      expect(await apply()).toMatchObject(unchanged);
      const { data } = await own.api.post('/svc/campaign/unarchive', { post_id });
      expect(data).toMatchObject({ status: 'draft' });
      expect(await apply()).toMatchObject({ changed_fields: ['starts_at'], ...scheduled });
      expect(await apply()).toMatchObject({ result: 'unchanged', ...scheduled });
    });

    it('schedule it again when they raise the limit that it had reached', async () => {
      const platform = await platformClient(service);
      const { own, apply } = await applier('limited');
      const limited = { max_responses: 1 };
      const { post_id } = await apply({ ...limited, starts_at: undefined });
      await start(own.api, post_id);
      const open = await begun(platform, post_id, 'first');
      await own.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
      expect(await apply(limited)).toMatchObject(scheduled);
      expect((await submit(platform, open, 10)).status).toBe(200);
      const completed = { result: 'unchanged', status: 'completed', starts_at: null };
      expect(await apply(limited)).toMatchObject(completed);
      expect(await apply({ max_responses: 2 })).toMatchObject({
        changed_fields: ['starts_at', 'max_responses'],
        ...scheduled,
      });
    });
  });

  it.each([true, false, undefined])(
    'of a document that wants it stopped do not start a campaign whose is_live was %j',
    async (is_live) => {
      const external_ref = `stopped ${is_live}`;
      const document = { external_ref, type: 'survey', ...survey() };
      const apply = async (fields: object) => {
        const { body } = await company.api.put('/svc/campaign/apply', { ...document, ...fields });
        return body.data;
      };
      if (is_live !== undefined) {
        await apply({ is_live });
      }
      const past = { is_live: false, starts_at: '2001-01-01T00:00:00Z' };
      const { post_id, result } = await apply(past);
      expect(result).toBe(is_live === undefined ? 'created' : 'updated');
      expect(await campaignStatus(company.api, post_id)).toMatchObject({
        status: 'paused',
        stop_reason: 'stopped_by_owner',
      });
      expect((await apply(past)).result).toBe('unchanged');
      await apply({ is_live: true });
      const later = { is_live: false, starts_at: inHours(1) };
      expect((await apply(later)).result).toBe('updated');
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'scheduled' });
      expect((await apply(later)).result).toBe('unchanged');
    },
  );

  it('of a document start a campaign that has spent its budget only with lower rewards', async () => {
    const platform = await platformClient(service);
    const own = await registerCompany(service.client);
    const apply = async (fields: object) => {
      return (
        await own.api.put('/svc/campaign/apply', {
          external_ref: 'spent',
          is_live: true,
          ...fields,
        })
      ).data;
    };
    const { post_id } = await apply({ type: 'survey', ...survey({ budget: 150 }) });
    await submit(platform, await begun(platform, post_id, 'first'), 10);
    const outcome = async (fields: object) => {
      const { changed_fields } = await apply(fields);
      return [changed_fields, (await campaignStatus(own.api, post_id)).status];
    };
    const rewards = ['reward_amount', 'cohort_rewards'];
    expect(await outcome({ reward_amount: 120 })).toEqual([rewards, 'completed']);
    const { cohort_rewards } = (await own.api.get(`/svc/campaign/${post_id}`)).body.data;
    const lower = { cohort_rewards: { ...cohort_rewards, cohort_1_reward: 5 } };
    expect(await outcome(lower)).toEqual([['cohort_rewards'], 'completed']);
    expect(await outcome({ reward_amount: 50 })).toEqual([[...rewards, 'is_live'], 'live']);
  });

  it('end a campaign that has not started, with an end in the past', async () => {
    const { post_id } = await createSurvey(company.api, {
      starts_at: inHours(1),
      ends_at: inHours(2),
    });
    const ended = await update({ post_id, ends_at: inHours(-1) });
    expect(ended.body.data).toMatchObject({
      starts_at: null,
      is_live: false,
      status: 'completed',
      status_reasons: ['ends_at_passed'],
    });
    const refused = await update({ post_id, starts_at: inHours(1) });
    expectError(refused, 422, 'ends_before_start', expect.any(Array));
    const { post_id: both } = await createSurvey(company.api, { starts_at: inHours(1) });
    const { starts_at } = await read(both);
    for (const start of [inHours(2), starts_at]) {
      const times = { starts_at: start, ends_at: inHours(-1) };
      expectError(await update({ post_id: both, ...times }), 422, 'ends_before_start', [
        expect.anything(),
      ]);
    }
  });

  it('of a document are applied like the others, and applying it again changes nothing', async () => {
    const document = { external_ref: `life-${Date.now()}`, type: 'survey', ...survey(FIELDS) };
    const apply = async (fields: object) => {
      return (
        await company.api.put('/svc/campaign/apply', {
          external_ref: document.external_ref,
          ...fields,
        })
      ).data;
    };
    const { post_id, changed_fields } = await apply(document);
    expect(changed_fields).toEqual(expect.arrayContaining(Object.keys(FIELDS)));
    expect((await apply(document)).result).toBe('unchanged');
    expect(await apply({ budget: null, starts_at: null })).toMatchObject({
      changed_fields: ['starts_at', 'budget'],
    });
    const over = { ends_at: inHours(-1), is_live: true };
    expect((await apply({ is_live: true })).changed_fields).toEqual(['is_live']);
    expect((await apply({ ends_at: over.ends_at })).changed_fields).toEqual(['ends_at']);
    expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'completed' });
    // It was live until its end, as the document says.
    expect((await apply(over)).result).toBe('unchanged');
    expect(await apply({ ends_at: null, is_live: true })).toMatchObject({ result: 'updated' });
    expect((await campaignStatus(company.api, post_id)).status).toBe('live');
  });

  it('of an archived campaign can be changed, but do not start it', async () => {
    const { post_id } = await createSurvey(company.api);
    await company.api.post('/svc/campaign/archive', { post_id });
    expect((await update({ post_id, starts_at: inHours(-1), title: 'x' })).status).toBe(200);
    expect((await campaignStatus(company.api, post_id)).status).toBe('archived');
    await company.api.post('/svc/campaign/unarchive', { post_id });
    expect((await campaignStatus(company.api, post_id)).status).toBe('draft');
  });
});
