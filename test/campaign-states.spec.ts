import fc from 'fast-check';
import { CampaignClockService } from '../src/campaign-life/campaign-clock.service';
import { createSurvey } from './support/builders';
import { Client, registerCompany, TestCompany } from './support/client';
import { allEvents } from './support/feed';
import { generateKey } from './support/keys';
import { age, answer, inHours, standing, Standing, stopClock } from './support/life';
import { platformClient } from './support/platforms';
import { expectError } from './support/refusals';
import { startService, TestService } from './support/service';

/*
 * The whole state machine, against a model that knows nothing of how the service stores it: time is
 * counted in hours, and what is due happens at once.
 */

const REWARD = 100;

interface Model {
  now: number;
  live: boolean;
  archived: boolean;
  startsAt: number | null;
  endsAt: number | null;
  /** Whether the start is still to come. */
  pending: boolean;
  /** Whether the passing of `endsAt` was noticed. */
  ended: boolean;
  cap: number | null;
  budget: number | null;
  answers: number;
  stopReason: string | null;
  /** The events of its life. */
  events: string[];
}

const newModel = (): Model => ({
  now: 0,
  live: false,
  archived: false,
  startsAt: null,
  endsAt: null,
  pending: false,
  ended: false,
  cap: null,
  budget: null,
  answers: 0,
  stopReason: null,
  events: [],
});

const spent = ({ answers }: Model) => answers * REWARD;

function exhaustedBy(model: Model): string | null {
  if (model.cap !== null && model.answers >= model.cap) {
    return 'max_responses_reached';
  }
  const { budget } = model;
  return budget !== null && spent(model) > 0 && budget - spent(model) < REWARD
    ? 'budget_spent'
    : null;
}

const isOver = (model: Model) => model.ended || exhaustedBy(model) !== null;

function statusOf(model: Model): Standing {
  const reasons = (status: string, ...status_reasons: (string | null)[]): Standing => ({
    is_live: status === 'live',
    status,
    status_reasons: status_reasons.filter((each) => each !== null),
    stop_reason: model.stopReason,
  });
  if (model.archived) {
    return reasons('archived');
  }
  if (isOver(model)) {
    return reasons('completed', model.ended ? 'ends_at_passed' : null, exhaustedBy(model));
  }
  if (model.live) {
    const tooSmall = model.budget !== null && model.budget < REWARD;
    return reasons('live', tooSmall ? 'budget_below_reward' : null);
  }
  if (model.pending) {
    return reasons('scheduled', 'waiting_for_starts_at');
  }
  return model.stopReason === null ? reasons('draft') : reasons('paused', model.stopReason);
}

function goLive(model: Model): void {
  model.live = true;
  model.pending = false;
  model.stopReason = null;
  model.events.push('campaign.started');
}

function stop(model: Model, reason: string): void {
  if (model.live) {
    model.live = false;
    model.stopReason = reason;
  }
}

/** Does what the clock and the limits demand. */
function settle(model: Model, wasOver: boolean): void {
  if (model.pending && exhaustedBy(model) !== null) {
    model.pending = false;
  }
  if (model.pending && model.startsAt! <= model.now) {
    goLive(model);
  }
  model.ended = model.endsAt !== null && model.endsAt <= model.now;
  if (isOver(model)) {
    model.pending = false;
    stop(model, model.ended ? 'ends_at_passed' : exhaustedBy(model)!);
    if (!wasOver && !model.archived) {
      model.events.push('campaign.completed');
    }
  }
}

const TOGGLE = '/svc/campaign/toggle-live';
/** In milliseconds. */
const HOUR = 3_600_000;

const UPDATE = '/svc/campaign/update';

/** Those who may not change a campaign, and what they are told. */
const STRANGERS = {
  'another company': [403, 'campaign_not_owned'],
  'its company, in test mode': [404, 'campaign_not_found'],
  'its company, with a key that only reads': [403, 'insufficient_scope'],
  'its company, with the account token': [401, 'api_key_missing'],
  'a platform': [403, 'insufficient_scope'],
  'a caller without a credential': [401, 'api_key_missing'],
} as const;

type Stranger = keyof typeof STRANGERS;

