import { liveSurvey } from '../support/fielding';
import { KilledInstances } from '../support/killed-instances';
import { build } from '../support/process';
import { RespondentLoad } from '../support/respondents';
import { createSpendingGuardrails, expectFiredOnce } from '../support/spending-guardrails';

/** How often an instance is killed while guardrails are being stored. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 2);

/** Responses between two kills. */
const BETWEEN = 60;

/** Amounts at which guardrails fire, in the units of the reward. */
const AMOUNTS = Array.from({ length: 10 }, (_, index) => 4_000 * (index + 1));

/** The position is moved, and what the guardrails remember waits to be stored. */
const STORING = { statement: 'advance_guardrails', table: 'guardrail_watch' };

beforeAll(build);

describe('guardrails under faults', () => {
  let instances: KilledInstances;
  let load: RespondentLoad;

  beforeAll(async () => {
    instances = await KilledInstances.start();
  });

  afterEach(() => {
    load.stop();
  });

  afterAll(() => instances.stop());

  it('fire once, each at its response, while instances are killed as they store it', async () => {
    const { company, database } = instances;
    const postId = await liveSurvey(company);
    await createSpendingGuardrails(company.api, postId, AMOUNTS);
    load = new RespondentLoad(instances.platforms, { postId, lanes: 4, broken: true });
    const running = load.run();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await load.untilPaid(load.paid.length + BETWEEN);
      await instances.kill(STORING);
      load.moveTo(instances.platforms);
    }
    await load.untilSpent(AMOUNTS.at(-1)!);
    load.stop();
    await running;
    expect(load.faults).toEqual([]);
    await expectFiredOnce(instances.api, (statement) => database.query(statement), AMOUNTS);
  });
});
