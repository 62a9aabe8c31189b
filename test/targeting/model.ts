import { ExpiryService } from '../../src/fielding/participations/expiry.service';
import { Client, registerCompany, TestCompany } from '../support/client';
import { earlier } from '../support/earlier';
import { expectReconciled, expire, submit } from '../support/fielding';
import { figures } from '../support/figures';
import { platformClient } from '../support/platforms';
import { service } from '../support/service';
import { tamper } from '../support/tampering';
import { countsOf, setTargeting, targetedSurvey } from '../support/targeting';
import {
  Model,
  Part,
  Random,
  someAttributes,
  someRules,
  State,
  toTargeting,
} from '../support/targeting-model';
import { THOROUGH } from '../support/thorough';

/**
 * How many operations are compared with the model: by default few, each followed by a comparison of
 * all counts; `MODEL_OPERATIONS=100000` runs so many, with a comparison after every 50.
 */
const OPERATIONS = Number(process.env.MODEL_OPERATIONS ?? (THOROUGH ? 3_000 : 100));
const BETWEEN = process.env.MODEL_OPERATIONS === undefined ? 1 : 50;

/** Operations on the campaigns of one company. */
const IN_ONE_WORLD = 1_000;
const CAMPAIGNS = 3;

const DAY = 24 * 60 * 60 * 1_000;

/** Campaigns of a company, two platforms whose respondents have the same names, and a model. */
class World {
  readonly model = new Model();
  readonly results = new Map<string, number>();
  private operations = 0;
  private posts: string[] = [];

  constructor(
    private readonly random: Random,
    private readonly company: TestCompany,
    private readonly platforms: readonly Client[],
  ) {}

  async create(): Promise<void> {
    for (let n = 0; n < CAMPAIGNS; n += 1) {
      const rules = someRules(this.random, this.posts);
      if (this.posts.length === 0) {
        delete rules.include;
        delete rules.exclude;
      }
      const postId = await targetedSurvey(this.company, toTargeting(rules));
      this.model.rules.set(postId, rules);
      this.posts.push(postId);
    }
  }

  async operate(): Promise<void> {
    this.operations += 1;
    const { random } = this;
    if (random.chance(0.45)) {
      return this.begin();
    }
    await random.pick([
      () => this.submit(),
      () => this.submit(),
      () => this.submit(),
      () => this.leave('abandoned', (api, part) => api.post('/svc/fielding/abandon', idsOf(part))),
      () => this.expire(),
      () =>
        this.step('submitted', 'reversed', (api, part) =>
          api.post('/svc/fielding/reverse', { ...idsOf(part), reason: 'x' }),
        ),
      () => this.erase(),
      () => this.change(),
      () => this.pass(),
    ])();
  }

  async expectEqual(): Promise<void> {
    for (const postId of this.posts) {
      const counts = await countsOf(this.company.api, postId);
      expect([this.operations, counts]).toEqual([this.operations, this.model.counts(postId)]);
      const { progress } = (await this.company.api.get(`/svc/campaign/${postId}`)).data;
      const paid = this.model.screenedOut(postId);
      expect([progress.screened_out, progress.screen_out_spent]).toEqual([
        paid.length,
        paid.reduce((sum, each) => sum + each, 0),
      ]);
    }
    await expectReconciled(this.company.api);
    // What the results have counted must be left by a reversal or an erasure.
    expect((await this.company.api.get(`/svc/campaign/${this.posts[0]}/results`)).status).toBe(200);
  }

  private apiOf(who: string): Client {
    return this.platforms[Number(who[0])]!;
  }

  private async begin(): Promise<void> {
    const { model, random } = this;
    // Newcomers all the time, and some who come again.
    const name = random.below(12) + 4 * Math.floor(this.operations / 30);
    const who = `${random.below(2)} ${name}`;
    const postId = random.pick(this.posts);
    const attributes = someAttributes(random);
    const known = model.find(who, postId);
    const before = Date.now();
    const answer = random.below(10);
    const asks = model.rulesOf(postId).least !== undefined;
    const { status, body } = await this.apiOf(who).post('/svc/fielding/begin', {
      post_id: postId,
      respondent_id: String(name),
      attributes,
      ...(asks && { screening_answers: [{ question: 'n', value: answer }] }),
    });
    const { code, rule, reward } = body.error ?? {};
    const result =
      status === 200
        ? 'begun'
        : [code, rule, reward].filter((each) => each !== undefined).join(' ');
    this.count(known ? `${known.state === 'screened_out' ? 'refused' : 'begun'} again` : result);
    if (known?.state === 'screened_out') {
      expect([this.operations, code, reward]).toEqual([
        this.operations,
        'screened_out',
        known.reward,
      ]);
      return;
    }
    if (known) {
      expect([this.operations, result, body.data.participation_id]).toEqual([
        this.operations,
        'begun',
        known.participation_id,
      ]);
      return;
    }
    // A minute can end meanwhile.
    const expected = [before, Date.now()].map(
      (now) => model.refusal(who, postId, attributes, now, answer) ?? 'begun',
    );
    expect([this.operations, expected]).toEqual([
      this.operations,
      expect.arrayContaining([result]),
    ]);
    if (reward !== undefined) {
      model.screenOuts.set(postId, [...model.screenedOut(postId), reward]);
      const part = { who, post_id: postId, participation_id: '', begunAt: before, cells: [] };
      model.parts.push({ ...part, state: 'screened_out', reward });
      this.count('screened out');
    }
    if (status === 200) {
      const { participation_id, begun_at } = body.data;
      const cells = model.matching(postId, attributes);
      const begunAt = Date.parse(begun_at);
      model.begin({ who, post_id: postId, participation_id, state: 'open', begunAt, cells });
    }
  }

