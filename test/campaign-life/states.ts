import fc from 'fast-check';
import { DueCampaignsService } from '../../src/campaigns/campaign/due-campaigns.service';
import { CampaignClockService } from '../../src/campaigns/life/campaign-clock.service';
import { createSurvey, ladder } from '../support/builders';
import { Client, registerCompany } from '../support/client';
import { eventually } from '../support/eventually';
import { allEvents, FeedEvent } from '../support/feed';
import { begin, submit } from '../support/fielding';
import { companyForAll } from '../support/fixtures';
import { generateKey } from '../support/keys';
import { age, inHours, campaignStatus, CampaignStatus, stopClock } from '../support/life';
import { untilNumbered } from '../support/numbering';
import { platformClient } from '../support/platforms';
import { expectError } from '../support/refusals';
import { service, SharedService } from '../support/service';
import { sampled, THOROUGH } from '../support/thorough';
import { storedEnvironment } from '../../src/platform/caller/environment.rules';

/*
 * The whole state machine, against a model that knows nothing of how the service stores it: time is
 * counted in hours, and what is due happens at once.
 */

const REWARD = 100;

/** The reward of cohort 4 in the default ladder. */
const fourthOf = (reward: number) => reward * 0.8;

/** An event of the campaign: each has a version of its own. */
interface Recorded {
  type: string;
  actor: 'api_key' | 'service';
  /** The fields that changed. */
  fields: string[];
}

type Actor = Recorded['actor'];

interface Model {
  now: number;
  title: number;
  live: boolean;
  archived: boolean;
  startsAt: number | null;
  endsAt: number | null;
  /** Whether the start is still to come. */
  pending: boolean;
  /** Whether `endsAt` has passed. */
  ended: boolean;
  cap: number | null;
  budget: number | null;
  reward: number;
  /** The reward of cohort 4, which an owner may raise above that of cohort 5. */
  fourth: number;
  /** What those who are answering hold, and what they are paid: the oldest first. */
  open: { id: string; held: number; pay: number }[];
  answers: number;
  /** What was paid and not taken back. */
  paid: { id: string; pay: number }[];
  stopReason: string | null;
  /** One for each version. */
  events: Recorded[];
}

const newModel = (): Model => ({
  now: 0,
  title: -1,
  live: false,
  archived: false,
  startsAt: null,
  endsAt: null,
  pending: false,
  ended: false,
  cap: null,
  budget: null,
  reward: REWARD,
  fourth: fourthOf(REWARD),
  open: [],
  answers: 0,
  paid: [],
  stopReason: null,
  events: [],
});

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
const spent = ({ paid }: Model) => sum(paid.map(({ pay }) => pay));
const held = ({ open }: Model) => sum(open.map((each) => each.held));
const taken = ({ open, answers }: Model) => open.length + answers;
const largest = ({ reward, fourth }: Model) => Math.max(reward, fourth);

function exhaustedBy(model: Model): string[] {
  const { cap, budget, answers } = model;
  const isSpent =
    budget !== null &&
    spent(model) > 0 &&
    held(model) === 0 &&
    budget - spent(model) < largest(model);
  return [
    ...(cap !== null && answers >= cap ? ['max_responses_reached'] : []),
    ...(isSpent ? ['budget_spent'] : []),
  ];
}

const isOver = (model: Model) => model.ended || exhaustedBy(model).length > 0;

/** Whether nobody can begin, because of the limits. */
function isFull(model: Model): boolean {
  const { cap, budget } = model;
  return (
    (cap !== null && taken(model) >= cap) ||
    (budget !== null && held(model) + spent(model) + largest(model) > budget)
  );
}

function statusOf(model: Model): CampaignStatus {
  const reasons = (status: string, ...status_reasons: string[]): CampaignStatus => ({
    is_live: status === 'live',
    status,
    status_reasons,
    stop_reason: model.stopReason,
  });
  if (model.archived) {
    return reasons('archived');
  }
  if (isOver(model)) {
    return reasons('completed', ...(model.ended ? ['ends_at_passed'] : []), ...exhaustedBy(model));
  }
  if (model.live) {
    if (model.budget !== null && model.budget < largest(model)) {
      return reasons('live', 'budget_below_reward');
    }
    return isFull(model) ? reasons('live', 'fully_held') : reasons('live');
  }
  if (model.pending) {
    return reasons('scheduled', 'waiting_for_starts_at');
  }
  return model.stopReason === null ? reasons('draft') : reasons('paused', model.stopReason);
}

