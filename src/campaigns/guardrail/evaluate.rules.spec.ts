import fc from 'fast-check';
import { answerName } from './answer-looks.rules';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { QUALITY_SIGNALS } from '../questions/quality-signals.types';
import { Interval, rounded, roundedInterval } from '../../platform/statistics/interval.rules';
import { meanWithInterval } from '../../platform/statistics/mean.rules';
import {
  addToSpread,
  emptySpread,
  MeanSequence,
} from '../../platform/statistics/mean-sequence.rules';
import { wilson } from '../../platform/statistics/share.rules';
import { advance, CampaignEntry, StoredWatch, WatchingRule } from './advance.rules';
import { evaluate, Firing } from './evaluate.rules';
import type { FiredValueDto } from './guardrail.dto';
import { toCondition } from './condition.dto';
import { compares, Condition, CONFIDENCE_DEFAULT } from './condition.rules';
import { METRICS } from './metrics.rules';
import { emptyState, LogEntry } from './watch-state.rules';

const MINUTE = 60_000;

/** Entries of the log of one campaign, each response 20 seconds after the one before by default. */
function entriesOf(responses: Partial<LogEntry>[]): LogEntry[] {
  return responses.map((response, index) => ({
    seq: index + 1,
    at: 1_800_000_000_000 + index * 20_000,
    reverses: null,
    is_start: false,
    cohort: 3,
    score: 500,
    reward: 6_000,
    milliseconds: 30_000,
    quality: 0,
    spent: 6_000 * (index + 1),
    ...response,
  }));
}

function condition(fields: Partial<Condition>): Condition {
  return { metric: 'spent', op: 'gt', value: 100, minimum_responses: 1, ...fields };
}

/** Where a guardrail fires that watches everything. */
function firing(conditions: Partial<Condition>[], entries: LogEntry[]): Firing | null {
  return evaluate(conditions.map(condition), emptyState(), entries, 0).fired;
}

const seqOf = (...parameters: Parameters<typeof firing>) => firing(...parameters)?.seq ?? null;

const many = (count: number, response: Partial<LogEntry>) =>
  Array.from({ length: count }, () => response);

