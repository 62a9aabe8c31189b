import type { CampaignEntry, WatchingRule } from './advance.rules';
import { needsOf, partsOf } from './evaluate.rules';

/** Values of windows that one turn reads and stores again, a megabyte or two. */
const VALUES_MAXIMUM = 200_000;

/** About as many values as the rest of a state takes. */
const STATE_VALUES = 50;

/**
 * Returns the first entries whose campaigns one turn can remember, and the number of the last event
 * that is then looked at. What a turn stores is every guardrail's whole memory of each campaign, so
 * a few events of many campaigns can be too much for one statement. One campaign always fits.
 *
 * @param upTo the number of the last event that was read
 */
export function withinTurn(
  rules: readonly WatchingRule[],
  entries: readonly CampaignEntry[],
  upTo: number,
): { entries: readonly CampaignEntry[]; upTo: number } {
  const sizes = rules.map(({ post_id, conditions }) => ({
    watched: post_id,
    values: partsOf(conditions)
      .flatMap((part) => [STATE_VALUES, ...needsOf(part.conditions).window.values()])
      .reduce((a, b) => a + b),
  }));
  const campaigns = new Set<string>();
  let values = 0;
  for (const [index, { post_id, seq }] of entries.entries()) {
    if (campaigns.has(post_id)) {
      continue;
    }
    values += sizes
      .filter(({ watched }) => watched === null || watched === post_id)
      .reduce((sum, size) => sum + size.values, 0);
    if (values > VALUES_MAXIMUM && campaigns.size > 0) {
      return { entries: entries.slice(0, index), upTo: seq - 1 };
    }
    campaigns.add(post_id);
  }
  return { entries, upTo };
}
