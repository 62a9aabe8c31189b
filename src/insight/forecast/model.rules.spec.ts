import * as fc from 'fast-check';
import {
  countOutcomes,
  drawOutcome,
  Outcome,
  OutcomeCounts,
  outcomeLimits,
  Shares,
} from './attention.rules';
import { Respondents, Run, runCampaign, Terms } from './model.rules';
import { streamsOf } from '../../platform/statistics/random.rules';

const REWARDS = [300, 4_000, 6_000, 8_000, 10_000];
const SHARES: Shares = [0.1, 0.2, 0.3, 0.25, 0.15];
const UNLIMITED: Terms = { rewards: REWARDS, places: Infinity, money: Infinity };

const paidBy = ({ outcomes }: Run, rewards: readonly number[]) =>
  rewards.reduce((sum, reward, cohort) => sum + reward * outcomes[cohort + 1]!, 0);

const responsesOf = ({ outcomes }: Run) => outcomes.slice(1).reduce((sum, each) => sum + each);

/** Respondents of whom each has a known outcome. */
function respondentsWith(...outcomes: Outcome[]): Respondents {
  const left = [...outcomes];
  return {
    number: outcomes.length,
    next: () => left.shift()!,
    count: (next, counts) => {
      for (const outcome of left.splice(0, next)) {
        counts[outcome] += 1;
      }
    },
  };
}

/** Runs of a campaign with 1,000 respondents of 80% who submit. */
function* runs(terms: Terms, concurrent: number, count = 400): Generator<Run> {
  const limits = outcomeLimits(0.8, SHARES);
  const streams = streamsOf(2026);
  for (let run = 0; run < count; run += 1) {
    const draws = streams.next().value;
    const respondents: Respondents = {
      number: 1_000,
      next: () => drawOutcome(draws, limits),
      count: (next, counts) => {
        countOutcomes(draws, limits, next, counts);
      },
    };
    yield runCampaign(terms, respondents, concurrent);
  }
}

/** Expects the mean of values to be within three standard errors of an exact one. */
function expectMean(values: number[], exact: number, deviation: number): void {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(Math.abs(mean - exact)).toBeLessThan((3 * deviation) / Math.sqrt(values.length));
}

const meanReward = REWARDS.reduce((sum, reward, cohort) => sum + reward * SHARES[cohort]!, 0);
const variance =
  REWARDS.reduce((sum, reward, cohort) => sum + reward ** 2 * SHARES[cohort]!, 0) - meanReward ** 2;