describe('a condition on', () => {
  it('interval_width holds once the confidence sequence is as narrow, whatever is reversed', () => {
    const [option, rating] = [LOOKS[0], LOOKS[2]];
    const responses = Array.from({ length: 1_000 }, (_, index) => ({
      answers: { [lookName(option)]: index % 2 === 0 ? 2 : 1, [lookName(rating)]: index % 11 },
    }));
    const narrow = { metric: 'interval_width', op: 'lte', confidence: 0.95 } as const;
    const share = { ...narrow, question: option.question, option: option.option, value: 0.1 };
    const mean = { ...narrow, question: rating.question, bounds: [0, 10] as Interval, value: 0.8 };
    const entries = entriesOf(responses);
    const fired = firing([share], entries)!;
    // 1.55 times as wide as Wilson's interval, which needs 381 responses.
    expect(fired.seq).toBeGreaterThan(850);
    expect(fired.seq).toBeLessThan(950);
    const [{ value, interval, responses: all }] = fired.values as [FiredValueDto];
    expect([all, value]).toEqual([fired.seq, expect.closeTo(0.1, 3)]);
    expect(interval![1] - interval![0]).toBeCloseTo(value, 5);
    expect(firing([mean], entries)!.values[0]!.interval![0]).toBeCloseTo(4.6, 1);
    // Taking responses out because of what they say would bias what is left: they stay.
    const reversals = many(200, { reverses: 1 });
    const reversed = entriesOf([...responses.slice(0, 500), ...reversals, ...responses.slice(500)]);
    expect(seqOf([share], reversed)).toBe(fired.seq + 200);
  });

  it('cohort_share looks at the last responses, or at all', () => {
    const entries = entriesOf([...many(50, { cohort: 5 }), ...many(20, { cohort: 1 })]);
    const share: Partial<Condition> = { metric: 'cohort_share', cohorts: [1, 2], value: 0.2 };
    expect(seqOf([{ ...share, last: 10 }], entries)).toBe(53);
    expect(seqOf([share], entries)).toBe(63);
    expect(seqOf([{ ...share, op: 'gte', last: 10 }], entries)).toBe(52);
  });

  it('cohort_share with a confidence needs the bound of the interval', () => {
    const entries = entriesOf([...many(40, { cohort: 5 }), ...many(40, { cohort: 1 })]);
    const fired = firing(
      [{ metric: 'cohort_share', cohorts: [1], value: 0.3, confidence: 0.95 }],
      entries,
    );
    const low = (seq: number) => wilson(seq - 40, seq)[0];
    expect(low(fired!.seq)).toBeGreaterThan(0.3);
    expect(low(fired!.seq - 1)).toBeLessThanOrEqual(0.3);
    expect(fired!.values[0]!.interval![0]).toBeCloseTo(low(fired!.seq), 6);
  });

  it('a mean compares exactly', () => {
    const scores = entriesOf([{ score: 10 }, { score: 20 }, { score: 31 }]);
    const mean = { metric: 'mean_attention', last: 3, minimum_responses: 3 } as const;
    expect(seqOf([{ ...mean, op: 'gte', value: 0.2 }], scores)).toBe(3);
    const cents = entriesOf([{ reward: 1_999 }]);
    const cost = { metric: 'cost_per_response', last: 5, value: 19.99 } as const;
    expect(seqOf([{ ...cost, op: 'gt' }], cents)).toBeNull();
    expect(seqOf([{ ...cost, op: 'gte' }], cents)).toBe(1);
  });

  it('a mean of huge amounts has the interval of its window only', () => {
    const entries = entriesOf([
      ...many(5, { reward: 100_000_000_000 }),
      ...many(10, { reward: 100 }),
      { reward: 300 },
    ]);
    const cost = { metric: 'cost_per_response', last: 5, op: 'lt', value: 3 } as const;
    const fired = firing([{ ...cost, confidence: 0.9 }], entries);
    expect(fired).toMatchObject({ seq: 10, values: [{ value: 1, interval: [1, 1] }] });
  });

  it('median_answer_seconds is the lower of two middle values', () => {
    const entries = entriesOf([10, 1, 4, 2].map((s) => ({ milliseconds: s * 1_000 })));
    const median = { metric: 'median_answer_seconds', last: 4, minimum_responses: 4 } as const;
    expect(firing([{ ...median, op: 'lte', value: 2 }], entries)!.values[0]!.value).toBe(2);
    expect(firing([{ ...median, op: 'lt', value: 2 }], entries)).toBeNull();
    expect(firing([{ ...median, op: 'gt', value: 2 }], entries)).toBeNull();
    expect(seqOf([{ ...median, op: 'gte', value: 2 }], entries)).toBe(4);
  });

  it('responses_per_hour forgets after an hour, and is not low before the first is over', () => {
    const entries = entriesOf([
      ...many(5, {}),
      { at: 1_800_000_000_000 + 59 * MINUTE },
      { at: 1_800_000_000_000 + 62 * MINUTE },
      { at: 1_800_000_000_000 + 200 * MINUTE },
    ]);
    const rate = { metric: 'responses_per_hour' } as const;
    expect(seqOf([{ ...rate, op: 'gte', value: 6 }], entries)).toBe(6);
    expect(firing([{ ...rate, op: 'lt', value: 6 }], entries)).toMatchObject({
      seq: 7,
      values: [{ value: 2, responses: 7 }],
    });
  });

  it('responses_per_hour is not low in the first hour after a start of the campaign', () => {
    const rate = { metric: 'responses_per_hour', op: 'lt', value: 6 } as const;
    const at = (minutes: number) => 1_800_000_000_000 + minutes * MINUTE;
    const entries = entriesOf([
      { at: at(0) },
      { at: at(300), is_start: true },
      ...[310, 320, 371].map((minutes) => ({ at: at(minutes) })),
    ]);
    expect(firing([rate], entries)).toMatchObject({
      seq: 5,
      values: [{ value: 2, responses: 4 }],
    });
    expect(
      seqOf(
        [rate],
        entries.filter(({ is_start }) => !is_start),
      ),
    ).toBe(3);
  });

  it('reversed_share counts reversals of what it has watched', () => {
    const entries = entriesOf([{}, {}, {}, { reverses: 1 }, { reverses: 2 }]);
    const share = { metric: 'reversed_share', value: 0.6 } as const;
    expect(seqOf([share], entries)).toBe(5);
    expect(evaluate([condition(share)], emptyState(), entries, 1).fired).toBeNull();
  });

  it('flagged_share counts the flags of one signal among the responses that have it', () => {
    const [bare, fast, straight, text] = [0, 16 + 1, 16 + 32 + 2, 16 + 128 + 8];
    const entries = entriesOf(
      [bare, fast, straight, 16, text, bare, 128, text].map((quality) => ({ quality })),
    );
    const share = { metric: 'flagged_share', op: 'gte', minimum_responses: 3 } as const;
    const values = (fields: Partial<Condition>) => firing([{ ...share, ...fields }], entries);
    expect(values({ signal: 'fast', value: 0 })).toMatchObject({
      seq: 4,
      values: [{ value: 0.333333, responses: 3 }],
    });
    expect(values({ signal: 'repeated_text', value: 0 })).toMatchObject({
      seq: 8,
      values: [{ value: 0.666667, responses: 3 }],
    });
    expect(values({ signal: 'repeated_text', value: 0, last: 4 })?.seq).toBe(8);
    expect(values({ signal: 'repeated_text', value: 0, last: 3 })).toBeNull();
    expect(values({ signal: 'straight_lining', op: 'lt', value: 1 })).toBeNull();
    expect(values({ signal: 'inconsistent', op: 'lt', value: 1, minimum_responses: 1 })).toBeNull();
    const interval = wilson(2, 3, 0.9).map((bound) => expect.closeTo(bound, 6));
    expect(
      values({ signal: 'repeated_text', value: 0.1, confidence: 0.9 })?.values[0],
    ).toMatchObject({ interval });
  });

  it('anything waits for its minimum of responses, or for all that it looks at', () => {
    const entries = entriesOf(many(60, { cohort: 1 }));
    const share: Partial<Condition> = { metric: 'cohort_share', cohorts: [1], value: 0.5 };
    expect(seqOf([{ ...share, minimum_responses: 30 }], entries)).toBe(30);
    expect(seqOf([{ ...share, last: 20, minimum_responses: 30 }], entries)).toBe(20);
  });
});