  /** Takes a step with somebody who is in a state, if there is anybody. */
  private async step(
    from: State,
    to: State,
    take: (api: Client, part: Part) => Promise<{ status: number }>,
  ): Promise<Part | undefined> {
    const part = this.random.pick(this.model.parts.filter(({ state }) => state === from)) as
      Part | undefined;
    if (part !== undefined) {
      const { status } = await take(this.apiOf(part.who), part);
      expect([this.operations, to, status]).toEqual([this.operations, to, 200]);
      part.state = to;
      this.count(to);
    }
    return part;
  }

  private async leave(to: State, take: Parameters<World['step']>[2]): Promise<void> {
    await this.step('open', to, take);
  }

  private async submit(): Promise<void> {
    const score = this.random.below(10);
    const part = await this.step('open', 'submitted', (api, each) => submit(api, each, score));
    if (part !== undefined) {
      part.cohort = Math.floor(score / 2) + 1;
    }
  }

  private async expire(): Promise<void> {
    await this.leave('expired', async (_, part) => {
      await expire(service.dataSource, part.participation_id);
      part.begunAt -= 2 * 60 * 60 * 1_000;
      await service.app.get(ExpiryService, { strict: false }).look();
      return { status: 200 };
    });
  }

  private async erase(): Promise<void> {
    const part = this.random.pick(this.model.parts) as Part | undefined;
    if (part !== undefined && this.random.chance(0.5)) {
      const body = { respondent_id: part.who.slice(2) };
      const { status } = await this.apiOf(part.who).post('/svc/fielding/erase-respondent', body);
      expect(status).toBe(200);
      this.model.erase(part.who);
      this.count('erased');
    }
  }

  private async change(): Promise<void> {
    const { model, random } = this;
    const postId = random.pick(this.posts);
    const rules = someRules(
      random,
      this.posts.filter((each) => each !== postId),
    );
    const isBelow = rules.quotas.some(({ name, limit }) => model.taken(postId, name) > limit);
    const { status, body } = await setTargeting(this.company.api, postId, toTargeting(rules));
    expect([status, body.error?.code]).toEqual(
      isBelow ? [422, 'quota_below_taken'] : [200, undefined],
    );
    this.count(isBelow ? 'refused rules' : 'new rules');
    if (!isBelow) {
      model.rules.set(postId, rules);
    }
  }

  /** Lets minutes pass for a pace, or days for somebody. */
  private async pass(): Promise<void> {
    const { model, random } = this;
    const postId = random.pick(this.posts);
    const minutes = random.pick([1, 20, 61]);
    const change = (statement: string, parameters: unknown[]) =>
      tamper(service.dataSource, (session) => session.query(statement, parameters));
    await change(
      `UPDATE begin_pace SET minute = minute - $1 WHERE campaign_id =
         (SELECT id FROM campaign WHERE post_id = $2)`,
      [minutes, postId],
    );
    model.passMinutes(postId, minutes);
    // The results have counted the times of those who have submitted.
    const uncounted = model.parts.filter(
      ({ cohort, state }) => cohort === undefined && state !== 'screened_out',
    );
    const part = random.pick(uncounted) as Part | undefined;
    if (part !== undefined) {
      await change(
        `UPDATE participation SET ${earlier("interval '24 hours'", 'begun_at')}
         WHERE participation_id = stored_id($1)`,
        [part.participation_id],
      );
      part.begunAt -= DAY;
    }
  }

  private count(result: string): void {
    const name = result.replace(/ quota \d/, '');
    this.results.set(name, (this.results.get(name) ?? 0) + 1);
  }
}

const idsOf = ({ post_id, participation_id }: Part) => ({ post_id, participation_id });

describe('targeting, compared with a model,', () => {
  it(
    `agrees in ${OPERATIONS} operations`,
    async () => {
      const results = new Map<string, number>();
      const seed = Number(process.env.MODEL_SEED ?? 4);
      for (let done = 0; done < OPERATIONS;) {
        const random = new Random(seed + done);
        const platforms = [
          await platformClient(service, `panel-${done}-one`),
          await platformClient(service, `panel-${done}-two`),
        ];
        const world = new World(random, await registerCompany(service.client), platforms);
        await world.create();
        const end = Math.min(OPERATIONS, done + IN_ONE_WORLD);
        for (; done < end; done += 1) {
          await world.operate();
          if (done % BETWEEN === 0) {
            await world.expectEqual();
          }
        }
        await world.expectEqual();
        for (const [name, count] of world.results) {
          results.set(name, (results.get(name) ?? 0) + count);
        }
      }
      figures('targeting and its model', Object.fromEntries([...results].sort()));
      expect([...results.keys()]).toEqual(
        expect.arrayContaining(['begun', 'submitted', 'erased', 'refused again']),
      );
    },
    60_000 + 200 * OPERATIONS,
  );
});
