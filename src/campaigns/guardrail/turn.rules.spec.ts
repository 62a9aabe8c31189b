import type { CampaignEntry, WatchingRule } from './advance.rules';
import { withinTurn } from './turn.rules';

const rule = (last: number | undefined, post_id: string | null = null): WatchingRule => ({
  guardrail_id: 'grd_1',
  post_id,
  name: 'A rule',
  conditions: [{ metric: 'mean_attention', op: 'lt', value: 3, last, minimum_responses: 30 }],
  then: 'stop',
  since_seq: 0,
  armed_seq: 0,
});

/** An entry of each of so many campaigns, with every second number, and one more of the first. */
const entriesOf = (campaigns: number): CampaignEntry[] =>
  [...Array(campaigns).keys(), 0].map(
    (campaign, index) => ({ post_id: `post_${campaign}`, seq: 2 * index + 1 }) as CampaignEntry,
  );

const rules = (count: number, ...parameters: Parameters<typeof rule>) =>
  Array.from({ length: count }, () => rule(...parameters));

describe('a turn of the guardrails', () => {
  it('reads what all campaigns together can remember in one statement', () => {
    const entries = entriesOf(100);
    const cut = withinTurn(rules(20, 1_000), entries, 500);
    // 20 windows of 1,000 a campaign.
    expect(cut.entries).toEqual(entries.slice(0, 9));
    expect(cut.upTo).toBe(entries[9]!.seq - 1);
  });

  it.each([
    ['they remember little', rules(20, undefined), 100],
    ['they watch one of the campaigns', rules(20, 1_000, 'post_7'), 100],
    ['there is one campaign, whatever it remembers', rules(1_000, 1_000), 1],
  ])('reads everything where %s', (_, given, campaigns) => {
    const entries = entriesOf(campaigns);
    expect(withinTurn(given, entries, 500)).toEqual({ entries, upTo: 500 });
  });
});