describe('a run of a campaign', () => {
  it('has no variance if all rewards are equal and max_responses ends it', () => {
    const terms = { rewards: [500, 500, 500, 500, 500], places: 100, money: Infinity };
    for (const run of runs(terms, 20)) {
      expect([paidBy(run, terms.rewards), responsesOf(run), run.endedBy]).toEqual([
        50_000,
        100,
        'max_responses',
      ]);
    }
  });

  it('ends after n responses with a budget of exactly n rewards', () => {
    for (const n of [1, 7, 50]) {
      const terms = { rewards: [500, 500, 500, 500, 500], places: Infinity, money: n * 500 };
      for (const run of runs(terms, 20, 20)) {
        expect([responsesOf(run), run.endedBy]).toEqual([n, 'budget']);
      }
    }
  });

  it('costs what the closed form says, if max_responses or the respondents end it', () => {
    const ended = [...runs({ ...UNLIMITED, places: 300 }, 20)];
    expect(new Set(ended.map(({ endedBy }) => endedBy))).toEqual(new Set(['max_responses']));
    expectMean(
      ended.map((run) => paidBy(run, REWARDS)),
      300 * meanReward,
      Math.sqrt(300 * variance),
    );
    // The number who begin until 300 have submitted is negative binomial.
    expectMean(
      ended.map(({ begun }) => begun),
      300 / 0.8,
      Math.sqrt(300 * 0.2) / 0.8,
    );
    const all = [...runs(UNLIMITED, 20)];
    expect(new Set(all.map(({ endedBy }) => endedBy))).toEqual(new Set(['respondents']));
    expectMean(all.map(responsesOf), 800, Math.sqrt(1_000 * 0.8 * 0.2));
    // A compound binomial sum.
    expectMean(
      all.map((run) => paidBy(run, REWARDS)),
      800 * meanReward,
      Math.sqrt(1_000 * (0.8 * variance + 0.16 * meanReward ** 2)),
    );
  });

  it('leaves less than the largest reward if the budget ends it', () => {
    const terms = { ...UNLIMITED, money: 1_000_000 };
    for (const run of runs(terms, 20)) {
      expect(run.endedBy).toBe('budget');
      const left = 1_000_000 - paidBy(run, REWARDS);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left).toBeLessThan(10_000);
    }
  });

  it('lets nobody begin with a budget below the largest reward', () => {
    const run = runCampaign({ ...UNLIMITED, money: 9_999 }, respondentsWith(1, 1), 20);
    expect(run).toMatchObject({ begun: 0, endedBy: 'budget' });
  });

  it('waits for the first of those who answer if they hold what is left', () => {
    // 250: two hold 100 each. The first gets 3, which pays for a third one; the others get 100
    // each.
    const terms = { ...UNLIMITED, money: 25_000 };
    const run = runCampaign(terms, respondentsWith(1, 5, 5, 5), 20);
    expect(run).toMatchObject({ begun: 3, endedBy: 'budget' });
    expect(run.outcomes).toEqual([0, 1, 0, 0, 0, 2]);
  });

  it('gives the place and the money of whoever does not submit to another one', () => {
    const outcomes: Outcome[] = [0, 0, 3, 0, 4, 5];
    expect(runCampaign({ ...UNLIMITED, places: 2 }, respondentsWith(...outcomes), 1)).toMatchObject(
      {
        begun: 5,
        endedBy: 'max_responses',
      },
    );
    const poor = { ...UNLIMITED, money: 10_000 };
    expect(runCampaign(poor, respondentsWith(...outcomes), 1)).toMatchObject({
      begun: 3,
      endedBy: 'budget',
    });
  });

  it('never exceeds a limit, and ends as a step-by-step account of all holds does', () => {
    const terms = fc.record({
      rewards: fc
        .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 4 })
        .map((rewards) => [300, ...rewards]),
      places: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 30 })),
      money: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 20_000 })),
      knownAfter: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 30 })),
    });
    const outcomes = fc.array(fc.constantFrom<Outcome[]>(0, 1, 2, 3, 4, 5), { maxLength: 60 });
    fc.assert(
      fc.property(terms, outcomes, fc.integer({ min: 1, max: 10 }), (given, each, concurrent) => {
        const run = runCampaign(given, respondentsWith(...each), concurrent);
        expect(run).toEqual(accountOf(given, each, concurrent));
        expect(responsesOf(run)).toBeLessThanOrEqual(given.places);
        expect(paidBy(run, given.rewards)).toBeLessThanOrEqual(given.money);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The same, from the counters that the service keeps: taken, answered, held and spent. */
function accountOf(terms: Terms, all: Outcome[], concurrent: number): Run {
  const { rewards, places, money, knownAfter = Infinity } = terms;
  const largest = Math.max(...rewards);
  let [taken, answered, held, spent, begun] = [0, 0, 0, 0, 0];
  const outcomes: OutcomeCounts = [0, 0, 0, 0, 0, 0];
  const open: Outcome[] = [];
  const isFull = () => taken >= places || held + spent + largest > money || answered >= knownAfter;
  const finish = () => {
    const outcome = open.shift()!;
    outcomes[outcome] += 1;
    held -= largest;
    if (outcome === 0) {
      taken -= 1;
    } else {
      answered += 1;
      spent += rewards[outcome - 1]!;
    }
  };
  for (const outcome of all) {
    while (open.length > 0 && (open.length === concurrent || isFull())) {
      finish();
    }
    if (isFull()) {
      break;
    }
    open.push(outcome);
    begun += 1;
    taken += 1;
    held += largest;
  }
  while (open.length > 0) {
    finish();
  }
  const endedBy =
    answered >= knownAfter
      ? 'known_enough'
      : answered >= places
        ? 'max_responses'
        : spent + largest > money
          ? 'budget'
          : 'respondents';
  return { begun, outcomes, endedBy };
}