function record(model: Model, actor: Actor, type: string, ...fields: string[]): void {
  model.events.push({ type: `campaign.${type}`, actor, fields });
}

function goLive(model: Model, actor: Actor): void {
  model.live = true;
  model.pending = false;
  model.stopReason = null;
  record(model, actor, 'started', 'is_live');
}

function stop(model: Model, reason: string): void {
  if (model.live) {
    model.live = false;
    model.stopReason = reason;
  }
}

/** Whether limits or the archive cancel a start that is still to come. */
const cancelsStart = (model: Model) =>
  model.pending && model.startsAt! > model.now && (model.archived || exhaustedBy(model).length > 0);

function cancelStart(model: Model, actor: Actor): void {
  model.pending = false;
  model.startsAt = null;
  record(model, actor, 'updated', 'starts_at');
}

/** Does what the clock and the limits demand. */
function settle(model: Model, actor: Actor, wasOver: boolean): void {
  if (cancelsStart(model)) {
    cancelStart(model, actor);
  }
  if (model.pending && model.startsAt! <= model.now) {
    goLive(model, actor);
  }
  model.ended = model.endsAt !== null && model.endsAt <= model.now;
  if (isOver(model)) {
    const fields = model.live ? ['status', 'is_live'] : ['status'];
    model.pending = false;
    stop(model, model.ended ? 'ends_at_passed' : exhaustedBy(model)[0]!);
    if (!wasOver && !model.archived) {
      record(model, actor, 'completed', ...fields);
    }
  }
}

const TOGGLE = '/svc/campaign/toggle-live';
/** In milliseconds. */
const HOUR = 3_600_000;

const UPDATE = '/svc/campaign/update';

/** Those who can change campaigns, but not this one, and what they are told. */
const STRANGERS = {
  'another company': [403, 'campaign_not_owned'],
  'its company, in test mode': [404, 'campaign_not_found'],
} as const;

type Stranger = keyof typeof STRANGERS;

/** Who made a change, and the fields whose value it changed. */
function changedBy({ actor, changes }: Pick<FeedEvent, 'actor' | 'changes'>) {
  const fields = Object.entries(changes);
  for (const [, value] of fields) {
    expect(value.new).not.toEqual(value.old);
  }
  return [actor.type, fields.map(([field]) => field).toSorted()];
}

/** Fields that an owner sets; times are hours of the model. */
type Change = Partial<Pick<Model, 'startsAt' | 'endsAt' | 'cap' | 'budget' | 'reward' | 'title'>>;

class Campaign {
  /** The same hour of the model is the same moment in every request. */
  private readonly start = Date.now();

  readonly model = newModel();

  private respondents = 0;

  constructor(
    private readonly service: SharedService,
    readonly api: Client,
    private readonly platform: Client,
    readonly postId: string,
  ) {
    record(this.model, 'api_key', 'created');
  }

  async toggle(is_live: boolean): Promise<void> {
    const { model } = this;
    const response = await this.api.patch(TOGGLE, { post_id: this.postId, is_live });
    if (is_live && !model.live && (model.archived || isOver(model))) {
      expectError(response, 422, 'campaign_completed');
      return;
    }
    expect([response.status, response.body.data.is_live]).toEqual([200, is_live]);
    if (is_live && !model.live) {
      goLive(model, 'api_key');
    } else if (!is_live && model.live) {
      stop(model, 'stopped_by_owner');
      record(model, 'api_key', 'stopped', 'is_live');
    }
  }

