import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import { CAMPAIGN_TYPES, CampaignType, SURVEY_FORMATS } from '../campaign/campaign.types';
import { NOT_DUE } from '../campaign/status.columns';
import { toEntity } from '../database/rows';
import {
  cutPage,
  fromTimeKey,
  LAST_ID,
  Page,
  readCursor,
  toTimeKey,
  writeCursor,
} from '../http/cursor';
import { modeIs } from '../http/environment.rules';
import type { Principal } from '../http/principal';
import { PAGE_LIMIT_DEFAULT } from '../validation/page-query.dto';
import { platformOf } from './campaign-owners.service';
import { FieldingListQueryDto } from './fielding-list.dto';
import { FieldingKeys } from './fielding-keys.service';

const COLUMNS = `c.company_id, c.id, c.post_id, c.type, c.format, c.title, c.description, c.category,
  c.tagline, c.thumbnail_url, c.duration_seconds, c.ends_at, c.created_at,
  c.currency, c.largest_reward`;

/**
 * How many live campaigns of each kind one page looks at, 2,000 in all, whatever it skips. Most
 * pages are full after the first look. It is short because finding its end reads the index up to
 * there.
 */
const LOOKS = [200, 600, 1_200];

const ORDER = 'ORDER BY created_at DESC, id DESC';
const INDEX_ORDER = 'ORDER BY c.created_at DESC, c.id DESC';

/** Which live campaigns a list is of, as conditions that each match a range of one index. */
type Kinds = readonly string[];

/** Those of all companies, as the index of live campaigns has them. */
const liveCampaigns = (types: readonly CampaignType[]): Kinds =>
  types.map((type) => `c.is_live AND ${modeIs('live', 'c.company_id')} AND c.type = '${type}'`);

/** Those of the company in the fourth parameter, as the index of a company's lists has them. */
const ownCampaigns = (types: readonly CampaignType[]): Kinds =>
  types
    .flatMap((type) => (type === 'survey' ? SURVEY_FORMATS : [type]))
    .map(
      (kind) =>
        `c.company_id = $4 AND coalesce(c.format, c.type) = '${kind}' AND c.status = 'live'`,
    );

/** The campaigns of a kind after a position. */
const candidates = (kind: string) => `
  FROM campaign AS c
  WHERE ${kind} AND (c.created_at, c.id) < ($2::timestamptz, $3::bigint)`;

/**
 * Up to `limit` campaigns that a respondent can begin, newest first, among the next `count` live
 * ones of each kind. It skips what the respondent has begun and what has no place left for the
 * moment.
 *
 * Each row has the position that all kinds were looked at up to, whose `id` is 0 if nothing is
 * left. Without a campaign there is one row, with the position only.
 *
 * The conditions are scalar subqueries, which read an index for each campaign. PostgreSQL would
 * plan a NOT EXISTS as a join, by its statistics, and these do not know who has begun thousands of
 * campaigns.
 *
 * The numbers are part of the text, as in every list.
 */
function lookAt(count: number, kinds: Kinds, limit: number): string {
  // One more than the identifier, because that campaign itself is still to be looked at.
  const nextOf = (kind: string) => `(
    SELECT c.created_at, c.id + 1 AS id ${candidates(kind)}
    ${INDEX_ORDER} OFFSET ${count} LIMIT 1
  )`;
  const foundOf = (kind: string) => `(
    SELECT ${COLUMNS} ${candidates(kind)} AND ${NOT_DUE}
      AND (c.created_at, c.id) >= ((SELECT created_at FROM reached), (SELECT id FROM reached))
      AND (
        SELECT true FROM participation AS p
        WHERE p.respondent = $1 AND p.company_id = c.company_id AND p.campaign_id = c.id
      ) IS NOT TRUE
      AND (
        SELECT has_place(g.max_responses, g.budget, g.taken, g.held, g.spent, c.largest_reward)
        FROM campaign_progress AS g
        WHERE g.company_id = c.company_id AND g.campaign_id = c.id
      ) IS NOT FALSE
    ${INDEX_ORDER} LIMIT ${limit}
  )`;
  const end = 'SELECT to_timestamp(0), 0';
  return `
    WITH reached AS (
      SELECT created_at, id FROM (${[...kinds.map(nextOf), end].join(' UNION ALL ')}) AS position
      ${ORDER} LIMIT 1
    )
    SELECT reached.created_at AS reached_at, reached.id AS reached_id, found.*
    FROM reached LEFT JOIN (
      SELECT * FROM (${kinds.map(foundOf).join(' UNION ALL ')}) AS each ${ORDER} LIMIT ${limit}
    ) AS found ON true
    ORDER BY found.created_at DESC, found.id DESC`;
}

/** Where a list continues: with campaigns that are older, or as old with a lower identifier. */
type Position = readonly [createdAt: Date, id: string];

/** Before every campaign. */
const NEWEST: Position = [fromTimeKey('9999999999999'), LAST_ID];

type Row = Record<string, unknown> & { id: string | null; reached_at: Date; reached_id: string };

@Injectable()
export class FieldingListService {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Returns a page of the live campaigns that a respondent can begin: those of all companies for a
   * platform, those of its own for a test key. It looks at a limited number of
   * campaigns, so it can be short or empty although there are more.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    caller: Principal,
    { respondent_id, type, limit = PAGE_LIMIT_DEFAULT, cursor }: FieldingListQueryDto,
  ): Promise<Page<Campaign>> {
    const respondent = this.keys.hashRespondent(platformOf(caller), respondent_id);
    const list = { respondent: respondent.toString('hex'), type };
    const types = CAMPAIGN_TYPES.filter((each) => type === undefined || each === type);
    const isPlatform = caller.platform !== undefined;
    const kinds = isPlatform ? liveCampaigns(types) : ownCampaigns(types);
    const items: Campaign[] = [];
    let position =
      cursor === undefined ? NEWEST : positionOf(readCursor(cursor, list, ['number', 'number']));
    for (const count of LOOKS) {
      const rows = await this.campaigns.query<[Row, ...Row[]]>(lookAt(count, kinds, limit + 1), [
        respondent,
        ...position,
        ...(isPlatform ? [] : [caller.callerId]),
      ]);
      const found = rows.filter(({ id }) => id !== null);
      items.push(...found.map((row) => toEntity(this.campaigns, row)));
      const [{ reached_at, reached_id }] = rows;
      if (items.length > limit || reached_id === '0') {
        return cutPage(items, limit, ({ createdAt, id }) => sortKeyOf([createdAt, id]), list);
      }
      position = [reached_at, reached_id];
    }
    return { items, nextCursor: writeCursor(sortKeyOf(position), list) };
  }
}

function sortKeyOf([createdAt, id]: Position): [string, string] {
  return [toTimeKey(createdAt), id];
}

/** Reads a position from a cursor. */
function positionOf([time, id = '']: readonly string[]): Position {
  return [fromTimeKey(time), id];
}
