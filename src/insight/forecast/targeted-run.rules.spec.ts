import { EVERYBODY, Quota, Targeting } from '../../campaigns/targeting/targeting.types';
import { drawBelow, Draws, streamsOf } from '../../platform/statistics/random.rules';
import { drawOutcome, outcomeLimits, Shares } from './attention.rules';
import { Group, Groups, sampleCrowd } from './crowd.rules';
import { sizeOf } from './plan.rules';
import { populationOf, StatedAttribute } from './population.rules';
import { summaryOfRuns } from './runs.rules';
import { runTargeted } from './targeted-run.rules';

const SHARES: Shares = [0.1, 0.2, 0.3, 0.25, 0.15];
const REWARDS = [300, 4_000, 6_000, 8_000, 10_000];
const CAMPAIGNS = 200;
const RUNS = 200;

const turn = () => Promise.resolve();

const keyOf = ({ refusedBy, quotas }: Group) => `${refusedBy} ${quotas.join()}`;

/** A question that some do not qualify by. */
const ASKING: Partial<Targeting> = {
  screening_questions: [{ type: 'checkbox', question: 'Coffee?' }],
  qualify: { any: [{ question: 'q1', op: 'is', value: true }] },
};

/** A campaign with some screening and up to three quotas, which can overlap. */
function campaignOf(draws: Draws) {
  const limit = () => 2 + drawBelow(draws, 10);
  const quotas: Quota[] = [
    { name: 'women', when: { gender: ['female'] }, limit: limit() },
    { name: 'men', when: { gender: ['male'] }, limit: limit() },
    { name: 'old', when: { age: [{ from: 40 }] }, limit: limit() },
  ];
  const isAsking = drawBelow(draws, 2) === 0;
  const targeting: Targeting = {
    ...EVERYBODY,
    ...(isAsking && ASKING),
    attributes: [
      { name: 'gender', type: 'select', values: ['female', 'male', 'other'] },
      { name: 'age', type: 'number' },
    ],
    screening:
      drawBelow(draws, 2) === 0
        ? null
        : { all: [{ attribute: 'age', op: 'at_least', value: 18 + drawBelow(draws, 20) }] },
    quotas: quotas.slice(0, 1 + drawBelow(draws, 3)),
    other: drawBelow(draws, 2) === 0 ? 'admit' : 'refuse',
  };
  const women = (2 + drawBelow(draws, 6)) / 10;
  const stated: StatedAttribute[] = [
    {
      name: 'gender',
      shares: [
        { value: 'female', share: women },
        { value: 'male', share: 0.9 - women },
      ],
    },
    ...(drawBelow(draws, 2) === 0
      ? []
      : [{ name: 'age', shares: [{ from: 10, to: 70, share: 1 }] }]),
  ];
  const terms = {
    rewards: REWARDS,
    places: drawBelow(draws, 3) === 0 ? Infinity : 5 + drawBelow(draws, 25),
    money: drawBelow(draws, 3) === 0 ? 10_000 * (5 + drawBelow(draws, 20)) : Infinity,
  };
  const rate = isAsking ? drawBelow(draws, 10) / 10 : 1;
  const screenOuts = {
    reward: isAsking ? 100 * (1 + drawBelow(draws, 30)) : 0,
    left: drawBelow(draws, 2) === 0 ? Infinity : drawBelow(draws, 20),
  };
  const respondents = 20 + drawBelow(draws, 80);
  return { targeting, stated, rate, screenOuts, terms, respondents };
}

