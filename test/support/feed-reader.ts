import type { Client } from './client';
import { FeedEvent, FeedPage, feedPage } from './feed';

/** Reads a company's feed from the beginning, each page from another instance. */
export class FeedReader {
  readonly seen: FeedEvent[] = [];
  /** Everything up to this number is accounted for. */
  to = 0;
  pages = 0;

  /**
   * @param instances clients of the same company, one for each instance
   * @param query filters and limits
   */
  constructor(
    private readonly instances: readonly Client[],
    private readonly query: Record<string, unknown> = {},
  ) {}

  /** Reads until everything is accounted for up to the number that `end` returns. */
  async readUntil(end: () => number | undefined): Promise<this> {
    while (this.to < (end() ?? Infinity)) {
      const page = await this.next();
      expect(page.covers.from).toBe(this.to + 1);
      expect(page.covers.to).toBeGreaterThanOrEqual(this.to);
      expect(page.last_seq).toBeGreaterThanOrEqual(page.covers.to);
      expect(page.has_more).toBe(page.covers.to < page.last_seq);
      // `expect` takes too long for each of many events.
      const numbers = [this.to, ...page.items.map(({ seq }) => seq), page.covers.to + 1];
      expect(numbers.every((seq, index) => index === 0 || seq > numbers[index - 1]!)).toBe(true);
      this.seen.push(...page.items);
      this.to = page.covers.to;
    }
    return this;
  }

  private next(): Promise<FeedPage> {
    const instance = this.instances[(this.pages += 1) % this.instances.length]!;
    return feedPage(instance, { wait_seconds: 1, ...this.query, after: this.to });
  }
}

/** Expects numbers 1, 2, 3 and so on, and each subject's versions in their order. */
export function expectOrder(events: readonly FeedEvent[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length);
  const versions = new Map<string, number>();
  const wrong = events.filter(({ subject, version }) => {
    const isNext = version === (versions.get(subject) ?? 0) + 1;
    versions.set(subject, version);
    return !isNext;
  });
  expect(wrong).toEqual([]);
}