describe('a guardrail', () => {
  it('fires once all of its conditions hold at the same event', () => {
    const entries = entriesOf([
      ...many(3, { cohort: 1 }),
      ...many(4, { cohort: 5 }),
      ...many(4, { cohort: 1 }),
    ]);
    const share: Partial<Condition> = { metric: 'cohort_share', cohorts: [1], last: 2, value: 0.9 };
    const conditions = [share, { value: 300 }];
    expect(firing(conditions, entries)).toEqual({
      seq: 9,
      at: entries[8]!.at,
      values: [
        { metric: 'cohort_share', value: 1, responses: 2, interval: null },
        { metric: 'spent', value: 540, responses: 9, interval: null },
      ],
    });
  });
});

/** What conditions of random guardrails look at in the answers, and what it can be. */
const LOOKS = [
  { metric: 'option_share', question: 1, option: 'a', values: [null, 1, 2] },
  { metric: 'option_share', question: 'taste', option: 'b', values: [null, 1, 1, 2] },
  { metric: 'mean_rating', question: 3, values: [null, 0, 0.1, 2.5, 10] },
  { metric: 'mean_rating', question: 'grid', row: 'r', values: [null, 0, 1] },
  { metric: 'interval_width', question: 1, option: 'a', values: [null, 1, 2] },
  { metric: 'interval_width', question: 3, values: [null, 0, 0.1, 2.5, 10] },
] as const;

