import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { Campaign } from '../../campaigns/campaign/campaign.entity';
import { CampaignType, SURVEY_FORMATS } from '../../campaigns/campaign/campaign.types';
import { NOT_DUE } from '../../campaigns/campaign/status.columns';
import type { StoredId } from '../../platform/database/identifiers';
import { TargetingRules } from '../../campaigns/targeting/targeting-rules.service';
import type { Rules } from '../../campaigns/targeting/targeting.types';
import { TIME_TO_LIVE } from '../../platform/database/recent-reads';
import { toEntity } from '../../platform/database/rows';
import { modeIs } from '../../platform/caller/environment.rules';
import { isBefore, Position, positionOf } from './position.rules';

/** How many campaigns are read at once: enough for most pages, whatever they skip. */
const CHUNK = 100;

/** Bytes of chunks that are kept, and the number that a look-up compares a position with. */
const BYTES_MAXIMUM = 16 * 1024 * 1024;
const CHUNKS_MAXIMUM = 100;

/** Bytes of a campaign besides its texts, which take two for each character. */
const CAMPAIGN_BYTES = 1_000;

const COLUMNS = `c.company_id, c.id, c.post_id, c.type, c.format, c.title, c.description, c.category,
  c.tagline, c.thumbnail_url, c.duration_seconds, c.ends_at, c.created_at,
  c.currency, c.largest_reward, c.targeting_version, c.review_days, c.maximum_dispute_share,
  CASE WHEN c.targeting_version IS NOT NULL THEN (
    SELECT array_agg(q.cell::integer) FROM cell_counts AS g
    CROSS JOIN LATERAL unnest(g.taken, g.maximums) WITH ORDINALITY AS q (taken, maximum, cell)
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id AND q.taken >= q.maximum
  ) END AS full_cells,
  CASE WHEN c.targeting_version IS NOT NULL THEN (
    SELECT recent_begins(b.minute, b.begun, clock_timestamp())::integer FROM begin_pace AS b
    WHERE b.company_id = c.company_id AND b.campaign_id = c.id
  ) END AS recent_begins,
  CASE WHEN c.targeting_version IS NOT NULL THEN (
    SELECT g.screened_out FROM campaign_progress AS g
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id
  ) END AS screened_out`;

/**
 * The places are a scalar subquery, which reads an index for each campaign. PostgreSQL would plan a
 * join by its statistics, and these do not know how many of the newest campaigns have limits.
 */
const IS_OPEN = `(${NOT_DUE} AND (
    SELECT has_place(g.max_responses, least(g.budget, g.allotment), g.taken, g.held, g.spent,
      c.largest_reward)
    FROM campaign_progress AS g
    WHERE g.company_id = c.company_id AND g.campaign_id = c.id
  ) IS NOT FALSE) AS is_open`;

/** One more row than a chunk shows whether there is a next one. */
const NEWEST_FIRST = `ORDER BY created_at DESC, id DESC LIMIT ${CHUNK + 1}`;

/** Live campaigns after a position. The condition matches a range of one index. */
const selectFrom = (condition: string) => `
  SELECT ${COLUMNS}, ${IS_OPEN}
  FROM campaign AS c
  WHERE ${condition} AND (c.created_at, c.id) < ($1::timestamptz, $2::bigint)
  ${NEWEST_FIRST}`;

/** Of all companies. A cluster sends it to each shard as it is, so it has no part of its own. */
const ofAll = (type: CampaignType) =>
  selectFrom(`c.is_live AND ${modeIs('live', 'c.company_id')} AND c.type = '${type}'`);

/** Of the company in the third parameter, each kind from its range of the index of its lists. */
function ofCompany(types: readonly CampaignType[]): string {
  const kinds = types.flatMap((type) => (type === 'survey' ? SURVEY_FORMATS : [type]));
  const selects = kinds.map((kind) =>
    selectFrom(
      `c.company_id = $3 AND coalesce(c.format, c.type) = '${kind}' AND c.status = 'live'`,
    ),
  );
  const all = selects.map((select) => `(${select})`).join(' UNION ALL ');
  return `SELECT * FROM (${all}) AS each ${NEWEST_FIRST}`;
}

/** A live campaign, and whether a respondent who has not begun it could. */
export interface LiveCampaign {
  campaign: Campaign;
  isOpen: boolean;
  /**
   * Whom it asks, its quotas without a place, and whether it still pays who does not qualify. It is
   * absent if the campaign asks everybody.
   */
  target?: { rules: Rules; full: ReadonlySet<number>; isPaying: boolean };
}

