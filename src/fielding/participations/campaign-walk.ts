import type { Campaign } from '../../campaigns/campaign/campaign.entity';
import type { Chunk, LiveCampaign } from './live-campaigns.service';
import { isBefore, Position, positionOf } from './position.rules';

/** Returns live campaigns after a position. */
type Source = (start: Position) => Promise<Chunk> | Chunk;

/**
 * Goes through the live campaigns of several sources, newest first, and looks at a limited number
 * of each.
 */
export class CampaignWalk {
  /** How many campaigns of each source are still to be looked at. */
  private readonly left: number[];
  private readonly found: Campaign[] = [];
  private isAtEnd = false;

  /**
   * @param position where it begins
   * @param maximum the number of campaigns of each source that it looks at
   * @param asks whether a campaign asks the respondent
   */
  constructor(
    private readonly sources: readonly Source[],
    private position: Position,
    maximum: number,
    private readonly asks: (campaign: LiveCampaign) => boolean = () => true,
  ) {
    this.left = sources.map(() => maximum);
  }

  /**
   * Returns the next campaigns with a place left, `count` of them unless no more are left or it has
   * looked at the maximum.
   */
  async next(count: number): Promise<Campaign[]> {
    while (this.found.length < count && !this.isAtEnd && !this.left.includes(0)) {
      await this.look();
    }
    return this.found.splice(0, count);
  }

  /** Where another walk continues once this one returns no more; `null` if nothing is left. */
  get end(): Position | null {
    return this.isAtEnd ? null : this.position;
  }

  private async look(): Promise<void> {
    const read = await Promise.all(this.sources.map(async (source) => source(this.position)));
    const chunks = read.map((chunk, index) => beginningOf(chunk, this.left[index] ?? 0));
    // Beyond the first end, a source may have campaigns that it has not returned.
    const ends = chunks.map(({ end }) => end).filter((end) => end !== null);
    const [reached = null] = ends.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
    const seen = chunks.map(({ campaigns }) =>
      campaigns.filter(
        ({ campaign }) => reached === null || !isBefore(reached, positionOf(campaign)),
      ),
    );
    for (const [index, { length }] of seen.entries()) {
      this.left[index] = (this.left[index] ?? 0) - length;
    }
    const open = seen.flat().filter((each) => each.isOpen && this.asks(each));
    this.found.push(
      ...open
        .map(({ campaign }) => campaign)
        .sort((a, b) => (isBefore(positionOf(a), positionOf(b)) ? -1 : 1)),
    );
    this.isAtEnd = reached === null;
    this.position = reached ?? this.position;
  }
}

/** Returns the first campaigns of a chunk. */
function beginningOf(chunk: Chunk, count: number): Chunk {
  if (chunk.campaigns.length <= count) {
    return chunk;
  }
  const campaigns = chunk.campaigns.slice(0, count);
  const last = campaigns.at(-1);
  return { campaigns, end: last === undefined ? chunk.end : positionOf(last.campaign) };
}