const lookName = ({ values: _, ...look }: (typeof LOOKS)[number]) => answerName(condition(look));

/** Random histories of three campaigns. */
const history = fc
  .array(
    fc.record({
      campaign: fc.nat(2),
      isReversal: fc.nat(9).map((n) => n === 0),
      is_start: fc.nat(9).map((n) => n === 0),
      cohort: fc.integer({ min: 1, max: 5 }),
      score: fc.nat(1_000),
      reward: fc.nat(20_000),
      milliseconds: fc.nat(100_000),
      quality: fc.nat(255),
      answers: fc.record(
        Object.fromEntries(
          LOOKS.map((look) => [lookName(look), fc.constantFrom<(number | null)[]>(...look.values)]),
        ),
      ),
      pause: fc.oneof(fc.nat(60_000), fc.nat(2 * 3_600_000)),
    }),
    { minLength: 1, maxLength: 120, size: 'max' },
  )
  .map((steps) => {
    let at = 1_800_000_000_000;
    const submitted: CampaignEntry[] = [];
    return steps.map(({ campaign, isReversal, pause, ...response }, index): CampaignEntry => {
      at += pause;
      const seq = 2 * index + 1;
      const ofCampaign = submitted.filter(({ post_id }) => post_id === `post_${campaign}`);
      const entry = { ...response, seq, at, post_id: `post_${campaign}`, reverses: null, spent: 0 };
      const before = ofCampaign.at(-1)?.spent ?? 0;
      if (entry.is_start) {
        return entry;
      }
      if (isReversal && ofCampaign.length > 0) {
        return { ...entry, reverses: ofCampaign[0]!.seq, spent: before };
      }
      const added = { ...entry, spent: before + response.reward };
      submitted.push(added);
      return added;
    });
  });

const anyCondition = fc
  .record({
    metric: fc.constantFrom(...(Object.keys(METRICS) as (keyof typeof METRICS)[])),
    op: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    at: fc.nat(100).map((percent) => percent / 100),
    signal: fc.constantFrom(...QUALITY_SIGNALS),
    look: fc.nat(),
    bounds: fc.option(fc.constant<Interval>([0, 10]), { nil: undefined }),
    cohorts: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    last: fc.integer({ min: 1, max: 20 }),
    withLast: fc.boolean(),
    confidence: fc.option(fc.constantFrom(0, 0.8, 0.95), { nil: undefined }),
    minimum_responses: fc.integer({ min: 1, max: 10 }),
  })
  .map(
    ({
      metric,
      op,
      at,
      cohorts,
      signal,
      look: place,
      bounds,
      last,
      withLast,
      confidence,
      minimum_responses,
    }): Condition => {
      const definition = METRICS[metric];
      const looks = LOOKS.filter((each) => each.metric === metric);
      const look = looks[place % Math.max(1, looks.length)];
      const scale = { mean_attention: 10, cost_per_response: 200, responses_per_hour: 20 };
      const typical = { spent: 2_000, median_answer_seconds: 100, ...scale } as Record<
        string,
        number
      >;
      const isWidth = metric === 'interval_width';
      const ofMean = look !== undefined && !('option' in look);
      return {
        metric,
        op: definition.operators?.[at > 0.5 ? 1 : 0] ?? op,
        value: isWidth
          ? (ofMean ? 10 : 1) * (at / 2 + 0.25)
          : Math.round(at * (typical[metric] ?? 1) * 100) / 100,
        ...(definition.cohorts === 'required' ? { cohorts } : {}),
        ...(definition.signal === 'required' ? { signal } : {}),
        ...(look && { question: look.question }),
        ...(look && 'option' in look ? { option: look.option } : {}),
        ...(look && 'row' in look ? { row: look.row } : {}),
        ...(definition.bounds && ofMean && (isWidth ? { bounds: [0, 10] } : bounds && { bounds })),
        ...(definition.last === 'required' || (definition.last === 'optional' && withLast)
          ? { last }
          : {}),
        ...(definition.confidence === 'optional' &&
        (isWidth ? confidence : confidence !== undefined)
          ? { confidence }
          : {}),
        minimum_responses,
      };
    },
  );