  async update(change: Change): Promise<void> {
    const { model } = this;
    const time = (hour: number | null | undefined) =>
      typeof hour === 'number'
        ? new Date(this.start + (hour - model.now) * HOUR).toISOString()
        : hour;
    const response = await this.api.patch(UPDATE, {
      post_id: this.postId,
      title: change.title === undefined ? undefined : `Title ${change.title}`,
      starts_at: time(change.startsAt),
      ends_at: time(change.endsAt),
      max_responses: change.cap,
      budget: change.budget,
      reward_amount: change.reward,
    });
    const after = { ...model, ...change };
    const startChanged = after.startsAt !== model.startsAt;
    const isStartSent = typeof change.startsAt === 'number';
    if (!isStartSent && after.endsAt !== null && after.endsAt <= model.now) {
      // It ends before it starts, so it never does. A request with both times must not say so.
      after.startsAt =
        after.startsAt !== null && after.startsAt > model.now ? null : after.startsAt;
    }
    if (change.reward !== undefined) {
      after.fourth = fourthOf(change.reward);
    }
    if (after.budget !== null && held(model) + spent(model) > after.budget) {
      expectError(response, 422, 'budget_below_spent', expect.any(Array));
      return;
    }
    if (after.cap !== null && taken(model) > after.cap) {
      expectError(response, 422, 'max_responses_below_taken', expect.any(Array));
      return;
    }
    if (after.startsAt !== null && after.endsAt !== null && after.endsAt <= after.startsAt) {
      expectError(response, 422, 'ends_before_start', expect.any(Array));
      return;
    }
    expect([response.status, response.body.error]).toEqual([200, undefined]);
    const wasOver = isOver(model);
    if (!startChanged && cancelsStart(after)) {
      after.startsAt = null;
    }
    this.recordUpdate(after);
    Object.assign(model, after);
    model.ended = model.endsAt !== null && model.endsAt <= model.now;
    if (startChanged || model.startsAt === null) {
      model.pending = model.startsAt !== null && !model.live && !model.archived && !isOver(model);
    }
    settle(model, 'api_key', wasOver);
  }

  private recordUpdate(after: Model): void {
    const { model } = this;
    const differs = (names: Partial<Record<keyof Model, string>>) =>
      Object.entries(names)
        .filter(([name]) => model[name as keyof Model] !== after[name as keyof Model])
        .map(([, field]) => field);
    const fields = differs({
      title: 'title',
      startsAt: 'starts_at',
      endsAt: 'ends_at',
      cap: 'max_responses',
      budget: 'budget',
      reward: 'reward_amount',
    });
    if (after.reward !== model.reward) {
      const [fourth] = differs({ fourth: 'cohort_4_reward' });
      const others = [2, 3, 5].map((cohort) => `cohort_${cohort}_reward`);
      record(model, 'api_key', 'updated', ...fields, ...others, ...(fourth ? [fourth] : []));
      return;
    }
    if (fields.length > 0) {
      record(model, 'api_key', 'updated', ...fields);
    }
    if (after.fourth !== model.fourth) {
      record(model, 'api_key', 'cohort_rewards_updated', 'cohort_4_reward');
    }
  }

  /** Sets the reward of cohort 4. */
  async payFourth(fourth: number): Promise<void> {
    const { model } = this;
    const { status } = await this.api.patch('/svc/campaign/cohort-rewards', {
      post_id: this.postId,
      ...ladder(3, model.reward * 0.4, model.reward * 0.6, fourth, model.reward),
    });
    expect(status).toBe(200);
    const wasOver = isOver(model);
    const after = { ...model, fourth };
    if (cancelsStart(after)) {
      Object.assign(after, { startsAt: null, pending: false });
    }
    this.recordUpdate(after);
    Object.assign(model, after);
    settle(model, 'api_key', wasOver);
  }

