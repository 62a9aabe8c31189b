import { DisputeLapse } from '../../src/fielding/dispute/dispute-lapse.service';
import { Answer, Client, registerCompany, TestCompany } from '../support/client';
import {
  ageDispute,
  decideDispute,
  eraseRespondent,
  openDispute,
  payBonus,
  progressOf,
  reversePart,
} from '../support/disputes';
import { allEvents } from '../support/feed';
import { begin, expectReconciled, liveSurvey, submit } from '../support/fielding';
import { figures } from '../support/figures';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { Random } from '../support/targeting-model';
import { THOROUGH } from '../support/thorough';

/** How many operations are compared with the model; `MODEL_OPERATIONS=100000` runs so many. */
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? (THOROUGH ? 2_000 : 120));

/** Operations on the campaigns of one company, and between two comparisons. */
const IN_ONE_WORLD = 1_000;
const BETWEEN = 40;
const CAMPAIGNS = 2;

/** Rewards by the score that earns them, in cents. */
const REWARDS = new Map([
  [1, 300],
  [3, 4_000],
  [5, 6_000],
  [7, 8_000],
  [9, 10_000],
]);
const LARGEST = 10_000;

interface Part {
  post_id: string;
  participation_id: string;
  respondent: string;
  reward: number;
  bonus: number;
  /** Events so far. */
  version: number;
  isReversed: boolean;
  isErased: boolean;
  dispute?: { state: 'open' | 'over' | 'accepted' | 'declined'; reason: string };
}

/** A campaign as the model has it; amounts in cents. */
interface Campaign {
  budget: number;
  spent: number;
  bonuses: number;
  answered: number;
  reversed: number;
  disputed: number;
  /** In thousandths. */
  share: number;
}

/**
 * Bonuses and disputes in whole cents and thousandths, without anything of the service: which
 * request succeeds, which code refuses it, and what every counter is.
 */
class World {
  readonly results = new Map<string, number>();
  private readonly campaigns = new Map<string, Campaign>();
  private readonly parts: Part[] = [];
  private readonly refs = new Map<string, { part: Part; amount: number }>();
  private respondents = 0;

  constructor(
    private readonly random: Random,
    private readonly company: TestCompany,
    private readonly platform: Client,
  ) {}

  async create(): Promise<void> {
    for (let n = 0; n < CAMPAIGNS; n += 1) {
      const share = this.random.pick([0, 333, 500, 1_000]);
      const budget = this.random.pick([40_000, 100_000]);
      const postId = await liveSurvey(this.company, {
        budget: budget / 100,
        review_days: 7,
        maximum_dispute_share: share / 1_000,
      });
      const none = { spent: 0, bonuses: 0, answered: 0, reversed: 0, disputed: 0 };
      this.campaigns.set(postId, { budget, share, ...none });
    }
  }

  async operate(): Promise<void> {
    await this.random.pick([
      () => this.respond(),
      () => this.respond(),
      () => this.bonus(),
      () => this.bonus(),
      () => this.dispute(),
      () => this.dispute(),
      () => this.decide(true),
      () => this.decide(false),
      () => this.lapse(),
      () => this.reverse(),
      () => this.erase(),
      () => this.changeBudget(),
    ])();
  }

  private get part(): Part | undefined {
    // The newest are more likely to be in an early state.
    const among = this.random.chance(0.7) ? this.parts.slice(-8) : this.parts;
    return among.length === 0 ? undefined : this.random.pick(among);
  }

  private campaignOf = ({ post_id }: Part): Campaign => this.campaigns.get(post_id)!;

  private expect(name: string, { status, body }: Answer, code: string | undefined): void {
    expect([name, status === 200 ? undefined : (body.error?.code ?? status)]).toEqual([name, code]);
    const result = `${name} ${code ?? 'ok'}`;
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }

  private async respond(): Promise<void> {
    const [post_id, campaign] = this.random.pick([...this.campaigns]);
    const { api } = this.company;
    // A reversal can have given a completed campaign its money back, which does not start it.
    const toggled = await api.patch('/svc/campaign/toggle-live', { post_id, is_live: true });
    const isLive = campaign.spent === 0 || campaign.budget - campaign.spent >= LARGEST;
    this.expect('start', toggled, isLive ? undefined : 'campaign_completed');
    this.respondents += 1;
    const respondent = `${post_id} ${this.respondents}`;
    const begun = await begin(this.platform, post_id, respondent);
    const isOpen = campaign.budget - campaign.spent >= LARGEST;
    const refusal = isLive ? 'fully_held' : 'campaign_completed';
    this.expect('begin', begun, isOpen ? undefined : refusal);
    if (isOpen) {
      const [score, reward] = this.random.pick([...REWARDS]);
      const { participation_id } = begun.data;
      const submitted = await submit(this.platform, { post_id, participation_id }, score);
      this.expect('submit', submitted, undefined);
      campaign.spent += reward;
      campaign.answered += 1;
      const state = { bonus: 0, version: 1, isReversed: false, isErased: false };
      this.parts.push({ post_id, participation_id, respondent, reward, ...state });
    }
  }

