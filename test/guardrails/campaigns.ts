import { createSurvey } from '../support/builders';
import { itOnOneServer, onPostgres } from '../support/engines';
import { eventually } from '../support/eventually';
import { begun, liveSurvey, start, submit } from '../support/fielding';
import { companyForEach, platformForAll } from '../support/fixtures';
import {
  createGuardrail,
  guardrailsOf,
  respond,
  spent,
  untilGuardrailsRead,
} from '../support/guardrails';
import { age, campaignStatus, inHours, inState } from '../support/life';
import { untilLockWait } from '../support/lock-waits';
import { expectError, expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

describe('the guardrails of a campaign', () => {
  const platform = platformForAll();
  const company = companyForEach();

  const check = async (postId: string) =>
    (await company.api.get(`/svc/campaign/${postId}/launch-check`)).body.data;

  const warnings = async (postId: string) =>
    (await check(postId)).warnings.map(({ code }: { code: string }) => code);

  const own = async (postId: string) =>
    (await guardrailsOf(company.api, `?post_id=${postId}`)).filter(
      ({ post_id }) => post_id === postId,
    );

  const unarmed = 'guardrail_not_armed';

  it('are named by the launch check, with those that have fired here', async () => {
    const other = await liveSurvey(company);
    const post_id = await liveSurvey(company);
    const everywhere = await createGuardrail(company.api, { name: 'All', then: 'notify' });
    const here = await createGuardrail(company.api, { post_id, name: 'Here' });
    await createGuardrail(company.api, { post_id: other, name: 'There' });
    const named = (armed: boolean) => [
      { guardrail_id: everywhere.guardrail_id, name: 'All', then: 'notify', armed },
      { guardrail_id: here.guardrail_id, name: 'Here', then: 'stop', armed },
    ];
    expect((await check(post_id)).guardrails).toEqual(named(true));
    expect(await warnings(post_id)).not.toContain(unarmed);
    await respond(platform, post_id, [10, 10]);
    await eventually(async () => {
      expect((await check(post_id)).guardrails).toEqual(named(false));
    });
    expect(await warnings(post_id)).toContain(unarmed);
    expect(await warnings(other)).not.toContain(unarmed);
    await company.api.post('/svc/guardrail/arm', {
      guardrail_id: everywhere.guardrail_id,
      post_id,
    });
    expect(await warnings(post_id)).toContain(unarmed);
    await company.api.post('/svc/guardrail/arm', { guardrail_id: here.guardrail_id });
    expect((await check(post_id)).guardrails).toEqual(named(true));
    expect(await warnings(post_id)).not.toContain(unarmed);
  });

  it('are copied to a duplicate, armed, unless it is to have none', async () => {
    const post_id = await liveSurvey(company);
    await createGuardrail(company.api, { name: 'All' });
    const when = { all: [spent(150), { metric: 'reversed_share', op: 'gt', value: 0.5 }] };
    const rule = await createGuardrail(company.api, { post_id, name: 'Slow', when });
    await createGuardrail(company.api, { post_id, name: 'Dear', then: 'notify' });
    await respond(platform, post_id, [10, 10]);
    await eventually(async () => {
      expect((await own(post_id))[1].fired).not.toBeNull();
    });
    const duplicate = async (fields = {}) => {
      const { body } = await company.api.post('/svc/campaign/duplicate', { post_id, ...fields });
      return body.data.post_id as string;
    };
    const copy = await duplicate();
    const copied = await own(copy);
    expect(copied).toMatchObject([
      { name: 'Slow', when: rule.when, then: 'stop', fired: null },
      { name: 'Dear', then: 'notify', fired: null },
    ]);
    expect(copied[0].since_seq).toBeGreaterThan(rule.since_seq);
    expect(await own(await duplicate({ guardrails: false }))).toEqual([]);
    expect(await own(post_id)).toHaveLength(2);
  });

  it('are not copied by halves if the company has too many', async () => {
    const { post_id } = await createSurvey(company.api);
    const rest = await Promise.all(Array.from({ length: 4 }, () => createSurvey(company.api)));
    const counts: [string, number][] = rest.map((each) => [each.post_id, 9]);
    for (const [campaign, count] of [...counts, [post_id, 10] as const]) {
      for (let index = 0; index < count; index += 1) {
        await createGuardrail(company.api, { post_id: campaign, name: String(index) });
      }
    }
    const listed = async () => (await company.api.get('/svc/campaign/list')).body.data.items.length;
    const refused = await company.api.post('/svc/campaign/duplicate', { post_id });
    expectError(refused, 422, 'too_many_guardrails');
    expect([await listed(), (await guardrailsOf(company.api)).length]).toEqual([5, 46]);
    const bare = await company.api.post('/svc/campaign/duplicate', { post_id, guardrails: false });
    expect([bare.status, await listed()]).toEqual([200, 6]);
  });

  describe('in a document', () => {
    const rule = (name: string, value: number, then = 'stop') => ({
      name,
      when: { all: [spent(value)] },
      then,
    });
    const apply = (guardrails: unknown, fields = {}) =>
      company.api.put('/svc/campaign/apply', {
        external_ref: 'coffee',
        type: 'survey',
        title: 'Coffee',
        description: 'd',
        category: 'c',
        tagline: 't',
        reward_amount: 100,
        ...(guardrails === undefined ? {} : { guardrails }),
        ...fields,
      });
    const outcome = async (...parameters: Parameters<typeof apply>) => {
      const { body } = await apply(...parameters);
      expect(body.error).toBeUndefined();
      return [body.data.result, body.data.changed_fields];
    };
    const positions = async () => {
      const [{ count }] = await service.dataSource.query(
        'SELECT count(*)::integer AS count FROM guardrail_position WHERE company_id = $1',
        [storedEnvironment(company.companyId)],
      );
      return count;
    };

    it('are created, updated and deleted by name, and nothing else is', async () => {
      const all = await createGuardrail(company.api, { name: 'A' });
      const created = await apply([rule('A', 1), rule('B', 2)]);
      expect(created.body.data).toMatchObject({ result: 'created' });
      expect(created.body.data.changed_fields).toContain('guardrails');
      const { post_id } = created.body.data;
      // Two that one request makes may have any order.
      const byName = async () =>
        (await own(post_id)).toSorted((one, other) => one.name.localeCompare(other.name));
      const [a, b] = await byName();
      expect([a.name, b.name]).toEqual(['A', 'B']);
      const unchanged = ['unchanged', []];
      expect(await outcome([rule('B', 2), rule('A', 1)])).toEqual(unchanged);
      expect(await outcome(undefined)).toEqual(unchanged);
      const wanted = [rule('C', 3), rule('B', 2, 'notify')];
      const updated = ['updated', ['guardrails']];
      expect(await outcome(wanted, { dry_run: true })).toEqual(updated);
      expect(await byName()).toEqual([a, b]);
      expect(await outcome(wanted)).toEqual(updated);
      const [changed, added, ...more] = await byName();
      expect(changed).toEqual({ ...b, then: 'notify', updated_at: expect.any(String) });
      expect(added).toMatchObject({ name: 'C', fired: null });
      expect(more).toEqual([]);
      expect(await outcome([], { title: 'Tea' })).toEqual(['updated', ['title', 'guardrails']]);
      expect(await guardrailsOf(company.api)).toEqual([all]);
    });

    it('stay fired where they have fired, as long as they stay', async () => {
      const { post_id } = (await apply([rule('A', 50)], { is_live: true })).body.data;
      await respond(platform, post_id, [10]);
      const fired = await eventually(async () => {
        const [only] = await own(post_id);
        expect(only.fired).not.toBeNull();
        return only.fired;
      });
      await outcome([rule('A', 70)]);
      expect((await own(post_id))[0].fired).toEqual(fired);
    });

    const live = { is_live: true };

    /** Waits until a guardrail has stopped a campaign. */
    const untilStopped = (postId: string) =>
      eventually(async () => {
        expect(await campaignStatus(company.api, postId)).toMatchObject({
          stop_reason: 'guardrail',
        });
      });

    it('keep a campaign stopped that they have stopped, until its owner starts it', async () => {
      const { post_id } = (await apply([rule('A', 50, 'stop')], live)).body.data;
      await respond(platform, post_id, [10]);
      await untilStopped(post_id);
      const again = (await apply([rule('A', 50, 'stop')], live)).body;
      expect([again.data.result, again.message]).toEqual([
        'unchanged',
        'Nothing to change. The campaign stays stopped for its stop_reason or status_reasons.',
      ]);
      expect(again.data).toMatchObject({ is_live: false, stop_reason: 'guardrail' });
      expect(await outcome(undefined, { ...live, budget: 5000 })).toEqual(['updated', ['budget']]);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ is_live: false });
      await start(company.api, post_id);
      expect(await outcome(undefined, live)).toEqual(['unchanged', []]);
    });

    it('keep a campaign completed that they have completed, until its owner starts it', async () => {
      const when = {
        all: [{ metric: 'interval_width', question: 1, option: 'a', op: 'lt', value: 0.999 }],
      };
      const questions = [{ type: 'single_choice', question: 'Which?', options: ['a', 'b'] }];
      const rules = [{ name: 'Known', when, then: 'complete' }];
      const ending = { ...live, ends_at: inHours(1), questions };
      const { post_id } = (await apply(rules, ending)).body.data;
      const answers = [{ question: 1, value: 'a' }];
      for (let respondent = 0; (await campaignStatus(company.api, post_id)).is_live; respondent++) {
        const part = await begun(platform, post_id, `${post_id} ${respondent}`);
        expect((await submit(platform, part, 10, answers)).status).toBe(200);
        await untilGuardrailsRead(service.dataSource, company.companyId);
      }
      const completed = inState('completed', 'known_enough');
      expect(await outcome(rules, ending)).toEqual(['unchanged', []]);
      expect(await campaignStatus(company.api, post_id)).toEqual(completed);
      // Its end adds a reason and changes nothing else.
      await age(service.dataSource, post_id, 2);
      expect(await campaignStatus(company.api, post_id)).toEqual({
        ...completed,
        status_reasons: ['ends_at_passed', 'known_enough'],
      });
      expect(await outcome(undefined, { ...live, ends_at: null })).toEqual([
        'updated',
        ['ends_at'],
      ]);
      expect(await campaignStatus(company.api, post_id)).toEqual(completed);
      await company.api.post('/svc/campaign/archive', { post_id });
      await company.api.post('/svc/campaign/unarchive', { post_id });
      expect(await campaignStatus(company.api, post_id)).toEqual(completed);
      // A start that its owner schedules is one.
      const starts_at = inHours(1);
      await company.api.patch('/svc/campaign/update', { post_id, starts_at });
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'scheduled' });
      await start(company.api, post_id);
      expect(await campaignStatus(company.api, post_id)).toEqual(inState('live'));
    });

    it('keep a campaign stopped whose end passes after they have stopped it', async () => {
      const ending = { ...live, ends_at: inHours(1) };
      const { post_id } = (await apply([rule('A', 50, 'stop')], ending)).body.data;
      await respond(platform, post_id, [10]);
      await untilStopped(post_id);
      await age(service.dataSource, post_id, 2);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({
        status: 'completed',
        status_reasons: ['ends_at_passed'],
      });
      const later = { ...live, ends_at: inHours(5) };
      expect(await outcome(undefined, later)).toEqual(['updated', ['ends_at']]);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'paused' });
    });

    it('keep a campaign stopped whose last response comes after they have stopped it', async () => {
      const limited = { ...live, max_responses: 2 };
      const { post_id } = (await apply([rule('A', 50, 'stop')], limited)).body.data;
      const open = await begun(platform, post_id, 'still answering');
      await respond(platform, post_id, [10]);
      await untilStopped(post_id);
      expect((await submit(platform, open, 10)).status).toBe(200);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({
        status: 'completed',
        status_reasons: ['max_responses_reached'],
      });
      const more = { ...live, max_responses: 9 };
      expect(await outcome(undefined, more)).toEqual(['updated', ['max_responses']]);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'paused' });
    });

    const toggleOff = (post_id: string) =>
      company.api.patch('/svc/campaign/toggle-live', { post_id, is_live: false });
    const archive = (post_id: string) => company.api.post('/svc/campaign/archive', { post_id });

    it.each<[string, string, object, object, (postId: string) => unknown]>([
      ['a limit', 'completed', { max_responses: 1 }, { max_responses: 9 }, () => undefined],
      ['its owner', 'paused', {}, {}, toggleOff],
      ['the archive', 'archived', {}, {}, archive],
    ])(
      'keep a campaign stopped that %s had stopped before',
      async (_, status, limits, raised, stop) => {
        const { post_id } = (await apply([rule('A', 50, 'stop')], { ...live, ...limits })).data;
        const open = await begun(platform, post_id, 'still answering');
        await stop(post_id);
        expect((await submit(platform, open, 10)).status).toBe(200);
        await untilStopped(post_id);
        expect(await campaignStatus(company.api, post_id)).toMatchObject({ status });
        const { data } = await company.api.get(`/svc/campaign/${post_id}/history?limit=1`);
        const [{ actor, changes }] = data.items;
        const stop_reason = { old: expect.any(String), new: 'guardrail' };
        expect([actor.type, changes]).toEqual(['service', { stop_reason }]);
        const backtest = { post_id, when: { all: [spent(50)] } };
        const { data: tried } = await company.api.post('/svc/guardrail/backtest', backtest);
        expect(tried.items).toMatchObject([{ finished: status !== 'paused' }]);
        await company.api.post('/svc/campaign/unarchive', { post_id });
        const [, changed] = await outcome(undefined, { ...live, ...raised });
        expect(changed).toEqual(Object.keys(raised));
        expect(await campaignStatus(company.api, post_id)).toMatchObject({
          status: 'paused',
          stop_reason: 'guardrail',
        });
        await eventually(async () => {
          const { data } = await company.api.get('/svc/event/list?types=guardrail.triggered');
          expect(data.items).toMatchObject([{ changes: { stopped: { new: false } } }]);
        });
        await start(company.api, post_id);
        expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'live' });
      },
    );

    it('keep a campaign stopped whose starts_at differs', async () => {
      const { post_id } = (await apply([rule('A', 50, 'stop')], live)).body.data;
      await respond(platform, post_id, [10]);
      await untilStopped(post_id);
      for (const starts_at of [inHours(-1), inHours(1)]) {
        expect(await outcome(undefined, { ...live, starts_at })).toEqual(['unchanged', []]);
      }
      await company.api.patch('/svc/campaign/update', { post_id, starts_at: inHours(2) });
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'scheduled' });
      for (const fields of [live, { starts_at: inHours(1) }]) {
        expect(await outcome(undefined, fields)).toEqual(['unchanged', []]);
      }
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'scheduled' });
    });

    it('cancel the start of a campaign that is scheduled again when they fire', async () => {
      const { post_id } = (await apply([rule('A', 50, 'stop')], live)).body.data;
      const open = await begun(platform, post_id, 'still answering');
      const again = { ...live, is_live: false, starts_at: inHours(1) };
      expect(await outcome(undefined, again)).toEqual(['updated', ['is_live', 'starts_at']]);
      expect((await submit(platform, open, 10)).status).toBe(200);
      await untilStopped(post_id);
      expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'paused' });
      expect((await company.api.get(`/svc/campaign/${post_id}`)).body.data.starts_at).toBeNull();
      expect((await guardrailsOf(company.api))[0].fired).toMatchObject({ post_id });
    });

    it('refuse to start a campaign that they have stopped and its owner has archived', async () => {
      const { post_id } = (await apply([rule('A', 50, 'stop')], live)).body.data;
      await respond(platform, post_id, [10]);
      await untilStopped(post_id);
      await company.api.post('/svc/campaign/archive', { post_id });
      expectError(await apply(undefined, live), 422, 'campaign_completed');
    });

    it('are refused with the document, and leave nothing behind', async () => {
      const names = Array.from({ length: 11 }, (_, index) => rule(String(index), index));
      expectInvalid(await apply(names), { guardrails: 'too_many' });
      expectInvalid(await apply([rule('A', 1), rule('A', 2)]), {
        'guardrails[1].name': 'duplicate',
      });
      expectInvalid(await apply([{ ...rule('A', 1), when: { all: [{ metric: 'x' }] } }]), {
        'guardrails[0].when.all[0].metric': 'not_allowed',
        'guardrails[0].when.all[0].op': 'required',
        'guardrails[0].when.all[0].value': 'required',
      });
      expect(await outcome(names.slice(1), { dry_run: true })).toMatchObject(['created', {}]);
      expect(await positions()).toBe(0);
      expect((await outcome([]))[1]).not.toContain('guardrails');
      expect(await positions()).toBe(0);
      for (let campaign = 0; campaign < 5; campaign += 1) {
        const external_ref = `c${campaign}`;
        const count = campaign === 4 ? 9 : 10;
        expect(await outcome(names.slice(0, count), { external_ref })).toMatchObject([
          'created',
          {},
        ]);
      }
      for (const dry_run of [true, false]) {
        const { status, body } = await apply(names.slice(0, 2), { title: 'Tea', dry_run });
        expect([status, body.error?.code]).toEqual([422, 'too_many_guardrails']);
      }
      expect(await guardrailsOf(company.api)).toHaveLength(49);
      expect(await outcome([rule('A', 1)])).toEqual(['updated', ['guardrails']]);
      // What is deleted makes room for what is created.
      expect(await outcome([rule('B', 1)])).toEqual(['updated', ['guardrails']]);
    });

    onPostgres('on a server with many connections', () => {
      it('are locked before the campaign, as when they fire', async () => {
        const { post_id } = (await apply([rule('A', 50)], { is_live: true })).body.data;
        const firing = service.dataSource.createQueryRunner();
        await firing.startTransaction();
        try {
          const ofCompany = [storedEnvironment(company.companyId)];
          await firing.query(
            'UPDATE guardrail_position SET seq = seq WHERE company_id = $1',
            ofCompany,
          );
          const applying = apply([rule('B', 50)], { title: 'Tea' });
          await untilLockWait(service.dataSource, 'guardrail_position');
          await firing.query(
            `UPDATE campaign SET is_live = false, stop_reason = 'guardrail', updated_by = 'service'
             WHERE company_id = $1 AND post_id = $2`,
            [storedEnvironment(company.companyId), post_id],
          );
          await firing.commitTransaction();
          expect((await applying).status).toBe(200);
        } finally {
          await firing.release();
        }
      });

      itOnOneServer('stop a campaign whose start comes while they wait for it', async () => {
        const { post_id } = (await apply([rule('A', 50, 'stop')], live)).body.data;
        const open = await begun(platform, post_id, 'still answering');
        await outcome(undefined, { ...live, is_live: false, starts_at: inHours(1) });
        const ofCompany = [storedEnvironment(company.companyId)];
        const firing = service.dataSource.createQueryRunner();
        const update = service.dataSource.createQueryRunner();
        await firing.startTransaction();
        await update.startTransaction();
        try {
          await firing.query(
            'UPDATE guardrail_position SET seq = seq WHERE company_id = $1',
            ofCompany,
          );
          expect((await submit(platform, open, 10)).status).toBe(200);
          await untilLockWait(service.dataSource, 'advance_guardrails');
          await update.query(
            'SELECT FROM campaign WHERE company_id = $1 AND post_id = $2 FOR UPDATE',
            [...ofCompany, post_id],
          );
          await firing.rollbackTransaction();
          await untilLockWait(service.dataSource, 'advance_guardrails');
          await update.query(
            `UPDATE campaign SET starts_at = clock_timestamp() + interval '0.2 seconds'
             WHERE company_id = $1 AND post_id = $2`,
            [...ofCompany, post_id],
          );
          await update.query('SELECT pg_sleep(0.3)');
          await update.commitTransaction();
        } finally {
          await firing.release();
          await update.release();
        }
        await untilStopped(post_id);
        expect(await campaignStatus(company.api, post_id)).toMatchObject({ status: 'paused' });
        const [{ fired }] = await guardrailsOf(company.api);
        expect(fired).toMatchObject({ post_id });
      });

      it('watch what is numbered from the moment at which they are locked', async () => {
        const environment = [storedEnvironment(company.companyId)];
        const lastSeq = async () => {
          const [row] = await service.dataSource.query(
            'SELECT last_seq FROM event_sequence WHERE company_id = $1',
            environment,
          );
          return Number(row?.last_seq ?? 0);
        };
        const { guardrail_id } = await createGuardrail(company.api);
        const firing = service.dataSource.createQueryRunner();
        await firing.startTransaction();
        try {
          await firing.query(
            'UPDATE guardrail_position SET seq = seq WHERE company_id = $1',
            environment,
          );
          const arming = company.api.post('/svc/guardrail/arm', { guardrail_id });
          await untilLockWait(service.dataSource, 'guardrail_position');
          const before = await lastSeq();
          await createSurvey(company.api);
          const numbered = await eventually(async () => {
            const last = await lastSeq();
            expect(last).toBeGreaterThan(before);
            return last;
          });
          await firing.commitTransaction();
          expect((await arming).body.data.since_seq).toBeGreaterThanOrEqual(numbered);
        } finally {
          await firing.release();
        }
      });
    });
  });
});
