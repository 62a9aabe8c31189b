import type { DataSource } from 'typeorm';
import { balanceOf, fund, operate, prepay } from '../support/balance';
import { createSurvey } from '../support/builders';
import { Client, registerCompany, TestCompany } from '../support/client';
import { postgresUrl } from '../support/databases';
import { eventually } from '../support/eventually';
import { expectReconciled, expire } from '../support/fielding';
import { figures } from '../support/figures';
import { Instance, Instances } from '../support/instances';
import { platformClient } from '../support/platforms';
import { Random } from '../support/targeting-model';
import { targetedSurvey } from '../support/targeting';
import { THOROUGH } from '../support/thorough';

/**
 * How many operations happen on two instances at once, by default few;
 * `MODEL_OPERATIONS=100000` runs so many.
 */
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? (THOROUGH ? 3_000 : 120));

/** Operations at the same time, after which what is said of each other is compared. */
const AT_ONCE = 8;
const BETWEEN = process.env.MODEL_OPERATIONS === undefined ? 40 : 2_000;

const COMPANIES = 2;
const CAMPAIGNS = 4;

/** What the balances say at one moment, in one statement. */
const IDENTITY = `
  SELECT b.company_id, b.available, b.funded - b.postpaid AS funded,
    b.funded = b.available + coalesce(s.allotted, 0) AS adds_up, s.exceeded
  FROM balance AS b
  LEFT JOIN LATERAL (
    SELECT sum(g.allotment) AS allotted, bool_or(g.held + g.spent > g.allotment) AS exceeded
    FROM campaign_progress AS g
    WHERE g.company_id = b.company_id AND g.allotment IS NOT NULL
  ) AS s ON true`;

interface Place {
  post_id: string;
  participation_id: string;
  who: string;
}

/** A company whose money moves, and what the test knows of it. */
class World {
  readonly results = new Map<string, number>();
  private readonly posts: string[] = [];
  private open: Place[] = [];
  private submitted: Place[] = [];
  private people = 0;
  private funded = 0;

  constructor(
    private readonly random: Random,
    private readonly company: TestCompany,
    private readonly apis: readonly Client[],
    private readonly platforms: readonly Client[],
    private readonly database: DataSource,
  ) {}

  async create(): Promise<void> {
    await prepay(this.company, 2_000, this.database);
    this.funded = 2_000;
    for (let n = 0; n < CAMPAIGNS; n += 1) {
      const limits = n % 2 === 0 ? {} : { max_responses: 1_000_000 };
      this.posts.push(
        n === 0
          ? await targetedSurvey(this.company, {
              screening_questions: [{ type: 'number', question: 'How old?', key: 'age' }],
              qualify: { all: [{ question: 'age', op: 'at_least', value: 18 }] },
              screen_out_reward: 5,
            })
          : (await createSurvey(this.company.api, limits)).post_id,
      );
    }
  }

  async operate(): Promise<void> {
    const { random } = this;
    if (random.chance(0.42)) {
      return this.begin();
    }
    return random.pick([
      () => this.submit(),
      () => this.submit(),
      () => this.submit(),
      () => this.abandon(),
      () => this.expire(),
      () => this.reverse(),
      () => this.toggle(),
      () => this.toggle(),
      () => this.move('fund', 20 + random.below(400)),
      () => this.move('refund', 1 + random.below(100)),
      () => (random.chance(0.3) ? this.erase() : this.limit()),
      () => (random.chance(0.1) ? this.switch() : this.begin()),
    ])();
  }

  /** Expects what the service says to agree with what the test has done. */
  async expectEqual(): Promise<void> {
    const { available, funded, postpaid } = await balanceOf(this.random.pick(this.apis));
    expect(available).toBeGreaterThanOrEqual(0);
    expect(Math.round(100 * (funded - postpaid))).toBe(Math.round(100 * this.funded));
    await expectReconciled(this.random.pick(this.apis));
  }

  private get platform(): Client {
    return this.random.pick(this.platforms);
  }

  private take(from: Place[]): Place | undefined {
    return from.splice(this.random.below(Math.max(1, from.length)), 1)[0];
  }

  private async begin(): Promise<void> {
    this.people += 1;
    const post_id = this.random.pick(this.posts);
    const who = `respondent ${this.people}`;
    const { status, body } = await this.platform.post('/svc/fielding/begin', {
      post_id,
      respondent_id: who,
      ...(post_id === this.posts[0] && {
        screening_answers: [{ question: 'age', value: this.random.below(40) }],
      }),
    });
    if (status === 200) {
      this.open.push({ post_id, participation_id: body.data.participation_id, who });
    }
    this.count(status === 200 ? 'begun' : (body.error?.code ?? 'unknown'));
  }

  private async step(from: Place[], path: string, more: object): Promise<Place | undefined> {
    const place = this.take(from);
    if (place !== undefined) {
      const { post_id, participation_id } = place;
      const { status } = await this.platform.post(path, { post_id, participation_id, ...more });
      this.count(`${path.slice(path.lastIndexOf('/') + 1)} ${status}`);
      return status === 200 ? place : undefined;
    }
    return undefined;
  }

