import { MEN, quota, WOMEN } from './targeting';

/*
 * What targeting promises, as simply as it can be said: lists that are filtered for each question.
 * The service must give the same results.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const GENDERS = ['female', 'male', 'other'];
const AGES = [17, 18, 25, 34, 35, 50];

/** A small generator, so that a failure can be repeated with its seed. */
export class Random {
  constructor(private state: number) {}

  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  chance(share: number): boolean {
    return this.below(1_000) < 1_000 * share;
  }
}

export type State = 'open' | 'submitted' | 'abandoned' | 'expired' | 'reversed' | 'screened_out';

/** A participation of somebody who is not erased. */
export interface Part {
  who: string;
  post_id: string;
  participation_id: string;
  state: State;
  cohort?: number;
  /** Of one who is screened out. */
  reward?: number;
  begunAt: number;
  /** The quotas that it counts in. */
  cells: string[];
}

type Quota = ReturnType<typeof quota>;

export interface Rules {
  quotas: Quota[];
  other: 'admit' | 'refuse';
  exclude?: { campaigns: string[] | 'all'; within_days?: number };
  include?: { campaign: string; cohorts?: number[] };
  at_most?: { responses: number; per_days: number };
  at_most_per_hour?: number;
  /** Asks for a number, which must be at least this one. */
  least?: number;
  screen_out_reward?: number;
  maximum_screen_outs?: number;
}

/** The rules as the service takes them. */
export const toTargeting = ({ least, ...rules }: Rules): Record<string, unknown> =>
  least === undefined
    ? rules
    : {
        ...rules,
        screening_questions: [{ type: 'number', key: 'n', question: 'Which number?', minimum: 0 }],
        qualify: { all: [{ question: 'n', op: 'at_least', value: least, name: 'least' }] },
      };

export const someAttributes = (random: Random) => ({
  gender: random.pick(GENDERS),
  age: random.pick(AGES),
});

/** Rules of a campaign, which name others. */
export function someRules(random: Random, others: readonly string[]): Rules {
  const names = [0, 1, 2, 3, 4].filter(() => random.chance(0.4));
  const quotas = names.map((name) => {
    const from = random.pick([0, 18, 25]);
    const gender = random.pick([WOMEN, MEN, {}, {}]);
    const age = [{ from, to: from + random.pick([7, 16, 40]) }];
    return quota(`quota ${name}`, { ...gender, age }, 1 + random.below(6));
  });
  const days = { within_days: random.pick([1, 3]) };
  const include = random.chance(0.12) && {
    campaign: random.pick(others),
    ...(random.chance(0.5) && { cohorts: [4, 5] }),
  };
  const exclude = random.chance(0.4) && {
    campaigns: random.chance(0.5) ? ('all' as const) : [random.pick(others)],
    ...((include !== false || random.chance(0.5)) && days),
  };
  return {
    quotas,
    other: random.chance(0.8) ? 'admit' : 'refuse',
    ...(include !== false && { include }),
    ...(exclude !== false && { exclude }),
    ...(random.chance(0.3) && {
      at_most: { responses: 1 + random.below(3), per_days: random.pick([1, 3]) },
    }),
    ...(random.chance(0.4) && { at_most_per_hour: 1 + random.below(8) }),
    ...(random.chance(0.5) && {
      least: 1 + random.below(9),
      ...(random.chance(0.8) && {
        screen_out_reward: random.pick([0.25, 3]),
        ...(random.chance(0.5) && { maximum_screen_outs: 1 + random.below(6) }),
      }),
    }),
  };
}

function matches({ when }: Quota, attributes: Record<string, unknown>): boolean {
  return Object.entries(when).every(([name, choices]) =>
    choices.some((choice: any) =>
      typeof choice === 'string'
        ? attributes[name] === choice
        : Number(attributes[name]) >= choice.from && Number(attributes[name]) <= choice.to,
    ),
  );
}

/** The campaigns of one company, and who has taken part. */
export class Model {
  readonly rules = new Map<string, Rules>();
  readonly parts: Part[] = [];
  /** What was paid in each campaign to those who did not qualify; also to those who are erased. */
  readonly screenOuts = new Map<string, number[]>();
  /** The minutes in which respondents have begun each campaign that had a pace. */
  private readonly begins = new Map<string, number[]>();

  /** Those who count in a quota, in some states. */
  private counted(postId: string, name: string, ...states: State[]): number {
    return this.parts.filter(
      (part) => part.post_id === postId && part.cells.includes(name) && states.includes(part.state),
    ).length;
  }

