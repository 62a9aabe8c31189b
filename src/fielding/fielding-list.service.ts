import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Campaign } from '../campaign/campaign.entity';
import { CAMPAIGN_TYPES, CampaignType } from '../campaign/campaign.types';
import { NOT_DUE } from '../campaign/status.columns';
import { toEntity } from '../database/rows';
import { cutPage, Page, readCursor } from '../http/cursor';
import type { Principal } from '../http/principal';
import { PAGE_LIMIT_DEFAULT } from '../validation/page-query.dto';
import { FieldingListQueryDto } from './fielding-list.dto';
import { FieldingKeys } from './fielding-keys.service';

const LADDER = [1, 2, 3, 4, 5].map((cohort) => `cohort_${cohort}_reward`).join(', ');

const COLUMNS = `c.company_id, c.id, c.post_id, c.type, c.format, c.title, c.description, c.category,
  c.tagline, c.thumbnail_url, c.duration_seconds, c.ends_at, c.created_at, ${LADDER}`;

/**
 * One page of live campaigns of all companies, newest first, from the index of live campaigns. For
 * each type, it skips what the respondent has begun and what has no place left for the moment.
 *
 * The limit is part of the text, as in every list.
 */
function listCampaigns(types: readonly CampaignType[], limit: number): string {
  const ofType = (type: CampaignType) => `(
    SELECT ${COLUMNS} FROM campaign AS c
    WHERE c.is_live AND c.company_id LIKE 'co\\_%' AND c.type = '${type}' AND ${NOT_DUE}
      AND (c.created_at, c.id) < ($2::timestamptz, $3::bigint)
      AND NOT EXISTS (
        SELECT 1 FROM participation AS p
        WHERE p.respondent = $1 AND p.company_id = c.company_id AND p.campaign_id = c.id
      )
      AND NOT EXISTS (
        SELECT 1 FROM campaign_progress AS g
        WHERE g.company_id = c.company_id AND g.campaign_id = c.id
          AND (g.taken >= g.max_responses OR g.held + g.spent + greatest(${LADDER}) > g.budget)
      )
    ORDER BY c.created_at DESC, c.id DESC
    LIMIT ${limit}
  )`;
  return `
    SELECT found.* FROM (${types.map(ofType).join(' UNION ALL ')}) AS found
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
}

/** Greater than every identifier. */
const LAST_ID = '9223372036854775807';

@Injectable()
export class FieldingListService {
  constructor(
    @InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Returns a page of the live campaigns that a respondent can begin.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    { platform = '' }: Principal,
    { respondent_id, type, limit = PAGE_LIMIT_DEFAULT, cursor }: FieldingListQueryDto,
  ): Promise<Page<Campaign>> {
    const respondent = this.keys.hashRespondent(platform, respondent_id);
    const list = { respondent: respondent.toString('hex'), type };
    const [createdAt, id] =
      cursor === undefined
        ? ['infinity', LAST_ID]
        : positionOf(readCursor(cursor, list, ['number', 'number']));
    const types = CAMPAIGN_TYPES.filter((each) => type === undefined || each === type);
    const rows = await this.campaigns.query<Record<string, unknown>[]>(
      listCampaigns(types, limit + 1),
      [respondent, createdAt, id],
    );
    return cutPage(
      rows.map((row) => toEntity(this.campaigns, row)),
      limit,
      ({ createdAt, id }) => [String(createdAt.getTime()), id],
      list,
    );
  }
}

/** Reads a position from a cursor. Thirteen digits of milliseconds last until the year 2286. */
function positionOf([milliseconds = '', id = '']: readonly string[]): [Date, string] {
  return [new Date(Number(milliseconds.slice(0, 13))), id];
}
