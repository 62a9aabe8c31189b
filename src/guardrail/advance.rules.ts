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

/**
 * Continues all guardrails of a company with the next entries of its log. It stops at the first
 * event at which any of them fires, so that what follows is in a transaction of its own. A pure
 * function.
 *
 * @param entries of the campaigns that the guardrails watch, in the order of the log
 * @param upTo the number of the last event that was looked at
 */
export function advance(
  rules: readonly WatchingRule[],
  stored: readonly StoredWatch[],
  entries: readonly CampaignEntry[],
  upTo: number,
): Advance {
  const watching = watchingOf(rules, stored, entries);
  const first = watching.reduce((least, each) => {
    const { fired } = continueWith(each, least);
    return Math.min(least, fired?.seq ?? least);
  }, upTo);
  const advanced = watching
    .filter(({ entries: [next] }) => next !== undefined && next.seq <= first)
    .map((each) => ({ each, ...continueWith(each, first) }));
  return {
    to: first,
    watches: advanced.map(({ each: { rule, post_id, since }, state, fired }) => ({
      guardrail_id: rule.guardrail_id,
      post_id,
      since_seq: since,
      state: fired === null ? state : null,
    })),
    firings: advanced.flatMap(({ each: { rule, post_id }, fired }) =>
      fired === null ? [] : [{ rule, post_id, ...fired }],
    ),
  };
}

function continueWith({ rule, state, entries, since }: Watching, upTo: number) {
  const read = entries.filter(({ seq }) => seq <= upTo);
  return evaluate(rule.conditions, state, read, since);
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
