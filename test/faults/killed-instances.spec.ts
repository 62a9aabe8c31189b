import type { DataSource } from 'typeorm';
import { Client, registerCompany, TestCompany } from '../support/client';
import { expectReconciled, liveSurvey } from '../support/fielding';
import { figures } from '../support/figures';
import { KilledInstances } from '../support/killed-instances';
import { build } from '../support/process';
import { recount, resultsOf, tallied } from '../support/recount';
import { RespondentLoad } from '../support/respondents';
import { countsOf, quota, setTargeting, WOMEN } from '../support/targeting';
import { createSpendingGuardrails, expectFiredOnce } from '../support/spending-guardrails';

/** How often an instance is killed in each test. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** Responses between two kills. */
const BETWEEN = 60;

/** Amounts at which guardrails fire, in the units of the reward. */
const AMOUNTS = Array.from({ length: 10 }, (_, index) => 4_000 * (index + 1));

/** The position is moved, and what the guardrails remember waits to be stored. */
const STORING_GUARDRAILS = { statement: 'advance_guardrails', table: 'guardrail_watch' };

/** A fold waits for it after it has counted and before it has stored its position. */
const STORING_RESULTS = { statement: 'fold_responses', table: 'tally' };

/** A respondent has taken some cells of quotas, and the place is not stored yet. */
const TAKING_CELLS = { statement: 'begin_participation', table: 'cell_counts' };

/** Reads results until the instance is gone: a read folds what the background would fold later. */
async function readForEver(company: Client, postId: string): Promise<never> {
  for (;;) {
    await company.get(`/svc/campaign/${postId}/results`);
  }
}

describe('instances that are killed as they store what follows from responses', () => {
  let instances: KilledInstances;
  let database: DataSource;
  let company: TestCompany;
  let postId: string;
  let load: RespondentLoad;
  let running: Promise<void>;

  beforeAll(async () => {
    build();
    instances = await KilledInstances.start();
    ({ database } = instances);
  });

  beforeEach(async () => {
    company = await registerCompany(instances.endangered);
    postId = await liveSurvey(company);
  });

  afterEach(() => {
    load.stop();
  });

  afterAll(() => instances.stop());

  /** Brings respondents to the campaign, and kills an instance in each round. */
  async function killUnderLoad(
    kill: () => Promise<unknown>,
    options: Pick<ConstructorParameters<typeof RespondentLoad>[1], 'attributesOf'> = {},
  ): Promise<void> {
    load = new RespondentLoad(instances.platforms, { postId, lanes: 8, broken: true, ...options });
    running = load.run();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await load.untilPaid(load.paid.length + BETWEEN);
      await kill();
      load.moveTo(instances.platforms);
    }
  }

  async function endLoad(): Promise<void> {
    load.stop();
    await running;
    expect(load.faults).toEqual([]);
  }

  it('fire each guardrail once, at its response', async () => {
    await createSpendingGuardrails(company.api, postId, AMOUNTS);
    await killUnderLoad(() => instances.kill(STORING_GUARDRAILS));
    await load.untilSpent(AMOUNTS.at(-1)!);
    await endLoad();
    const api = instances.survivor.with(company.api.headers);
    await expectFiredOnce(api, (statement) => database.query(statement), AMOUNTS);
  });

  it('count everybody once in the quotas, and nobody beyond a limit', async () => {
    const quotas = [
      quota('women', WOMEN, 100_000),
      quota('young', { age: [{ to: 29 }] }, 100_000),
      quota('few', { gender: ['male'], age: [{ from: 50 }] }, 5),
    ];
    expect((await setTargeting(company.api, postId, { quotas })).status).toBe(200);
    await killUnderLoad(() => instances.kill(TAKING_CELLS), {
      attributesOf: (number) => ({
        gender: number % 2 === 0 ? 'female' : 'male',
        age: 18 + (number % 40),
      }),
    });
    await endLoad();
    const api = instances.survivor.with(company.api.headers);
    await expectReconciled(api);
    const counts = await countsOf(api, postId);
    expect(counts.few).toEqual([5, 5, 0]);
    expect(counts.women![0]).toBeGreaterThan(BETWEEN / 3);
    figures('quotas under faults', { kills: ROUNDS, responses: load.paid.length });
  });

  it('count every response once in the results', async () => {
    await killUnderLoad(() => {
      const endangered = instances.endangered.with(company.api.headers);
      return Promise.all([
        expect(readForEver(endangered, postId)).rejects.toThrow(),
        instances.kill(STORING_RESULTS),
      ]);
    });
    await endLoad();
    const submitted = load.paid.length;
    const api = instances.survivor.with(company.api.headers);
    const found = await resultsOf(database, { ...company, api }, postId);
    expect(found.responses).toEqual({ submitted, reversed: 0, erased: 0, counted: submitted });
    expect(await tallied(database, company.companyId)).toEqual(
      await recount(database, company.companyId),
    );
    figures('results under faults', { kills: ROUNDS, responses: submitted });
  });
});
