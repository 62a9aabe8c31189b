import { admit, screeningNames } from '../../campaigns/targeting/admission.rules';
import {
  Attributes,
  NO_QUALIFYING_ANSWER,
  Targeting,
} from '../../campaigns/targeting/targeting.types';
import { drawBelow, Draws } from '../../platform/statistics/random.rules';

/** Respondents from whom those of all runs are drawn: a share of them is correct to 0.7 points. */
export const SAMPLE = 20_000;

/** Respondents that are compared with the rules between two turns of other requests. */
const PORTION = 1_000;

/** Respondents of whom the rules of a campaign say the same. */
export interface Group {
  /** The place of the rule that screens them out, among `Crowd.rules`; `null` for none. */
  refusedBy: number | null;
  /** The places of the quotas that they count in. */
  quotas: readonly number[];
}

/** Those who may come to a campaign with targeting. */
export interface Crowd {
  groups: readonly Group[];
  /** The part of the respondents in each group. */
  shares: readonly number[];
  /** The place of the group of each respondent of the sample. */
  sample: Uint16Array;
  /** The names of the rules that can screen respondents out. */
  rules: readonly string[];
  /** How many can still submit in each quota. */
  left: readonly number[];
  screenOuts: ScreenOuts;
}

/** What those are paid whose answers to the screening questions do not qualify. */
export interface ScreenOuts {
  /** In minor units; 0 for nothing. */
  reward: number;
  /** How many more are paid. */
  left: number;
}

/** Who comes to a campaign. */
export interface Comer {
  attributes: Attributes;
  /** Whether the answers to the screening questions qualify. */
  qualifies: boolean;
}

/** Says which group a respondent with some attributes is in; it finds further groups. */
export class Groups {
  readonly found: Group[] = [];
  readonly rules: readonly string[];
  private readonly places = new Map<string, number>();

  constructor(private readonly targeting: Targeting) {
    // A forecast does not know in which other campaigns respondents take part, nor which of the
    // answers does not qualify.
    const { qualify } = targeting;
    this.rules = screeningNames({
      ...targeting,
      ...{ exclude: null, include: null, at_most: null, screen_out_reward: null },
      qualify: qualify && { any: [] },
    });
  }

  placeOf({ attributes, qualifies }: Comer): number {
    const { targeting } = this;
    const cells = [...targeting.quotas.keys()];
    const admission = admit({ version: 0, targeting, cells, audience: null, bytes: 0 }, attributes);
    const rule = admission.refusedBy ?? (qualifies ? null : NO_QUALIFYING_ANSWER);
    const refusedBy = rule === null ? null : this.rules.indexOf(rule);
    const quotas = rule === null ? (admission.cells ?? []) : [];
    const key = `${refusedBy} ${quotas.join()}`;
    const known = this.places.get(key) ?? this.found.push({ refusedBy, quotas }) - 1;
    this.places.set(key, known);
    return known;
  }
}

/**
 * Draws respondents and compares them with the rules.
 *
 * @param left how many can still submit in each quota, and what those are paid who do not qualify
 * @param turn lets other requests have their turn; it can end the work by an error
 * @param count how many respondents to draw
 */
export async function sampleCrowd(
  targeting: Targeting,
  left: Pick<Crowd, 'left' | 'screenOuts'>,
  draw: () => Comer,
  turn: () => Promise<void>,
  count = SAMPLE,
): Promise<Crowd> {
  const groups = new Groups(targeting);
  const sample = new Uint16Array(count);
  for (let index = 0; index < count; index += 1) {
    if (index % PORTION === 0) {
      await turn();
    }
    sample[index] = groups.placeOf(draw());
  }
  const counts = groups.found.map(() => 0);
  for (const place of sample) {
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const shares = counts.map((each) => each / count);
  return { groups: groups.found, shares, sample, rules: groups.rules, ...left };
}

/** Returns what draws the place of the group of the next respondent. */
export function drawGroup({ sample }: Crowd, draws: Draws): () => number {
  return () => sample[drawBelow(draws, sample.length)] ?? 0;
}
