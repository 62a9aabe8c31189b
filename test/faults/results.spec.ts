import type { Client } from '../support/client';
import { liveSurvey } from '../support/fielding';
import { figures } from '../support/figures';
import { KilledInstances } from '../support/killed-instances';
import { build } from '../support/process';
import { recount, resultsOf, tallied } from '../support/recount';
import { RespondentLoad } from '../support/respondents';

/** How often an instance is killed in the middle of a fold. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** Responses between two kills. */
const BETWEEN = 60;

/** A fold waits for it after it has counted and before it has stored its position. */
const STORING = { statement: 'fold_responses', table: 'tally' };

/** Reads results until the instance is gone: a read folds what the background would fold later. */
async function readForEver(company: Client, postId: string): Promise<never> {
  for (;;) {
    await company.get(`/svc/campaign/${postId}/results`);
  }
}

beforeAll(build);

describe('results under faults', () => {
  let instances: KilledInstances;
  let load: RespondentLoad;

  beforeAll(async () => {
    instances = await KilledInstances.start();
  });

  afterEach(() => {
    load.stop();
  });

  afterAll(() => instances.stop());

  it('count every response once while instances are killed in the middle of a fold', async () => {
    const { company, database } = instances;
    const postId = await liveSurvey(company);
    load = new RespondentLoad(instances.platforms, { postId, lanes: 8, broken: true });
    const running = load.run();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await load.untilPaid(load.paid.length + BETWEEN);
      await Promise.all([
        expect(readForEver(instances.endangered, postId)).rejects.toThrow(),
        instances.kill(STORING),
      ]);
      load.moveTo(instances.platforms);
    }
    load.stop();
    await running;
    expect(load.faults).toEqual([]);
    const { api } = instances;
    const submitted = load.paid.length;
    const found = await resultsOf(database, { ...company, api }, postId);
    expect(found.responses).toEqual({ submitted, reversed: 0, erased: 0, counted: submitted });
    expect(await tallied(database, company.companyId)).toEqual(
      await recount(database, company.companyId),
    );
    figures('results under faults', { kills: ROUNDS, responses: submitted });
  });
});