  private async bonus(): Promise<void> {
    const { part, random } = this;
    if (part === undefined) {
      return;
    }
    const ref = random.chance(0.2) && this.refs.size > 0 ? random.pick([...this.refs.keys()]) : '';
    const used = this.refs.get(ref);
    const isSame = used !== undefined && random.chance(0.5);
    const amount = isSame ? used.amount : random.pick([1, 150, 2_575, 9_999, 100_000, 100_001]);
    const paid = isSame ? used.part : part;
    const campaign = this.campaignOf(paid);
    const refusal = (): string | undefined =>
      used !== undefined && (used.part !== paid || used.amount !== amount)
        ? 'bonus_ref_taken'
        : used !== undefined
          ? undefined
          : paid.isReversed
            ? 'participation_not_submitted'
            : paid.isErased
              ? 'response_erased'
              : paid.bonus > 0
                ? 'bonus_already_paid'
                : amount > 10 * LARGEST
                  ? 'bonus_too_large'
                  : campaign.spent + amount > campaign.budget
                    ? 'bonus_over_budget'
                    : undefined;
    const code = refusal();
    const name =
      used === undefined ? `ref ${this.refs.size + 1} ${random.below(1_000_000_000)}` : ref;
    this.expect('bonus', await payBonus(this.company.api, paid, amount / 100, name), code);
    if (code === undefined && used === undefined) {
      this.refs.set(name, { part: paid, amount });
      paid.bonus = amount;
      paid.version += 1;
      campaign.spent += amount;
      campaign.bonuses += amount;
    }
  }

  private async dispute(): Promise<void> {
    const { part, random } = this;
    if (part === undefined) {
      return;
    }
    const reason = random.pick(['Fast', 'Random']);
    const campaign = this.campaignOf(part);
    const code =
      part.dispute !== undefined
        ? part.dispute.reason === reason
          ? undefined
          : 'dispute_exists'
        : part.isReversed
          ? 'participation_not_submitted'
          : part.isErased
            ? 'response_erased'
            : campaign.share === 0
              ? 'disputes_not_offered'
              : campaign.disputed + 1 > Math.floor((campaign.share * campaign.answered) / 1_000)
                ? 'dispute_share_reached'
                : undefined;
    this.expect('dispute', await openDispute(this.company.api, part, reason), code);
    if (code === undefined && part.dispute === undefined) {
      part.dispute = { state: 'open', reason };
      part.version += 1;
      campaign.disputed += 1;
    }
  }

  /** Often one whose dispute is open. */
  private get disputed(): Part | undefined {
    const waiting = this.parts.filter(({ dispute }) => dispute?.state === 'open');
    return waiting.length > 0 && this.random.chance(0.6) ? this.random.pick(waiting) : this.part;
  }

  private async decide(isAccepted: boolean): Promise<void> {
    const part = this.disputed;
    if (part === undefined) {
      return;
    }
    const wanted = isAccepted ? 'accepted' : 'declined';
    const { dispute } = part;
    const code =
      dispute === undefined
        ? 'dispute_not_found'
        : dispute.state === 'open' || dispute.state === wanted
          ? undefined
          : 'dispute_closed';
    this.expect(wanted, await decideDispute(this.platform, part, isAccepted), code);
    if (dispute?.state === 'open') {
      this.close(part, wanted);
      if (isAccepted) {
        this.takeBack(part);
      }
    }
  }

  private close(part: Part, state: 'over' | 'accepted' | 'declined'): void {
    part.dispute!.state = state;
    part.version += 1;
  }

  private takeBack(part: Part): void {
    const campaign = this.campaignOf(part);
    campaign.spent -= part.reward + part.bonus;
    campaign.bonuses -= part.bonus;
    campaign.reversed += 1;
    part.isReversed = true;
    part.version += 1;
  }