/** The live campaigns between two positions, newest first, those without a place included. */
export interface Chunk {
  campaigns: readonly LiveCampaign[];
  /** Where the next chunk begins; `null` if there is none. */
  end: Position | null;
}

/** A chunk that serves later requests, also those that continue in the middle of it. */
interface KeptChunk extends Chunk {
  type: CampaignType;
  start: Position;
}

interface Reading {
  began: number;
  chunk: Promise<Chunk>;
}

type Row = Record<string, unknown> & {
  is_open: boolean;
  full_cells: number[] | null;
  recent_begins: number | null;
  screened_out: number | null;
};

/**
 * Reads live campaigns in chunks. Those of all companies are the same for every respondent, and ask
 * every shard of a cluster, so requests share what was read less than a second ago. Whether a
 * campaign is live and has a place left is decided again when a respondent begins it.
 */
@Injectable()
export class LiveCampaigns {
  private readonly kept = new LRUCache<string, KeptChunk>({
    max: CHUNKS_MAXIMUM,
    maxSize: BYTES_MAXIMUM,
    sizeCalculation: bytesOf,
    ttl: TIME_TO_LIVE,
  });
  private readonly reading = new Map<string, Reading>();

  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly targeting: TargetingRules,
  ) {}

  /**
   * Returns the live campaigns of a type after a position, of all companies, as they were at most
   * 900 ms before the call.
   */
  ofAll(type: CampaignType, start: Position): Promise<Chunk> | Chunk {
    for (const chunk of this.kept.values()) {
      if (chunk.type === type && contains(chunk, start)) {
        return { ...chunk, campaigns: chunk.campaigns.filter(follows(start)) };
      }
    }
    const key = `${type} ${start.join(' ')}`;
    const now = performance.now();
    const reading = this.reading.get(key);
    if (reading !== undefined && now - reading.began < TIME_TO_LIVE) {
      return reading.chunk;
    }
    const chunk = this.readAndKeep(key, type, start, now).finally(() => {
      if (this.reading.get(key)?.began === now) {
        this.reading.delete(key);
      }
    });
    this.reading.set(key, { began: now, chunk });
    return chunk;
  }

  /** Returns the live campaigns of some types after a position, of one company, as they are now. */
  ofCompany(id: StoredId, types: readonly CampaignType[], start: Position): Promise<Chunk> {
    return this.read(ofCompany(types), [...parametersOf(start), id]);
  }

  private async readAndKeep(
    key: string,
    type: CampaignType,
    start: Position,
    began: number,
  ): Promise<Chunk> {
    const chunk = await this.read(ofAll(type), parametersOf(start));
    this.kept.set(key, { ...chunk, type, start }, { start: began });
    return chunk;
  }

  private async read(statement: string, parameters: unknown[]): Promise<Chunk> {
    const rows = await this.campaigns.query<Row[]>(statement, parameters);
    const found = rows.slice(0, CHUNK).map((row) => toEntity(this.campaigns, row));
    const rules = await this.targeting.readAll(found);
    const campaigns = found.map((campaign, index): LiveCampaign => {
      const own = rules.get(campaign.id);
      const { is_open = false, full_cells, ...counted }: Partial<Row> = rows[index] ?? {};
      if (own === undefined) {
        return { campaign, isOpen: is_open };
      }
      const { at_most_per_hour, maximum_screen_outs } = own.targeting;
      const isPaced = (counted.recent_begins ?? 0) >= (at_most_per_hour ?? Infinity);
      const isPaying = (counted.screened_out ?? 0) < (maximum_screen_outs ?? Infinity);
      const target = { rules: own, full: new Set(full_cells), isPaying };
      return { campaign, isOpen: is_open && !isPaced, target };
    });
    const last = rows.length > CHUNK ? campaigns.at(-1) : undefined;
    return { campaigns, end: last === undefined ? null : positionOf(last.campaign) };
  }
}

const parametersOf = ([time, id]: Position): unknown[] => [new Date(time), id];

const follows =
  (start: Position) =>
  ({ campaign }: LiveCampaign): boolean =>
    isBefore(start, positionOf(campaign));

/** Whether a chunk has what comes next after a position. */
function contains({ start, end }: KeptChunk, position: Position): boolean {
  return !isBefore(position, start) && (end === null || isBefore(position, end));
}

function bytesOf({ campaigns }: Chunk): number {
  return campaigns.reduce(
    (sum, { campaign: { title, description, category, tagline, thumbnailUrl }, target }) =>
      sum +
      CAMPAIGN_BYTES +
      (target?.rules.bytes ?? 0) +
      2 * [title, description, category, tagline, thumbnailUrl ?? ''].join('').length,
    CAMPAIGN_BYTES,
  );
}
