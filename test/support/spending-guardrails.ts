import type { Client } from './client';
import { eventually } from './eventually';
import { allEvents } from './feed';
import { createGuardrail, spent } from './guardrails';

/** What runs a statement. */
type Query = (statement: string) => Promise<any[]>;

const UNNUMBERED = 'SELECT count(*)::integer AS left FROM unnumbered_event';

const UNREAD = `
  SELECT coalesce(sum(s.last_seq - p.seq), 0)::integer AS left
  FROM event_sequence AS s JOIN guardrail_position AS p USING (company_id)`;

/** Creates guardrails of a campaign that report when it has spent more than each amount. */
export async function createSpendingGuardrails(
  api: Client,
  post_id: string,
  amounts: readonly number[],
): Promise<void> {
  for (const value of amounts) {
    await createGuardrail(api, {
      post_id,
      name: `${value}`,
      when: { all: [spent(value)] },
      then: 'notify',
    });
  }
}

/** Expects each of them to have fired once, at the first response that passed its amount. */
export async function expectFiredOnce(
  api: Client,
  query: Query,
  amounts: readonly number[],
): Promise<void> {
  const found = await eventually(async () => {
    for (const statement of [UNNUMBERED, UNREAD]) {
      const [{ left }] = await query(statement);
      expect(left).toBe(0);
    }
    return allEvents(api, 1);
  });
  const fired = found
    .filter(({ type }) => type === 'guardrail.triggered')
    .map(({ changes }) => [changes.name!.new, changes.seq!.new]);
  const expected = amounts.map((value) => {
    const passed = found.find(
      ({ type, changes }) => type === 'response.submitted' && Number(changes.spent!.new) > value,
    );
    return [`${value}`, passed?.seq];
  });
  expect(fired).toEqual(expected);
}