  async setQuestions(): Promise<void> {
    const response = await this.api.post('/svc/survey/questions', {
      post_id: this.postId,
      questions: [{ type: 'text', question: 'Why?', required: false }],
    });
    expect(response.status).toBe(200);
    record(this.model, 'api_key', 'questions_replaced', 'question_set_version');
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
        record(model, 'api_key', 'stopped', 'is_live');
      }
      stop(model, 'archived');
    }
    model.archived = archived;
    if (cancelsStart(model)) {
      cancelStart(model, 'api_key');
    }
    record(model, 'api_key', archived ? 'archived' : 'unarchived', 'status');
  }

  /** Lets hours pass, which never makes anything live that is over. */
  async pass(hours: number): Promise<void> {
    await age(this.service.dataSource, this.postId, hours);
    const wasOver = isOver(this.model);
    this.model.now += hours;
    settle(this.model, 'service', wasOver);
  }

  async begin(): Promise<void> {
    const { model } = this;
    this.respondents += 1;
    const response = await begin(this.platform, this.postId, `respondent ${this.respondents}`);
    if (!model.live) {
      const isCompleted = !model.archived && isOver(model);
      expectError(response, 422, isCompleted ? 'campaign_completed' : 'campaign_not_live');
    } else if (isFull(model)) {
      expectError(response, 422, 'fully_held');
    } else {
      expect(response.status).toBe(200);
      const { participation_id: id, maximum_reward } = response.body.data;
      expect(maximum_reward).toBe(largest(model));
      model.open.push({ id, held: largest(model), pay: model.reward });
    }
  }

  /** Lets the one who began first submit, for the reward of cohort 5. */
  async submit(): Promise<void> {
    const { model, postId: post_id } = this;
    const first = model.open[0];
    if (first !== undefined) {
      const response = await submit(this.platform, { post_id, participation_id: first.id }, 9);
      expect([response.status, response.body.data?.reward]).toEqual([200, first.pay]);
      this.count(() => {
        model.open.shift();
        model.answers += 1;
        model.paid.push(first);
      });
    }
  }

  /** Lets the one who began first give up. */
  async abandon(): Promise<void> {
    const { model, postId: post_id } = this;
    const first = model.open[0];
    if (first !== undefined) {
      const body = { post_id, participation_id: first.id };
      expect((await this.platform.post('/svc/fielding/abandon', body)).status).toBe(200);
      this.count(() => model.open.shift());
    }
  }

  /** Takes the first reward back that was not taken back yet. */
  async reverse(): Promise<void> {
    const { model, postId: post_id } = this;
    const first = model.paid[0];
    if (first !== undefined) {
      const body = { post_id, participation_id: first.id, reason: 'A bot' };
      expect((await this.platform.post('/svc/fielding/reverse', body)).status).toBe(200);
      this.count(() => model.paid.shift());
    }
  }

  /** Changes the counters, and with them what is left. */
  private count(change: () => void): void {
    const { model } = this;
    const { status } = statusOf(model);
    const wasOver = isOver(model);
    change();
    settle(model, 'service', wasOver);
    if (status === 'completed' && statusOf(model).status !== 'completed') {
      record(model, 'service', 'updated', 'status');
    }
  }

  async answer(): Promise<void> {
    await this.begin();
    await this.submit();
  }

  async expectStatus(): Promise<void> {
    expect(await campaignStatus(this.api, this.postId)).toEqual(statusOf(this.model));
  }

  /** Expects every answer that shows the campaign to agree with the model. */
  async expectModel(): Promise<void> {
    await this.expectStatus();
    const wanted = statusOf(this.model);
    const found = async (query: string) => {
      // The newest campaign of its company comes first, if the query matches it.
      const { body } = await this.api.get(`/svc/campaign/list?limit=1&${query}`);
      return body.data.items.find(({ post_id }: { post_id: string }) => post_id === this.postId);
    };
    expect(await found(`status=${wanted.status}`)).toMatchObject(wanted);
    const archived = wanted.status === 'archived';
    expect(await found(`archived=${archived}&is_live=${wanted.is_live}`)).toMatchObject(wanted);
    expect(await found(`archived=${archived}&is_live=${!wanted.is_live}`)).toBeUndefined();
    expect((await found('')) === undefined).toBe(archived);
  }

  /** Expects an event for each version, and a change in each, once all that is due is stored. */
  async expectVersions(): Promise<void> {
    const { headers } = await this.api.get(`/svc/campaign/${this.postId}`);
    const { body } = await this.api.get(`/svc/campaign/${this.postId}/history?limit=100`);
    const [created, ...entries]: Pick<FeedEvent, 'actor' | 'changes'>[] =
      body.data.items.toReversed();
    expect(created!.changes).toHaveProperty('title');
    expect(entries.map(changedBy)).toEqual(
      this.model.events.slice(1).map(({ actor, fields }) => [actor, fields.toSorted()]),
    );
    expect(headers.get('etag')).toBe(`"${this.model.events.length}"`);
  }

  /**
   * Expects the feed of a company that has only this campaign to have an event for each version.
   */
  async expectFeed(companyId: string): Promise<void> {
    await untilNumbered(this.service.dataSource, companyId);
    const [{ count }] = await this.service.dataSource.query(
      'SELECT count(*)::integer AS count FROM event WHERE company_id = $1',
      [storedEnvironment(companyId)],
    );
    const feed = await allEvents(this.api, count);
    const events = feed.filter(({ subject }) => subject === this.postId);
    expect(events.map(({ type, version, actor }) => [version, type, actor.type])).toEqual(
      this.model.events.map(({ type, actor }, index) => [index + 1, type, actor]),
    );
    events.slice(1).forEach(changedBy);
  }
}