describe('a forecast of a campaign with targeting', () => {
  it(`is calibrated: ${CAMPAIGNS} campaigns end as it says, as often as it says`, async () => {
    const streams = streamsOf(51);
    const limits = outcomeLimits(0.8, SHARES);
    const start = { minorUnits: 100, answered: 0, spent: 0, budget: null };
    const within = { came: 0, responses: 0, cost: 0 };
    // What is expected of 0 or 1 in each campaign, what came, and the variance.
    const sums: Record<string, [expected: number, found: number, variance: number]> = {};
    const compare = (what: string, expected: number, found: number, variance: number) => {
      const sum = (sums[what] ??= [0, 0, 0]);
      [expected, found, variance].forEach((each, index) => (sum[index]! += each));
    };
    const chance = (what: string, expected: number, found: boolean) => {
      compare(what, expected, Number(found), expected * (1 - expected));
    };
    const screenOutCost: number[] = [];
    for (let index = 0; index < CAMPAIGNS; index += 1) {
      const campaign = campaignOf(streams.next().value);
      const { targeting, stated, rate, screenOuts, terms, respondents } = campaign;
      const attributesOf = populationOf(targeting, stated);
      const comerOf = (draws: Draws) => ({
        attributes: attributesOf(draws),
        qualifies: drawBelow(draws, 10) < 10 * rate,
      });
      const left = targeting.quotas.map(({ limit }) => limit);
      const draws = streams.next().value;
      const kept = { left, screenOuts };
      const crowd = await sampleCrowd(targeting, kept, () => comerOf(draws), turn, 4_000);
      const task = { terms, start, limits, concurrent: 1, crowd, streams };
      const summary = await summaryOfRuns({ ...task, runs: RUNS, respondents }, turn);
      const found = summary.targeting!;

      // One campaign, whose respondents are not from the sample.
      const own = streams.next().value;
      const actual = new Groups(targeting);
      const comers = {
        number: respondents,
        group: () => {
          const group = actual.found[actual.placeOf(comerOf(own))]!;
          return crowd.groups.findIndex((each) => keyOf(each) === keyOf(group));
        },
        outcome: () => drawOutcome(own, limits),
      };
      const run = runTargeted(terms, crowd, comers, 1);
      const submitted = run.outcomes.slice(1).reduce((sum, each) => sum + each, 0);
      const paid = run.outcomes.slice(1).reduce((sum, n, cohort) => sum + n * REWARDS[cohort]!, 0);
      const isWithin = ({ p5, p95 }: { p5: number; p95: number }, value: number) =>
        Number(p5 <= value && value <= p95);
      within.came += isWithin(found.came, run.came);
      within.responses += isWithin(summary.responses, submitted);
      within.cost += isWithin(summary.cost, (paid + run.screenOutCost!) / 100);
      compare('paid screen-outs', found.screenOuts, run.screenOuts, found.screenOuts);
      screenOutCost.push(found.screenOutCost, found.screenOuts * screenOuts.reward);
      for (const [ending, part] of Object.entries(summary.endedBy)) {
        chance(`ended by ${ending}`, part, run.endedBy === ending);
      }
      for (const [place, quota] of found.quotas.entries()) {
        chance('a quota is filled', quota.filled, run.filledAfter[place]! > 0);
        chance('a quota ends it', quota.ends, run.lastFilled === place);
      }
      found.screenedOut.forEach(({ refused }, rule) => {
        compare('screened out', refused, run.screenedOut[rule]!, refused);
      });
    }
    const [cost, expectedCost] = [0, 1].map((part) =>
      screenOutCost.filter((_, index) => index % 2 === part).reduce((sum, each) => sum + each),
    );
    expect(cost).toBeGreaterThan(0);
    expect(cost! / expectedCost!).toBeCloseTo(1, 2);
    for (const count of Object.values(within)) {
      // 0.9 of them or more, because percentiles are whole numbers; four standard deviations.
      expect(count / CAMPAIGNS).toBeGreaterThan(0.9 - 4 * Math.sqrt(0.09 / CAMPAIGNS));
    }
    expect(within.cost / CAMPAIGNS).toBeLessThan(0.99);
    for (const [what, [expected, found, variance]] of Object.entries(sums)) {
      expect([what, found, Math.abs(found - expected) < 4 * Math.sqrt(variance) + 1]).toEqual([
        what,
        found,
        true,
      ]);
    }
    for (const what of ['quotas', 'max_responses', 'budget', 'respondents']) {
      expect(sums[`ended by ${what}`]![1]).toBeGreaterThan(3);
    }
  });

  it.each(['admit', 'refuse'] as const)(
    'lets so many come that it ends, if it is to find out how many: %s',
    async (other) => {
      const targeting: Targeting = {
        ...EVERYBODY,
        attributes: [{ name: 'gender', type: 'select', values: ['female', 'male', 'other'] }],
        screening: null,
        quotas: [
          { name: 'women', when: { gender: ['female'] }, limit: 5 },
          { name: 'men', when: { gender: ['male'] }, limit: 40 },
        ],
        other,
      };
      const attributesOf = populationOf(targeting);
      const streams = streamsOf(7);
      const draws = streams.next().value;
      const kept = { left: [5, 40], screenOuts: { reward: 0, left: 0 } };
      const comer = () => ({ attributes: attributesOf(draws), qualifies: true });
      const crowd = await sampleCrowd(targeting, kept, comer, turn);
      const terms = {
        rewards: REWARDS,
        places: other === 'admit' ? 100 : Infinity,
        money: Infinity,
      };
      const expectation = { shares: SHARES, completionRate: 0.5 };
      const size = sizeOf({ runs: 1_000 }, terms, expectation, crowd);
      const start = { minorUnits: 100, answered: 0, spent: 0, budget: null };
      const limits = outcomeLimits(0.5, SHARES);
      const task = { ...size, terms, start, limits, concurrent: 20, crowd, streams };
      const { endedBy } = await summaryOfRuns(task, turn);
      expect(endedBy).toMatchObject(other === 'admit' ? { max_responses: 1 } : { quotas: 1 });
    },
  );
});