class Campaign {
  /** The same hour of the model is the same moment in every request. */
  private readonly start = Date.now();

  readonly model = newModel();

  constructor(
    private readonly service: TestService,
    readonly api: Client,
    readonly postId: string,
  ) {}

  async toggle(is_live: boolean): Promise<void> {
    const { model } = this;
    const response = await this.api.patch(TOGGLE, { post_id: this.postId, is_live });
    if (is_live && !model.live && (model.archived || isOver(model))) {
      expectError(response, 422, 'campaign_completed');
      return;
    }
    expect([response.status, response.body.data.is_live]).toEqual([200, is_live]);
    if (is_live && !model.live) {
      goLive(model);
    } else if (!is_live && model.live) {
      stop(model, 'stopped_by_owner');
      model.events.push('campaign.stopped');
    }
  }

  /** Sets fields; times are hours of the model. */
  async update(change: Partial<Pick<Model, 'startsAt' | 'endsAt' | 'cap' | 'budget'>>) {
    const { model } = this;
    const time = (hour: number | null | undefined) =>
      typeof hour === 'number'
        ? new Date(this.start + (hour - model.now) * HOUR).toISOString()
        : hour;
    const response = await this.api.patch(UPDATE, {
      post_id: this.postId,
      starts_at: time(change.startsAt),
      ends_at: time(change.endsAt),
      max_responses: change.cap,
      budget: change.budget,
    });
    const after = { ...model, ...change };
    if (after.startsAt !== null && after.endsAt !== null && after.endsAt <= after.startsAt) {
      expectError(response, 422, 'ends_before_start', expect.any(Array));
      return;
    }
    if (after.cap !== null && model.answers > after.cap) {
      expectError(response, 422, 'max_responses_below_taken', expect.any(Array));
      return;
    }
    if (after.budget !== null && spent(model) > after.budget) {
      expectError(response, 422, 'budget_below_spent', expect.any(Array));
      return;
    }
    expect([response.status, response.body.error]).toEqual([200, undefined]);
    const wasOver = isOver(model);
    const startChanged = change.startsAt !== undefined && change.startsAt !== model.startsAt;
    Object.assign(model, change);
    model.ended = model.endsAt !== null && model.endsAt <= model.now;
    if (startChanged) {
      model.pending = model.startsAt !== null && !model.live && !model.archived && !isOver(model);
    }
    settle(model, wasOver);
  }

  async archive(archived: boolean): Promise<void> {
    const { model } = this;
    const path = `/svc/campaign/${archived ? 'archive' : 'unarchive'}`;
    const { status } = await this.api.post(path, { post_id: this.postId });
    expect(status).toBe(200);
    if (archived === model.archived) {
      return;
    }
    if (archived) {
      if (model.live) {
        model.events.push('campaign.stopped');
      }
      stop(model, 'archived');
      model.pending = false;
    }
    model.archived = archived;
    model.events.push(archived ? 'campaign.archived' : 'campaign.unarchived');
  }

  /** Lets hours pass, which never makes anything live that is over. */
  async pass(hours: number): Promise<void> {
    await age(this.service.dataSource, this.postId, hours);
    const wasOver = isOver(this.model);
    this.model.now += hours;
    settle(this.model, wasOver);
  }

  async answer(): Promise<void> {
    const { live, budget } = this.model;
    // Nobody begins if the budget does not pay for it.
    if (!live || (budget !== null && budget < spent(this.model) + REWARD)) {
      return;
    }
    await answer(this.service.dataSource, this.postId, REWARD);
    this.model.answers += 1;
    settle(this.model, false);
  }

  async expectStanding(): Promise<void> {
    expect(await standing(this.api, this.postId)).toEqual(statusOf(this.model));
  }

  /** Expects every answer that shows the campaign to agree with the model. */
  async expectModel(): Promise<void> {
    await this.expectStanding();
    const wanted = statusOf(this.model);
    const found = async (query: string) => {
      const { body } = await this.api.get(`/svc/campaign/list?limit=100&${query}`);
      return body.data.items.find(({ post_id }: { post_id: string }) => post_id === this.postId);
    };
    expect(await found(`status=${wanted.status}`)).toMatchObject(wanted);
    const archived = wanted.status === 'archived';
    expect(await found(`archived=${archived}&is_live=${wanted.is_live}`)).toMatchObject(wanted);
    expect(await found(`archived=${archived}&is_live=${!wanted.is_live}`)).toBeUndefined();
    expect((await found('')) === undefined).toBe(archived);
  }
}