const anyRule = fc
  .record({
    post_id: fc.option(fc.constantFrom('post_0', 'post_1'), { nil: null }),
    conditions: fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
    since_seq: fc.nat(60),
  })
  .map((rule) => ({ ...rule, armed_seq: rule.since_seq }));

/** The firings of a guardrail if the whole history of each campaign is read at once. */
function atOnce(rule: WatchingRule, entries: CampaignEntry[]): string[] {
  const campaigns = rule.post_id === null ? ['post_0', 'post_1', 'post_2'] : [rule.post_id];
  return campaigns.flatMap((post_id) => {
    const own = entries.filter((entry) => entry.post_id === post_id);
    const { fired } = evaluate(rule.conditions, emptyState(), own, rule.since_seq);
    return fired === null ? [] : [JSON.stringify({ id: rule.guardrail_id, post_id, ...fired })];
  });
}

/** The firings of guardrails that read the log in pieces and store what they remember as JSON. */
async function inPieces(
  rules: WatchingRule[],
  entries: CampaignEntry[],
  pieces: number[],
): Promise<string[]> {
  const stored = new Map<string, StoredWatch>();
  const fired: string[] = [];
  const last = entries.at(-1)?.seq ?? 0;
  for (let at = 0, turn = 0; at < last; turn += 1) {
    const upTo = Math.min(last, at + (pieces[turn % pieces.length] ?? 1));
    const page = entries.filter(({ seq }) => seq > at && seq <= upTo);
    const next = await advance(rules, [...stored.values()], page, upTo, () => Promise.resolve());
    for (const watch of next.watches) {
      const key = `${watch.guardrail_id} ${watch.post_id}`;
      const fired_seq = stored.get(key)?.fired_seq ?? null;
      stored.set(key, JSON.parse(JSON.stringify({ ...watch, fired_seq })) as StoredWatch);
    }
    for (const { rule, post_id, seq, at: time, values } of next.firings) {
      expect(seq).toBe(next.to);
      stored.get(`${rule.guardrail_id} ${post_id}`)!.fired_seq = seq;
      fired.push(JSON.stringify({ id: rule.guardrail_id, post_id, seq, at: time, values }));
    }
    at = next.to;
  }
  return fired;
}

interface Anew {
  value: number;
  responses: number;
  interval: Interval | null;
}

