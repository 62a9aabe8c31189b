import { Answer, Client } from './client';

/** An event, as the feed returns it. */
export interface FeedEvent {
  seq: number;
  event_id: string;
  type: string;
  subject: string;
  version: number;
  actor: { type: string; id: string };
  created_at: string;
  changes: Record<string, { old: unknown; new: unknown }>;
}

/** A page of the feed. */
export interface FeedPage {
  items: FeedEvent[];
  covers: { from: number; to: number };
  last_seq: number;
  has_more: boolean;
}

const FEED = '/svc/event/list';

/** Requests a page of the feed. */
export function askFeed(api: Client, query: Record<string, unknown> = {}): Promise<Answer> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return api.get(search === '' ? FEED : `${FEED}?${search}`);
}

/** Returns a page of the feed. */
export async function feedPage(
  api: Client,
  query: Record<string, unknown> = {},
): Promise<FeedPage> {
  return (await askFeed(api, query)).data as FeedPage;
}

/**
 * Returns all events once the company has at least this many, and expects numbers without a gap.
 */
export async function allEvents(api: Client, count: number): Promise<FeedEvent[]> {
  const events: FeedEvent[] = [];
  for (let after = 0; ;) {
    const page = await feedPage(api, { after, limit: 1_000, wait_seconds: 5 });
    expect(page.covers.from).toBe(after + 1);
    events.push(...page.items);
    after = page.covers.to;
    if (!page.has_more && after >= count) {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      return events;
    }
    expect(page.items.length).toBeGreaterThan(0);
  }
}