describe('the life of a campaign', () => {
  let service: TestService;
  let company: TestCompany;
  let callers: Record<Stranger, Client>;

  beforeAll(async () => {
    service = await startService();
    company = await registerCompany(service.client);
    const keyOf = async (options: Record<string, unknown>) =>
      (await generateKey(company.account, service.client, options)).api;
    callers = {
      'another company': (await registerCompany(service.client)).api,
      'its company, in test mode': await keyOf({ mode: 'test' }),
      'its company, with a key that only reads': await keyOf({ scopes: ['campaigns:read'] }),
      'its company, with the account token': company.account,
      'a platform': await platformClient(service),
      'a caller without a credential': service.client,
    };
  });

  afterAll(() => service.close());

  beforeEach(() => {
    stopClock(service.app);
  });

  /** Stores what is due, as the service does by itself twice a second. */
  async function tick(): Promise<void> {
    jest.restoreAllMocks();
    await service.app.get(CampaignClockService).look();
    stopClock(service.app);
  }

  async function newCampaign(api = company.api): Promise<Campaign> {
    return new Campaign(service, api, (await createSurvey(api)).post_id);
  }

  /** Ways into each status. */
  const STATUSES: Record<string, (campaign: Campaign) => Promise<unknown>> = {
    draft: () => Promise.resolve(),
    'draft with an end': (each) => each.update({ endsAt: 9 }),
    scheduled: (each) => each.update({ startsAt: 5 }),
    'scheduled with an end': (each) => each.update({ startsAt: 5, endsAt: 9 }),
    live: (each) => each.toggle(true),
    'live with an end and limits': async (each) => {
      await each.update({ endsAt: 9, cap: 2, budget: 250 });
      await each.toggle(true);
    },
    'live by its start': async (each) => {
      await each.update({ startsAt: 1, endsAt: 9 });
      await each.pass(2);
    },
    paused: async (each) => {
      await each.toggle(true);
      await each.toggle(false);
    },
    'paused with an end': async (each) => {
      await each.update({ endsAt: 9 });
      await each.toggle(true);
      await each.toggle(false);
    },
    'completed by its end': async (each) => {
      await each.update({ endsAt: 2 });
      await each.toggle(true);
      await each.pass(3);
    },
    'completed before its start was stored': async (each) => {
      await each.update({ startsAt: 1, endsAt: 2 });
      await each.pass(3);
    },
    'completed by its cap': async (each) => {
      await each.update({ cap: 1 });
      await each.toggle(true);
      await each.answer();
    },
    'completed by its budget': async (each) => {
      await each.update({ budget: 150 });
      await each.toggle(true);
      await each.answer();
    },
    archived: async (each) => {
      await each.toggle(true);
      await each.archive(true);
    },
    'archived draft': (each) => each.archive(true),
    'archived with a start': async (each) => {
      await each.update({ startsAt: 5, endsAt: 9 });
      await each.archive(true);
    },
  };

  /** Statuses that the clock makes. */
  const TIMED = [
    'live by its start',
    'completed by its end',
    'completed before its start was stored',
  ];

  const TRIGGERS: Record<string, (campaign: Campaign) => Promise<unknown>> = {
    'toggle true': (each) => each.toggle(true),
    'toggle false': (each) => each.toggle(false),
    'starts_at arrives': (each) => each.pass(6),
    'ends_at arrives': (each) => each.pass(20),
    'a response': (each) => each.answer(),
    'the last response': async (each) => {
      await each.answer();
      await each.answer();
    },
    archive: (each) => each.archive(true),
    unarchive: (each) => each.archive(false),
    'a later start': (each) => each.update({ startsAt: 7 }),
    'a start that has passed': (each) => each.update({ startsAt: -1 }),
    'no start': (each) => each.update({ startsAt: null }),
    'a later end': (each) => each.update({ endsAt: 30 }),
    'an end that has passed': (each) => each.update({ endsAt: 0 }),
    'no end': (each) => each.update({ endsAt: null }),
    'a cap of 1': (each) => each.update({ cap: 1 }),
    'a larger cap': (each) => each.update({ cap: 50 }),
    'a larger budget': (each) => each.update({ budget: 5000 }),
    'a small budget': (each) => each.update({ budget: 50 }),
    'no limits': (each) => each.update({ cap: null, budget: null }),
  };

  describe.each(Object.keys(STATUSES))('that is %s', (status) => {
    it.each(Object.keys(TRIGGERS))('follows the model after: %s', async (trigger) => {
      // Before and after what the clock did is stored.
      for (const stored of TIMED.includes(status) ? [false, true] : [false]) {
        const campaign = await newCampaign();
        await STATUSES[status]!(campaign);
        if (stored) {
          await tick();
        }
        await campaign.expectStanding();
        await TRIGGERS[trigger]!(campaign);
        await campaign.expectModel();
        await tick();
        await campaign.expectStanding();
      }
    });

    it.each(Object.keys(STRANGERS) as Stranger[])('is not changed by %s', async (who) => {
      const campaign = await newCampaign();
      await STATUSES[status]!(campaign);
      const { postId: post_id } = campaign;
      const refusal: readonly [number, string] = STRANGERS[who];
      const requests: [string, string, object][] = [
        ['PATCH', TOGGLE, { post_id, is_live: true }],
        ['PATCH', UPDATE, { post_id, ends_at: inHours(1) }],
        ['POST', '/svc/campaign/archive', { post_id }],
        ['POST', '/svc/campaign/unarchive', { post_id }],
        ['POST', '/svc/campaign/duplicate', { post_id }],
      ];
      for (const [method, path, body] of requests) {
        expectError(await callers[who].send(method, path, body), ...refusal);
      }
      await campaign.expectStanding();
      await campaign.expectModel();
    });
  });

  it('follows the model through any sequence, with an event for each change', async () => {
    const hour = fc.option(fc.integer({ min: -3, max: 12 }), { freq: 4 });
    const steps = fc.oneof(
      { weight: 4, arbitrary: fc.boolean().map((live) => (each: Campaign) => each.toggle(live)) },
      {
        weight: 3,
        arbitrary: fc
          .record({ startsAt: hour, endsAt: hour }, { requiredKeys: [] })
          .map((times) => (each: Campaign) => {
            // Half hours are never now.
            const at = (value: number | null) =>
              value === null ? null : each.model.now + value + 0.5;
            const moved = Object.entries(times).map(([name, value]) => [name, at(value)]);
            return moved.length === 0
              ? Promise.resolve()
              : each.update(Object.fromEntries(moved) as object);
          }),
      },
      {
        weight: 2,
        arbitrary: fc
          .record({
            cap: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
            budget: fc.option(fc.constantFrom(50, 100, 150, 250, 1000), { freq: 3 }),
          })
          .map((limits) => (each: Campaign) => each.update(limits)),
      },
      { weight: 2, arbitrary: fc.constant((each: Campaign) => each.answer()) },
      { weight: 2, arbitrary: fc.boolean().map((to) => (each: Campaign) => each.archive(to)) },
      {
        weight: 4,
        arbitrary: fc
          .integer({ min: 1, max: 5 })
          .map((hours) => (each: Campaign) => each.pass(hours)),
      },
      { weight: 2, arbitrary: fc.constant(() => tick()) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 12 }), async (sequence) => {
        const own = await registerCompany(service.client);
        const campaign = await newCampaign(own.api);
        for (const step of sequence) {
          await step(campaign);
          await campaign.expectModel();
        }
        await tick();
        await campaign.expectModel();
        const { version } = (
          await service.dataSource.query(
            'SELECT count(*)::integer AS version FROM event WHERE company_id = $1',
            [own.companyId],
          )
        )[0];
        const events = (await allEvents(own.api, version)).map(({ type }) => type);
        const ofLife = /^campaign\.(started|stopped|completed|archived|unarchived)$/;
        expect(events.filter((type) => ofLife.test(type))).toEqual(campaign.model.events);
      }),
      { numRuns: Number(process.env.STATE_RUNS ?? 40) },
    );
  }, 300_000);
});
