import { setImmediate as nextTurn } from 'node:timers/promises';
import { createSurvey, ladder } from '../support/builders';
import { Answer } from '../support/client';
import { itOnPostgres } from '../support/engines';
import { companyForAll } from '../support/fixtures';
import { untilLockWait } from '../support/lock-waits';
import { expectError } from '../support/refusals';
import { service } from '../support/service';
import { storedRewards } from '../support/stored';

/*
 * Runs on both databases, but only PostgreSQL is truly concurrent: the embedded one has one
 * connection.
 */

const CLIENTS = 12;
const ROUNDS = 12;
const AMOUNTS = [20, 33.33, 50, 99.99, 100];

const amount = (client: number, round: number) => AMOUNTS[(client + round) % AMOUNTS.length]!;

describe('a concurrent update of rewards and cohort rewards (sections 4.4, 4.5 and 8)', () => {
  const company = companyForAll();
  let post_id: string;

  beforeEach(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const update = (reward_amount: number) =>
    company.api.patch('/svc/campaign/update', { post_id, reward_amount });
  const setRewards = (cohort_5_reward: number, lowest: number) =>
    company.api.patch('/svc/campaign/cohort-rewards', {
      post_id,
      ...ladder(lowest, 1, 2, 3, cohort_5_reward),
    });

  function expectUpdated({ status, body }: Answer, reward: number): void {
    expect([status, body.data.reward_amount]).toEqual([200, reward]);
    const { cohort_5_reward, cohort_4_reward, cohort_1_reward } = body.data.cohort_rewards;
    expect([cohort_5_reward, cohort_1_reward]).toEqual([reward, 3]);
    expect(cohort_4_reward).toBeCloseTo(reward * 0.8, 2);
  }

  function expectSetOrRefused(answer: Answer, reward: number, lowest: number): void {
    if (answer.status !== 200) {
      expectError(answer, 422, 'cohort_reward_mismatch', expect.any(Array));
      return;
    }
    expect(answer.body.data.cohort_rewards).toEqual(ladder(lowest, 1, 2, 3, reward));
  }

  it('breaks neither rule in any visible version of the row', async () => {
    let running = true;
    const seen: string[][] = [];
    const watch = async () => {
      while (running) {
        seen.push(await storedRewards(service.dataSource, post_id));
        await nextTurn();
      }
    };
    const watching = [watch(), watch()];
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const reward = amount(client, round);
          if (client % 2 === 0) {
            expectUpdated(await update(reward), reward);
          } else {
            expectSetOrRefused(await setRewards(reward, 3 + round), reward, 3 + round);
          }
        }
      }),
    ).finally(() => {
      running = false;
    });
    await Promise.all(watching);
    seen.push(await storedRewards(service.dataSource, post_id));
    expect(seen.length).toBeGreaterThan(2);
    for (const [reward, five, , , , one] of seen) {
      expect(five).toBe(reward);
      expect(Number(one)).toBeGreaterThanOrEqual(3);
    }
  });

  itOnPostgres(
    'are judged by the reward that is there when the row is free, not when they were sent',
    async () => {
      const runner = service.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query(
        `UPDATE campaign SET reward_amount = 50, cohort_rewards[5] = 50 WHERE post_id = $1`,
        [post_id],
      );
      const sent = setRewards(100, 4);
      await untilLockWait(service.dataSource);
      await runner.commitTransaction();
      await runner.release();
      expectError(await sent, 422, 'cohort_reward_mismatch', expect.any(Array));
      expect(await storedRewards(service.dataSource, post_id)).toEqual([
        '50.00',
        '50.00',
        '80.00',
        '60.00',
        '40.00',
        '3.00',
      ]);
    },
  );
});