describe('the life of a campaign', () => {
  const company = companyForAll();
  let platform: Client;
  let callers: Record<Stranger, Client>;

  beforeAll(async () => {
    const test = await generateKey(company.account, service.client, { mode: 'test' });
    platform = await platformClient(service);
    callers = {
      'another company': (await registerCompany(service.client)).api,
      'its company, in test mode': test.api,
    };
  });

  beforeEach(() => {
    stopClock(service.app);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Stores what is due, as the service does by itself twice a second. */
  async function tick(): Promise<void> {
    jest.restoreAllMocks();
    await service.app.get(CampaignClockService).look();
    stopClock(service.app);
  }

  async function newCampaign(api = company.api): Promise<Campaign> {
    return new Campaign(service, api, platform, (await createSurvey(api)).post_id);
  }

  it('is stored in turns of the companies, however many campaigns of one are due', async () => {
    const [busy, other] = await Promise.all([1, 2].map(() => registerCompany(service.client)));
    const owners = [busy!, busy!, other!];
    for (const [index, { api }] of owners.entries()) {
      const { post_id } = await createSurvey(api, { starts_at: inHours(1) });
      await age(service.dataSource, post_id, owners.length + 1 - index);
    }
    jest.restoreAllMocks();
    const due = service.app.get(DueCampaignsService);
    const find = due.find.bind(due);
    jest.spyOn(due, 'find').mockImplementation((_limit, ...except) => find(1, ...except));
    const settle = jest.spyOn(due, 'settle');
    const ids = owners.map(({ companyId }) => storedEnvironment(companyId));
    await eventually(() => {
      const turns = settle.mock.calls.map(([id]) => id).filter((id) => ids.includes(id));
      expect(turns).toEqual([ids[0], ids[2], ids[1]]);
    });
  });

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
    'completed by its cap and its budget': async (each) => {
      await each.update({ cap: 1, budget: 150 });
      await each.toggle(true);
      await each.answer();
    },
    'completed while somebody answers': async (each) => {
      await each.update({ endsAt: 2, cap: 1 });
      await each.toggle(true);
      await each.begin();
      await each.pass(3);
    },
    'scheduled while somebody answers': async (each) => {
      await each.update({ cap: 1, budget: 150 });
      await each.toggle(true);
      await each.begin();
      await each.toggle(false);
      await each.update({ startsAt: 5 });
    },
    archived: async (each) => {
      await each.toggle(true);
      await each.archive(true);
    },
    'archived while the last place is held': async (each) => {
      await each.update({ cap: 1 });
      await each.toggle(true);
      await each.begin();
      await each.archive(true);
    },
    'archived after its budget was spent': async (each) => {
      await each.update({ budget: 150 });
      await each.toggle(true);
      await each.answer();
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
    'completed while somebody answers',
  ];

  const TRIGGERS: Record<string, (campaign: Campaign) => Promise<unknown>> = {
    'toggle true': (each) => each.toggle(true),
    'toggle false': (each) => each.toggle(false),
    'starts_at arrives': (each) => each.pass(6),
    'ends_at arrives': (each) => each.pass(20),
    'a submission': (each) => each.submit(),
    'another reward_amount': (each) => each.update({ reward: 200 }),
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

  /** Expects a campaign to follow the model, before and after what the clock did is stored. */
  async function expectFollowing(
    status: string,
    trigger: (campaign: Campaign) => Promise<unknown>,
  ): Promise<void> {
    for (const stored of TIMED.includes(status) ? [false, true] : [false]) {
      const campaign = await newCampaign();
      await STATUSES[status]!(campaign);
      if (stored) {
        await tick();
      }
      await campaign.expectStatus();
      await trigger(campaign);
      await campaign.expectModel();
      await tick();
      await campaign.expectStatus();
      await campaign.expectVersions();
    }
  }

  /** What concerns some statuses only. */
  it.each<[string, string, (campaign: Campaign) => Promise<unknown>]>([
    ...TIMED.flatMap((status): [string, string, (campaign: Campaign) => Promise<unknown>][] => [
      [status, 'another title', (each) => each.update({ title: 1 })],
      [status, 'other cohort rewards', (each) => each.payFourth(400)],
      [status, 'questions', (each) => each.setQuestions()],
    ]),
    ['completed by its budget', 'a reversal', (each) => each.reverse()],
    ['completed by its cap and its budget', 'a reversal', (each) => each.reverse()],
    ['archived after its budget was spent', 'a reversal', (each) => each.reverse()],
    ['completed by its budget', 'a smaller reward_amount', (each) => each.update({ reward: 50 })],
    ['scheduled while somebody answers', 'a place that is given up', (each) => each.abandon()],
    [
      'scheduled while somebody answers',
      'a start, then a submission',
      async (each) => {
        await each.pass(6);
        await each.submit();
      },
    ],
  ])('that is %s follows the model after: %s', (status, _, trigger) =>
    expectFollowing(status, trigger),
  );

  describe.each(Object.keys(STATUSES))('that is %s', (status) => {
    const triggers = sampled(Object.keys(TRIGGERS), Object.keys(STATUSES).indexOf(status));

    it.each(triggers)('follows the model after: %s', (trigger) =>
      expectFollowing(status, TRIGGERS[trigger]!),
    );

    it('is not changed by anyone else', async () => {
      const campaign = await newCampaign();
      await STATUSES[status]!(campaign);
      const { postId: post_id } = campaign;
      const requests: [string, string, object][] = [
        ['PATCH', TOGGLE, { post_id, is_live: true }],
        ['PATCH', UPDATE, { post_id, ends_at: inHours(1) }],
        ['POST', '/svc/campaign/archive', { post_id }],
        ['POST', '/svc/campaign/unarchive', { post_id }],
        ['POST', '/svc/campaign/duplicate', { post_id }],
      ];
      for (const who of Object.keys(STRANGERS) as Stranger[]) {
        const refusal: readonly [number, string] = STRANGERS[who];
        for (const [method, path, body] of requests) {
          expectError(await callers[who].send(method, path, body), ...refusal);
        }
      }
      await campaign.expectModel();
    });
  });

  it('follows the model through any sequence, with one event and one change for each version', async () => {
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
      {
        weight: 6,
        arbitrary: fc
          .constantFrom('begin', 'submit', 'submit', 'abandon', 'reverse')
          .map((step) => (each: Campaign) => each[step]()),
      },
      {
        weight: 2,
        arbitrary: fc
          .record(
            { title: fc.integer({ min: 0, max: 2 }), reward: fc.constantFrom(50, 100, 200) },
            { requiredKeys: [] },
          )
          .filter((change) => Object.keys(change).length > 0)
          .map((change) => (each: Campaign) => each.update(change)),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(40, 400).map((to) => (each: Campaign) => each.payFourth(to)),
      },
      { weight: 1, arbitrary: fc.constant((each: Campaign) => each.setQuestions()) },
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
      fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 16 }), async (sequence) => {
        const own = await registerCompany(service.client);
        const campaign = await newCampaign(own.api);
        for (const step of sequence) {
          await step(campaign);
          await campaign.expectModel();
        }
        await tick();
        await campaign.expectModel();
        await campaign.expectVersions();
        await campaign.expectFeed(own.companyId);
      }),
      { numRuns: Number(process.env.STATE_RUNS ?? (THOROUGH ? 40 : 10)) },
    );
  }, 300_000);
});
