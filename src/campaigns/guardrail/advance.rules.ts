import { evaluate, Firing } from './evaluate.rules';
import type { GuardrailAction } from './guardrail.types';
import type { Condition } from './condition.rules';
import { emptyState, LogEntry, WatchState } from './watch-state.rules';

/** A guardrail as the evaluation reads it. */
export interface WatchingRule {
  guardrail_id: string;
  /** `null` for all campaigns. */
  post_id: string | null;
  name: string;
  conditions: Condition[];
  then: GuardrailAction;
  /** It watches what comes after this event. */
  since_seq: number;
  /** Where it fired after this event, it stays fired. */
  armed_seq: number;
}

/** What a guardrail has stored about a campaign. */
export interface StoredWatch {
  guardrail_id: string;
  post_id: string;
  since_seq: number;
  state: WatchState | null;
  fired_seq: number | null;
}

/** An entry of the log with its campaign. */
export interface CampaignEntry extends LogEntry {
  post_id: string;
}

export interface FiredRule extends Firing {
  rule: WatchingRule;
  post_id: string;
}

/** What the next events of the log lead to. */
export interface Advance {
  /** The last event that is read: the first one at which something fires. */
  to: number;
  watches: Pick<StoredWatch, 'guardrail_id' | 'post_id' | 'since_seq' | 'state'>[];
  firings: FiredRule[];
}

/** One guardrail on one campaign, with the entries that it has not read. */
interface Watching {
  rule: WatchingRule;
  post_id: string;
  since: number;
  state: WatchState;
  entries: CampaignEntry[];
}

/** Entries that guardrails evaluate between two turns of other requests. */
const PORTION = 250;

/**
 * Continues all guardrails of a company with the next entries of its log. It stops at the first
 * event at which any of them fires, so that what follows is in a transaction of its own. What it
 * returns depends on its parameters only.
 *
 * @param entries of the campaigns that the guardrails watch, in the order of the log
 * @param upTo the number of the last event that was looked at
 * @param turn lets other requests have their turn
 */
export async function advance(
  rules: readonly WatchingRule[],
  stored: readonly StoredWatch[],
  entries: readonly CampaignEntry[],
  upTo: number,
  turn: () => Promise<void>,
): Promise<Advance> {
  let evaluated = 0;
  const continueWith = async (each: Watching, last: number) => {
    const next = each.entries.filter(({ seq }) => seq <= last);
    evaluated += next.length;
    if (evaluated > PORTION) {
      await turn();
      evaluated = next.length;
    }
    return evaluate(each.rule.conditions, each.state, next, each.since);
  };
  let first = upTo;
  const continued = [];
  for (const each of watchingOf(rules, stored, entries)) {
    const outcome = await continueWith(each, first);
    first = outcome.fired?.seq ?? first;
    continued.push({ each, outcome, to: first });
  }
  const watches: Advance['watches'] = [];
  const firings: FiredRule[] = [];
  for (const { each, outcome, to } of continued) {
    if ((each.entries[0]?.seq ?? Infinity) > first) {
      continue;
    }
    // What was evaluated before the first firing was found can include what follows it.
    const { state, fired } = to === first ? outcome : await continueWith(each, first);
    const { rule, post_id, since } = each;
    watches.push({
      guardrail_id: rule.guardrail_id,
      post_id,
      since_seq: since,
      state: fired === null ? state : null,
    });
    if (fired !== null) {
      firings.push({ rule, post_id, ...fired });
    }
  }
  return { to: first, watches, firings };
}

/** The guardrails that are armed on each campaign with entries. */
function watchingOf(
  rules: readonly WatchingRule[],
  stored: readonly StoredWatch[],
  entries: readonly CampaignEntry[],
): Watching[] {
  const byCampaign = new Map<string, CampaignEntry[]>();
  for (const entry of entries) {
    const known = byCampaign.get(entry.post_id) ?? [];
    known.push(entry);
    byCampaign.set(entry.post_id, known);
  }
  const keyOf = (guardrailId: string, postId: string) => `${guardrailId} ${postId}`;
  const watches = new Map(stored.map((watch) => [keyOf(watch.guardrail_id, watch.post_id), watch]));
  return [...byCampaign].flatMap(([post_id, ofCampaign]) =>
    rules
      .filter((rule) => rule.post_id === null || rule.post_id === post_id)
      .flatMap((rule) => {
        const watch = watches.get(keyOf(rule.guardrail_id, post_id));
        const since = Math.max(rule.since_seq, watch?.since_seq ?? 0);
        const armed = Math.max(rule.armed_seq, watch?.since_seq ?? 0);
        if ((watch?.fired_seq ?? 0) > armed) {
          return [];
        }
        // What it remembers from before it was armed again does not count.
        const remembered = watch?.since_seq === since ? watch.state : null;
        return [
          {
            rule,
            post_id,
            since,
            state: remembered ?? emptyState(),
            entries: ofCampaign.filter(({ seq }) => seq > since),
          },
        ];
      }),
  );
}
