import { eventually } from '../support/eventually';
import { allEvents } from '../support/feed';
import { liveSurvey } from '../support/fielding';
import { createGuardrail, spent } from '../support/guardrails';
import { KilledInstances } from '../support/killed-instances';
import { build } from '../support/process';
import { RespondentLoad } from '../support/respondents';

/** How often an instance is killed while guardrails are being stored. */
const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 3);

/** Responses between two kills. */
const BETWEEN = 60;

/** Amounts at which guardrails fire, in the units of the reward. */
const AMOUNTS = Array.from({ length: 10 }, (_, index) => 4_000 * (index + 1));

/** The position is moved, and what the guardrails remember waits to be stored. */
const STORING = { statement: 'advance_guardrails', table: 'guardrail_watch' };

beforeAll(build);

describe('guardrails under faults', () => {
  let instances: KilledInstances;

  beforeAll(async () => {
    instances = await KilledInstances.start();
  });

  afterAll(() => instances.stop());

  it('fire once, each at its response, while instances are killed as they store it', async () => {
    const { company, database } = instances;
    const postId = await liveSurvey(company);
    for (const value of AMOUNTS) {
      await createGuardrail(company.api, {
        post_id: postId,
        name: `${value}`,
        when: { all: [spent(value)] },
        then: 'notify',
      });
    }
    const load = new RespondentLoad(instances.platforms, { postId, lanes: 4, broken: true });
    const running = load.run();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = load.paid.length;
      await eventually(() => {
        expect(load.paid.length).toBeGreaterThanOrEqual(before + BETWEEN);
      });
      await instances.kill(STORING);
      load.moveTo(instances.platforms);
    }
    await eventually(() => {
      const spent = load.paid.reduce((sum, { reward }) => sum + reward, 0);
      expect(spent).toBeGreaterThan(AMOUNTS.at(-1)!);
    });
    load.stop();
    await running;
    expect(load.faults).toEqual([]);
    const { api } = instances;
    const found = await eventually(async () => {
      const [{ left }] = await database.query(
        `SELECT (SELECT count(*) FROM event WHERE seq IS NULL)
           + (SELECT s.last_seq - p.seq FROM event_sequence AS s
              JOIN guardrail_position AS p USING (company_id)) AS left`,
      );
      expect(Number(left)).toBe(0);
      return allEvents(api, 1);
    });
    const fired = found
      .filter(({ type }) => type === 'guardrail.triggered')
      .map(({ changes }) => [changes.name!.new, changes.seq!.new]);
    const expected = AMOUNTS.flatMap((value) => {
      const response = found.find(
        ({ type, changes }) => type === 'response.submitted' && Number(changes.spent!.new) > value,
      );
      return response === undefined ? [] : [[`${value}`, response.seq]];
    });
    expect(expected).toHaveLength(AMOUNTS.length);
    expect(fired).toEqual(expected);
  });
});
