import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { boundedPage, Found } from '../../platform/database/bounded-page';
import { storedId, StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { EVENT_CAMPAIGN } from '../../platform/event/event.columns';
import { Event } from '../../platform/event/event.entity';
import { eventWithId } from '../../platform/event/event-with-id';
import { refuseArchived, refuseBeyond, Sequence } from '../../platform/event/feed-position.rules';
import { SequencerService } from '../../platform/event/sequencer.service';
import { EventFilter, WaitingReaders } from '../../platform/event/waiting-readers.service';

/** How many events one page with filters looks at, whatever they leave out of it. */
const SCAN_MAXIMUM = 5_000;

const SEQUENCE = 'SELECT first_seq, last_seq FROM event_sequence WHERE company_id = $1';

/**
 * Numbers have no gaps, so a stretch of them has a known number of rows. Even an empty page has a
 * row, with the first number: events that are archived meanwhile must not look like none.
 */
const feedPage = (columns: string, limit: number) => `
  SELECT page.*, sequence.first_seq
  FROM event_sequence AS sequence
  LEFT JOIN (${feedEvents(columns, limit)}) AS page ON true
  WHERE sequence.company_id = $1
  ORDER BY page.seq`;

const feedEvents = (columns: string, limit: number) =>
  boundedPage({
    rows: `
      SELECT ${columns}, octet_length(changes::text) AS bytes
      FROM event
      WHERE company_id = $1 AND seq > $2 AND seq <= $3
        AND ($4::text[] IS NULL OR type = ANY ($4)) AND ($5::uuid IS NULL OR subject = $5)
        AND ($6::text IS NULL OR subject = $7::uuid OR ${EVENT_CAMPAIGN} = $6)`,
    order: 'seq',
    limit,
  });

/** Which events to read. */
export interface FeedQuery extends EventFilter {
  /** The number of the last event that the reader knows; 0 for none. */
  after: number;
  limit: number;
  /** How long to wait for an event, in seconds. */
  waitSeconds: number;
}

/** A page of the feed, which accounts for the events with the numbers `from` to `to`. */
export interface FeedPage {
  items: Event[];
  from: number;
  /** One less than `from` if the page accounts for no event. */
  to: number;
  lastSeq: number;
  /** Whether the reader has waited, so that its credential may have ended meanwhile. */
  waited: boolean;
}

@Injectable()
export class FeedService {
  constructor(
    @InjectRepository(Event) private readonly events: Repository<Event>,
    private readonly readers: WaitingReaders,
    private readonly campaigns: CampaignService,
    private readonly sequencer: SequencerService,
  ) {}

  /**
   * Returns a page of a company's events after a number, in the order of their numbers. If there is
   * none, it waits for one. A page looks at a limited number of events, so it can be empty although
   * there are more to read.
   *
   * @param gone is aborted when the client no longer waits
   * @throws ApiError `feed_position_unknown` if the company has no event with the number `after`,
   *   `feed_position_expired` if events after it are in an archive, `campaign_not_found` or
   *   `campaign_not_owned` if there is none of the campaign
   */
  async read(
    companyId: StoredId,
    { waitSeconds, ...query }: FeedQuery,
    gone: AbortSignal,
  ): Promise<FeedPage> {
    const end = performance.now() + waitSeconds * 1_000;
    const { types, subject, postId } = query;
    let waited = false;
    await this.sequencer.settle(companyId);
    let page = await this.page(companyId, query);
    if (postId !== undefined && page.items.length === 0) {
      await this.campaigns.findOwned(companyId, postId);
    }
    while (page.items.length === 0 && page.to === page.lastSeq) {
      const left = end - performance.now();
      if (left <= 0) {
        break;
      }
      waited = true;
      const { woken, seen } = await this.readers.wait(
        companyId,
        page.to,
        { types, subject, postId },
        left,
        gone,
      );
      if (!woken) {
        page = { ...page, to: seen, lastSeq: seen };
        break;
      }
      page = await this.page(companyId, { ...query, after: seen });
    }
    return { ...page, from: query.after + 1, waited };
  }

  /**
   * Returns the event with this identifier. Like {@link read}, it numbers first what is committed.
   *
   * @throws ApiError `event_not_found`
   */
  async find(companyId: StoredId, id: string): Promise<Event> {
    await this.sequencer.settle(companyId);
    return eventWithId(this.events, companyId, id);
  }

  private async page(
    companyId: StoredId,
    { after, types, subject, postId, limit }: Omit<FeedQuery, 'waitSeconds'>,
  ): Promise<Omit<FeedPage, 'from' | 'waited'>> {
    const [sequence] = await this.events.query<Sequence[]>(SEQUENCE, [companyId]);
    const lastSeq = Number(sequence?.last_seq ?? 0);
    refuseBeyond(lastSeq, { after });
    refuseArchived('after', after, sequence);
    if (after === lastSeq) {
      return { items: [], to: after, lastSeq };
    }
    // Without a filter, the numbers say which events the page has: a plan may read all it looks at.
    const isFiltered = [types, subject, postId].some((filter) => filter !== undefined);
    const scanned = Math.min(lastSeq, after + (isFiltered ? SCAN_MAXIMUM : limit));
    const found = await this.events.query<(Sequence & Found & Record<string, unknown>)[]>(
      feedPage(columnList(this.events), limit),
      [
        companyId,
        after,
        scanned,
        types ?? null,
        subject ?? null,
        postId ?? null,
        postId === undefined ? null : storedId('post', postId),
      ],
    );
    refuseArchived('after', after, found[0]);
    const rows = found.filter(({ seq }) => seq !== null);
    const items = rows.slice(0, limit).map((row) => toEntity(this.events, row));
    const isCut = (rows[0]?.found ?? 0) > items.length;
    return { items, to: isCut ? Number(items.at(-1)?.seq) : scanned, lastSeq };
  }
}