/** A metric, computed from all responses so far: what evaluation has to be equal to. */
function measureAnew(condition: Condition, read: readonly LogEntry[]): Anew {
  const { metric, cohorts = [], signal, last, confidence } = condition;
  const all = read.filter(({ is_start, reverses }) => !is_start && reverses === null);
  const latest = all.slice(-(last ?? all.length));
  const share = (part: number, n: number): Anew => ({
    value: n === 0 ? 0 : part / n,
    responses: n,
    interval: confidence ? wilson(part, n, confidence) : null,
  });
  const mean = (values: number[], scale?: Interval): Anew => {
    const n = values.length;
    const value = values.reduce((sum, each) => sum + each, 0) / n / 100;
    const squaredDeviations = values.reduce((sum, each) => sum + (each / 100 - value) ** 2, 0);
    const { interval } = meanWithInterval(
      { n, sum: n * value, squaredDeviations },
      { responses: n, size: n, scale, confidence },
    );
    return { value, responses: n, interval: confidence ? interval : null };
  };
  switch (metric) {
    case 'cohort_share':
      return share(latest.filter(({ cohort }) => cohorts.includes(cohort)).length, latest.length);
    case 'flagged_share': {
      const bit = 1 << QUALITY_SIGNALS.findIndex((each) => each === signal);
      const measured = latest.filter(({ quality }) => (quality & (16 * bit)) !== 0);
      const flagged = latest.filter(({ quality }) => (quality & bit) !== 0);
      return share(flagged.length, measured.length);
    }
    case 'option_share': {
      const answers = latest.map(({ answers: all }) => all?.[answerName(condition)] ?? null);
      const answered = answers.filter((answer) => answer !== null);
      return share(answered.filter((answer) => answer === 2).length, answered.length);
    }
    case 'mean_rating': {
      const answers = latest.map(({ answers: all }) => all?.[answerName(condition)] ?? null);
      const numbers = answers.filter((answer) => answer !== null);
      return numbers.length === 0
        ? { value: 0, responses: 0, interval: null }
        : mean(
            numbers.map((number) => 100 * number),
            condition.bounds,
          );
    }
    case 'interval_width': {
      const { option, bounds = [1, 2], value } = condition;
      const [low, high] = option === undefined ? bounds : [0, 1];
      const answers = latest.map(({ answers: all }) => all?.[answerName(condition)] ?? null);
      const given = answers.filter((answer) => answer !== null);
      const spread = emptySpread();
      given.forEach((answer) => {
        addToSpread(spread, (answer - bounds[0]) / (bounds[1] - bounds[0]));
      });
      const of = option === undefined ? 'scale' : 'share';
      const sequence = new MeanSequence(value / (high - low), confidence ?? 0.95, of);
      const [from, to] = sequence.interval(spread).map((part) => low + part * (high - low));
      return { value: to! - from!, responses: given.length, interval: [from!, to!] };
    }
    case 'mean_attention':
      return mean(
        latest.map(({ score }) => score),
        [0, 10],
      );
    case 'cost_per_response':
      return mean(latest.map(({ reward }) => reward));
    case 'median_answer_seconds': {
      const times = latest.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
      const value = times[Math.ceil(times.length / 2) - 1]! / 1_000;
      return { value, responses: times.length, interval: null };
    }
    case 'reversed_share':
      return share(read.filter(({ reverses }) => reverses !== null).length, all.length);
    case 'spent':
      return { value: read.at(-1)!.spent / 100, responses: all.length, interval: null };
    case 'responses_per_hour': {
      const minutes = all.map(({ at }) => Math.floor(at / MINUTE));
      const value = minutes.filter((minute) => minute > minutes.at(-1)! - 60).length;
      return { value, responses: all.length, interval: null };
    }
  }
}

function holdsAnew(condition: Condition, read: readonly LogEntry[]): boolean {
  const { metric, op, last, minimum_responses, confidence } = condition;
  const { value, responses, interval } = measureAnew(condition, read);
  if (responses < Math.min(minimum_responses, last ?? minimum_responses)) {
    return false;
  }
  const isBelow = op === 'lt' || op === 'lte';
  if (metric === 'responses_per_hour' && isBelow) {
    const isResponse = ({ is_start, reverses }: LogEntry) => !is_start && reverses === null;
    const sinceStart = read.slice(read.findLastIndex(({ is_start }) => is_start) + 1);
    const latest = read.findLast(isResponse)!.at;
    if (latest - (sinceStart.find(isResponse)?.at ?? latest) < 60 * MINUTE) {
      return false;
    }
  }
  const passes = (bound: number) => compares(bound, condition);
  if (metric === 'interval_width') {
    return passes(value);
  }
  return passes(value) && (!confidence || (interval !== null && passes(interval[isBelow ? 1 : 0])));
}

/** Where conditions hold first, if each entry is followed by a look at everything before it. */
function firingAnew(conditions: Condition[], entries: LogEntry[]): Firing | null {
  const end = entries.findIndex(
    ({ is_start }, index) =>
      !is_start &&
      conditions.every((condition) => holdsAnew(condition, entries.slice(0, index + 1))),
  );
  if (end === -1) {
    return null;
  }
  const read = entries.slice(0, end + 1);
  const values = conditions.map((condition) => {
    const { value, interval, responses } = measureAnew(condition, read);
    return {
      metric: condition.metric,
      value: rounded(value),
      responses,
      interval: interval && roundedInterval(interval),
    };
  });
  return { seq: entries[end]!.seq, at: entries[end]!.at, values };
}

