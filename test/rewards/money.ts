import { array, assert, asyncProperty, bigInt, integer, oneof } from 'fast-check';
import { createSurvey } from '../support/builders';
import { companyForAll } from '../support/fixtures';
import { expectInvalid } from '../support/refusals';
import { service } from '../support/service';
import { storedRewards } from '../support/stored';

const RUNS = { numRuns: 25 };
const MAXIMUM_CENTS = 100_000_000_000n;

/** Amounts in hundredths; small ones are as likely as large ones. */
const cents = (minimum: bigint) =>
  oneof(bigInt(minimum, minimum + 10_000n), bigInt(minimum, MAXIMUM_CENTS));

/** Hundredths as decimal text; all arithmetic here is on whole numbers. */
const decimal = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;

const share = (amount: bigint, percent: bigint) => (amount * percent + 50n) / 100n;

describe('money, exact decimal from the request to the database and back', () => {
  const company = companyForAll();
  let post_id: string;

  beforeAll(async () => {
    ({ post_id } = await createSurvey(company.api));
  });

  const update = (literal: string) =>
    company.api.patch(
      '/svc/campaign/update',
      `{"post_id":"${post_id}","reward_amount":${literal}}`,
    );
  const rewards = () => storedRewards(service.dataSource, post_id);

  it('is stored as any reward_amount, with its cohort rewards rounded half up (sections 2.3 and 4.4)', async () => {
    await assert(
      asyncProperty(cents(1n), async (reward) => {
        const { status, body } = await update(decimal(reward));
        const ladder = [reward, share(reward, 80n), share(reward, 60n), share(reward, 40n), 300n];
        expect(status).toBe(200);
        expect(await rewards()).toEqual([reward, ...ladder].map(decimal));
        const { reward_amount, cohort_rewards: answered } = body.data;
        expect(reward_amount).toBe(Number(decimal(reward)));
        expect(
          [5, 4, 3, 2, 1].map((cohort) => answered[`cohort_${cohort}_reward`].toFixed(2)),
        ).toEqual(ladder.map(decimal));
      }),
      RUNS,
    );
  });

  it('is stored as any five cohort rewards (section 4.5)', async () => {
    await assert(
      asyncProperty(
        cents(1n),
        cents(300n),
        array(cents(0n), { minLength: 3, maxLength: 3 }),
        async (reward, lowest, between) => {
          await update(decimal(reward));
          const [two, three, four] = between as [bigint, bigint, bigint];
          const sent = [lowest, two, three, four, reward];
          const members = sent.map((amount, at) => `"cohort_${at + 1}_reward":${decimal(amount)}`);
          const { data } = await company.api.patch(
            '/svc/campaign/cohort-rewards',
            `{"post_id":"${post_id}",${members.join(',')}}`,
          );
          expect(await rewards()).toEqual([reward, ...sent.toReversed()].map(decimal));
          expect(Object.values<number>(data.cohort_rewards).map((each) => each.toFixed(2))).toEqual(
            sent.map(decimal),
          );
        },
      ),
      RUNS,
    );
  });

  it('is refused with more than two decimal places rather than rounded', async () => {
    await update('12.34');
    await assert(
      asyncProperty(
        bigInt(1n, MAXIMUM_CENTS - 1n),
        integer({ min: 1, max: 9 }),
        integer({ min: 0, max: 15 }),
        async (amount, digit, zeros) => {
          const answer = await update(`${decimal(amount)}${'0'.repeat(zeros)}${digit}`);
          expectInvalid(answer, { reward_amount: 'too_precise' });
          expect((await rewards())[0]).toBe('12.34');
        },
      ),
      RUNS,
    );
  });

  it('is accepted with zeros beyond two places, which change nothing', async () => {
    for (const literal of ['45.600', '45.60000000000000000000', '0.4560e2', '4560E-2']) {
      expect((await update(literal)).body.data.reward_amount).toBe(45.6);
      expect((await rewards())[0]).toBe('45.60');
    }
  });
});