  private async lapse(): Promise<void> {
    const part = this.disputed;
    if (part?.dispute?.state !== 'open') {
      return;
    }
    await ageDispute(service.dataSource, part, 14);
    this.close(part, 'over');
    // Stored in the background, by whoever decides too late, or by what comes next.
    const storedBy = this.random.below(3);
    if (storedBy === 0) {
      await service.app.get(DisputeLapse).look();
    } else if (storedBy === 1) {
      this.expect('late', await decideDispute(this.platform, part, true), 'dispute_closed');
    }
  }

  private async reverse(): Promise<void> {
    const { part } = this;
    if (part === undefined) {
      return;
    }
    this.expect('reverse', await reversePart(this.platform, part), undefined);
    if (!part.isReversed) {
      if (part.dispute?.state === 'open') {
        this.close(part, 'accepted');
      }
      this.takeBack(part);
    }
  }

  private async erase(): Promise<void> {
    const { part } = this;
    if (part !== undefined && this.random.chance(0.3)) {
      this.expect('erase', await eraseRespondent(this.platform, part.respondent), undefined);
      part.isErased = true;
    }
  }

  private async changeBudget(): Promise<void> {
    const [post_id, campaign] = this.random.pick([...this.campaigns]);
    const budget = Math.max(1, campaign.spent + this.random.pick([-1, 0, 2_000, 30_000]));
    const changed = await this.company.api.patch('/svc/campaign/update', {
      post_id,
      budget: budget / 100,
    });
    const code = budget < campaign.spent ? 'budget_below_spent' : undefined;
    this.expect('budget', changed, code);
    if (code === undefined) {
      campaign.budget = budget;
    }
  }

  async compare(): Promise<void> {
    const { api } = this.company;
    for (const [postId, campaign] of this.campaigns) {
      expect(await progressOf(api, postId)).toMatchObject({
        submitted: campaign.answered,
        reversed: campaign.reversed,
        spent: campaign.spent / 100,
        bonus_spent: campaign.bonuses / 100,
        disputed: campaign.disputed,
        held: 0,
      });
    }
    for (const part of this.parts.slice(-10)) {
      const read = await this.platform.get(`/svc/fielding/participation/${part.participation_id}`);
      expect(read.data).toMatchObject({
        status: part.isReversed ? 'reversed' : 'submitted',
        reward: part.reward / 100,
        bonus: part.bonus === 0 ? null : part.bonus / 100,
      });
    }
    await expectReconciled(api);
  }

  /** Each event of a response has the next version, and the last one of a campaign its sums. */
  async compareEvents(): Promise<void> {
    const total = this.parts.reduce((sum, { version }) => sum + version, 0);
    const events = (await allEvents(this.company.api, total)).filter(({ subject }) =>
      subject.startsWith('part_'),
    );
    const seen = new Map<string, number>();
    const spent = new Map<string, unknown>();
    for (const { subject, version, changes } of events) {
      expect(version).toBe((seen.get(subject) ?? 0) + 1);
      seen.set(subject, version);
      if (changes.spent !== undefined) {
        spent.set(changes.post_id!.new as string, changes.spent.new);
      }
    }
    expect(this.parts.map((each) => seen.get(each.participation_id))).toEqual(
      this.parts.map(({ version }) => version),
    );
    for (const [postId, sum] of spent) {
      expect(sum).toBe(this.campaigns.get(postId)!.spent / 100);
    }
  }
}

describe('bonuses and disputes, compared with a model', () => {
  it(
    `are what the model says after each of ${OPERATIONS} operations`,
    async () => {
      const seed = Number(process.env.MODEL_SEED ?? 20_261_128);
      const random = new Random(seed);
      const results = new Map<string, number>();
      for (let done = 0; done < OPERATIONS; done += IN_ONE_WORLD) {
        const company = await registerCompany(service.client);
        const platform = await platformClient(service, `model ${done}`);
        const world = new World(random, company, platform);
        await world.create();
        for (let n = 1; n <= Math.min(IN_ONE_WORLD, OPERATIONS - done); n += 1) {
          await world.operate();
          if (n % BETWEEN === 0) {
            await world.compare();
          }
        }
        await service.app.get(DisputeLapse).look();
        await world.compare();
        await world.compareEvents();
        world.results.forEach((count, result) => {
          results.set(result, (results.get(result) ?? 0) + count);
        });
      }
      // Both outcomes of what this is about have happened.
      expect([...results.keys()]).toEqual(
        expect.arrayContaining([
          'bonus ok',
          'dispute ok',
          'accepted ok',
          'declined ok',
          'reverse ok',
        ]),
      );
      figures('bonuses, disputes and their model', Object.fromEntries([...results].toSorted()));
    },
    60_000 + 200 * OPERATIONS,
  );
});