/** The metrics in each of their ways: whole or of the last responses, with each confidence. */
const WAYS = 35;

describe('an evaluation', () => {
  it('fires where one fires that computes every metric anew after each entry', () => {
    const fired = new Set<string>();
    const property = fc.property(
      history,
      fc.array(anyCondition, { minLength: 1, maxLength: 3 }),
      (entries, conditions) => {
        const own = entries.filter(({ post_id }) => post_id === 'post_0');
        const { fired: firing } = evaluate(conditions, emptyState(), own, 0);
        expect(firing).toEqual(firingAnew(conditions, own));
        conditions.forEach(({ metric, last, confidence }) => {
          if (firing !== null) {
            fired.add([metric, last && 'last', confidence && 'confidence'].join(' '));
          }
        });
      },
    );
    // Once is enough for nearly all samples; the rarest way is about one in 400 of them.
    for (let round = 0; round < 50 && fired.size < WAYS; round += 1) {
      fc.assert(property, { numRuns: 400 });
    }
    expect([...fired].toSorted()).toHaveLength(WAYS);
  });
});

/** bench/false-alarms.mjs simulates more of them. */
const CAMPAIGNS = 40;

describe('a guardrail on campaigns whose true share is its value', () => {
  it.each([
    [undefined, { strict: 0.08, usual: 0.05 }],
    [200, { strict: 0.08, usual: 0.3 }],
    [50, { strict: 0.15, usual: 0.7 }],
  ])('seldom fires by chance with the default confidence (last: %s)', (last, limits) => {
    const random = xoroshiro128plus(2026);
    const fired = new Map<number, number>();
    const share = { metric: 'cohort_share' as const, op: 'gt' as const, cohorts: [1, 2] };
    for (let campaign = 0; campaign < CAMPAIGNS; campaign++) {
      const entries = entriesOf(
        Array.from({ length: 1_000 }, () => ({
          cohort: random.next() >>> 0 < 0.3 * 2 ** 32 ? 1 : 5,
        })),
      );
      for (const confidence of [0.95, CONFIDENCE_DEFAULT]) {
        const when = toCondition({ ...share, value: 0.3, last, confidence });
        const found = firing([when], entries) !== null;
        fired.set(confidence, (fired.get(confidence) ?? 0) + Number(found));
      }
    }
    const rate = (confidence: number) => fired.get(confidence)! / CAMPAIGNS;
    expect(rate(CONFIDENCE_DEFAULT)).toBeLessThan(limits.strict);
    // Looking after each response, a usual confidence is no protection.
    expect(rate(0.95)).toBeGreaterThan(limits.usual);
  });
});

describe('guardrails that read the log in pieces', () => {
  it('fire where they fire if they read it at once', async () => {
    let firings = 0;
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(anyRule, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        async (entries, anyRules, pieces) => {
          const rules = anyRules.map((rule, index) => ({
            ...rule,
            guardrail_id: `grd_${index}`,
            name: '',
            then: 'stop' as const,
          }));
          const expected = rules.flatMap((rule) => atOnce(rule, entries));
          expect((await inPieces(rules, entries, pieces)).toSorted()).toEqual(expected.toSorted());
          firings += expected.length;
        },
      ),
      { numRuns: 300 },
    );
    expect(firings).toBeGreaterThan(100);
  });

  it('let others have their turn between portions, and read each entry once', async () => {
    const rules = Array.from({ length: 20 }, (_, index) => ({
      guardrail_id: `grd_${index}`,
      post_id: null,
      name: '',
      conditions: [condition({ value: Infinity })],
      then: 'stop' as const,
      since_seq: 0,
      armed_seq: 0,
    }));
    const entries = entriesOf(many(250, {})).map((entry) => ({ ...entry, post_id: 'post_1' }));
    let turns = 0;
    const { firings, watches } = await advance(rules, [], entries, 250, () => {
      turns += 1;
      return Promise.resolve();
    });
    expect([firings.length, watches.length, turns]).toEqual([0, 20, 19]);
  });
});