  taken(postId: string, name: string): number {
    return this.counted(postId, name, 'open', 'submitted');
  }

  /** The counts of each quota of a campaign, as `name: [taken, submitted, remaining]`. */
  counts(postId: string): Record<string, number[]> {
    return Object.fromEntries(
      this.rulesOf(postId).quotas.map(({ name, limit }) => {
        const taken = this.taken(postId, name);
        return [name, [taken, this.counted(postId, name, 'submitted'), limit - taken]];
      }),
    );
  }

  rulesOf(postId: string): Rules {
    return this.rules.get(postId)!;
  }

  find(who: string, postId: string): Part | undefined {
    return this.parts.find((part) => part.who === who && part.post_id === postId);
  }

  matching(postId: string, attributes: Record<string, unknown>): string[] {
    const own = this.rulesOf(postId).quotas.filter((each) => matches(each, attributes));
    return own.map(({ name }) => name);
  }

  /** Returns what refuses who would begin at a time, as the code and the rule. */
  refusal(
    who: string,
    postId: string,
    attributes: Record<string, unknown>,
    now: number,
    answer: number,
  ): string | undefined {
    const { quotas, other, at_most_per_hour = Infinity, least = 0 } = this.rulesOf(postId);
    const own = this.matching(postId, attributes);
    if (own.length === 0 && quotas.length > 0 && other === 'refuse') {
      return 'screened_out other';
    }
    const rule = this.audienceRefusal(who, this.rulesOf(postId), now);
    if (rule !== undefined) {
      return `screened_out ${rule}`;
    }
    if (this.recent(postId, now) >= at_most_per_hour) {
      return 'pace_reached';
    }
    if (answer < least) {
      const reward = this.screenOutReward(postId);
      return reward === undefined ? 'screened_out least' : `screened_out least ${reward}`;
    }
    const full = quotas.find(
      ({ name, limit }) => own.includes(name) && this.taken(postId, name) >= limit,
    );
    return full && `quota_full ${full.name}`;
  }

  /** What the next one is paid whose answer does not qualify; nothing once all are paid. */
  screenOutReward(postId: string): number | undefined {
    const { screen_out_reward, maximum_screen_outs = Infinity } = this.rulesOf(postId);
    return this.screenedOut(postId).length < maximum_screen_outs ? screen_out_reward : undefined;
  }

  screenedOut(postId: string): number[] {
    return this.screenOuts.get(postId) ?? [];
  }

  private audienceRefusal(who: string, { exclude, include, at_most }: Rules, now: number) {
    const history = this.parts.filter((part) => part.who === who && part.state !== 'screened_out');
    const since = (days = Infinity) => history.filter(({ begunAt }) => begunAt > now - days * DAY);
    const isNamed = ({ post_id }: Part) =>
      exclude!.campaigns === 'all' || exclude!.campaigns.includes(post_id);
    if (exclude && since(exclude.within_days).some(isNamed)) {
      return 'exclude';
    }
    const isIncluded = ({ post_id, state, cohort }: Part) =>
      post_id === include!.campaign &&
      state === 'submitted' &&
      (include!.cohorts === undefined || include!.cohorts.includes(cohort!));
    if (include && !history.some(isIncluded)) {
      return 'include';
    }
    const isResponse = ({ state }: Part) => ['open', 'submitted', 'reversed'].includes(state);
    return at_most && since(at_most.per_days).filter(isResponse).length >= at_most.responses
      ? 'at_most'
      : undefined;
  }

  /** How many begins count for the pace of a campaign. */
  recent(postId: string, now: number): number {
    const current = Math.floor(now / MINUTE);
    return (this.begins.get(postId) ?? []).filter((minute) => minute >= current - 60).length;
  }

  begin(part: Part): void {
    this.parts.push(part);
    if (this.rulesOf(part.post_id).at_most_per_hour !== undefined) {
      const minutes = this.begins.get(part.post_id) ?? [];
      this.begins.set(part.post_id, [...minutes, Math.floor(part.begunAt / MINUTE)]);
    }
  }

  /** Lets minutes pass for the pace of a campaign. */
  passMinutes(postId: string, minutes: number): void {
    const before = this.begins.get(postId) ?? [];
    this.begins.set(
      postId,
      before.map((minute) => minute - minutes),
    );
  }

  /** Forgets who somebody is. */
  erase(who: string): void {
    for (const [index, part] of [...this.parts.entries()].reverse()) {
      if (part.who === who) {
        this.parts.splice(index, 1);
      }
    }
  }
}