  private async submit(): Promise<void> {
    const answered = { attention_score: this.random.below(10), answers: [] };
    const place = await this.step(this.open, '/svc/fielding/submit', answered);
    if (place !== undefined) {
      this.submitted.push(place);
    }
  }

  private async abandon(): Promise<void> {
    await this.step(this.open, '/svc/fielding/abandon', {});
  }

  private async reverse(): Promise<void> {
    await this.step(this.submitted, '/svc/fielding/reverse', { reason: 'x' });
  }

  private async expire(): Promise<void> {
    const place = this.take(this.open);
    if (place !== undefined) {
      await expire(this.database, place.participation_id);
      this.count('expired');
    }
  }

  private async erase(): Promise<void> {
    const place = this.take(this.submitted);
    if (place !== undefined) {
      const body = { respondent_id: place.who };
      const { status } = await this.platform.post('/svc/fielding/erase-respondent', body);
      this.count(`erase ${status}`);
    }
  }

  private async toggle(): Promise<void> {
    const post_id = this.random.pick(this.posts);
    const is_live = this.random.chance(0.7);
    const api = this.random.pick(this.apis);
    const { status, body } = await api.patch('/svc/campaign/toggle-live', { post_id, is_live });
    expect([status, body.error?.code]).toEqual(
      status === 200 ? [200, undefined] : [422, is_live ? 'balance_low' : 'never'],
    );
    this.count(`${is_live ? 'start' : 'stop'} ${status}`);
  }

  private async limit(): Promise<void> {
    const post_id = this.random.pick(this.posts);
    const reward_amount = 10 + this.random.below(150);
    const api = this.random.pick(this.apis);
    const { status } = await api.patch('/svc/campaign/update', { post_id, reward_amount });
    this.count(`update ${status}`);
  }

  private async move(kind: 'fund' | 'refund', amount: number): Promise<void> {
    const message = await fund(this.company, amount, kind, this.database).catch(
      (error: unknown) => (error as Error).message,
    );
    const isRefused = message.startsWith('--amount is more');
    expect([isRefused, message]).toEqual([isRefused && kind === 'refund', message]);
    if (!isRefused) {
      this.funded += kind === 'fund' ? amount : -amount;
    }
    this.count(isRefused ? 'refused refund' : kind);
  }

  private async switch(): Promise<void> {
    for (const action of ['postpaid', 'prepaid']) {
      await operate([action, '--company', this.company.companyId], this.database);
    }
    this.count('switched');
  }

  private count(result: string): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }
}

describe('balances, while much happens on all instances', () => {
  const instances = new Instances();
  afterAll(() => instances.drop());

  it(
    `add up at every look in ${OPERATIONS} operations`,
    async () => {
      const database = await instances.database();
      const running: Instance[] = [];
      for (let n = 0; n < (postgresUrl === undefined ? 1 : 2); n += 1) {
        running.push(await instances.start(database));
      }
      const [first] = running as [Instance];
      const at = (api: Client) =>
        running.map(({ client }) => client.withKey(api.headers['x-api-key']!));
      const random = new Random(Number(process.env.MODEL_SEED ?? 7));
      const platform = await platformClient({ dataSource: first.sql, client: first.client });
      const worlds: World[] = [];
      for (let n = 0; n < COMPANIES; n += 1) {
        const company = await registerCompany(first.client);
        const world = new World(random, company, at(company.api), at(platform), first.sql);
        await world.create();
        worlds.push(world);
      }
      const look = async () => {
        const seen = await random.pick(running).sql.query(IDENTITY);
        expect(seen).toHaveLength(COMPANIES);
        for (const each of seen) {
          expect(each).toMatchObject({ adds_up: true });
          expect(each.exceeded).not.toBe(true);
        }
      };
      for (let done = 0; done < OPERATIONS; done += AT_ONCE) {
        await Promise.all([
          ...Array.from({ length: AT_ONCE }, (_, n) => worlds[n % COMPANIES]!.operate()),
          look(),
        ]);
        if (done % BETWEEN === 0) {
          await Promise.all(worlds.map((world) => world.expectEqual()));
        }
      }
      const results = new Map<string, number>();
      for (const world of worlds) {
        await world.expectEqual();
        for (const [name, count] of world.results) {
          results.set(name, (results.get(name) ?? 0) + count);
        }
      }
      // In the end nothing is left over: what stopped campaigns do not need has gone back.
      await eventually(async () => {
        const due = await first.sql.query('SELECT FROM allotment_due WHERE NOT is_waiting');
        expect(due).toEqual([]);
      });
      await look();
      figures('balances and their model', Object.fromEntries([...results].sort()));
      expect([...results.keys()]).toEqual(
        expect.arrayContaining(
          OPERATIONS < 1_000 ? ['begun'] : ['begun', 'balance_low', 'submit 200', 'stop 200'],
        ),
      );
    },
    60_000 + 200 * OPERATIONS,
  );
});
