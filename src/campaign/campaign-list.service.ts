import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { toEntity } from '../database/rows';
import { cutPage, Page, readCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT } from '../http/page.dto';
import { CampaignListQueryDto } from './campaign-reads.dto';
import { Campaign } from './campaign.entity';
import { SURVEY_FORMATS } from './campaign-type';

/**
 * A page, straight from the index that has the expression: for each of its values and each state
 * that the filters let through, the first rows behind the cursor; of those, the newest. So a page
 * costs the same however many campaigns there are and whatever is filtered. The limit is part of the
 * text: with one that it does not know, PostgreSQL reckons with a tenth of the rows, and would sort
 * those rather than read a few in the order of the index.
 */
const listCampaigns = (expression: string, limit: number) => `
  SELECT found.*
  FROM unnest($2::text[]) AS kinds (kind)
  CROSS JOIN unnest($3::boolean[]) AS states (is_live)
  CROSS JOIN LATERAL (
    SELECT id, post_id, external_ref, type, format, title, category, reward_amount,
      campaign.is_live, created_at, updated_at
    FROM campaign
    WHERE company_id = $1 AND ${expression} = kinds.kind
      AND campaign.is_live = states.is_live
      AND (created_at, id) < ($4::timestamptz, $5::bigint) AND created_at > $6::timestamptz
    ORDER BY created_at DESC, id DESC
    LIMIT ${limit}
  ) AS found
  ORDER BY created_at DESC, id DESC
  LIMIT ${limit}`;

/** Served by the index `campaign_list`. */
const KIND = 'coalesce(format, type)';

/**
 * Served by `campaign_list_by_category`. Kind and category are one expression, so that no planner
 * takes the other index and looks through every campaign of the company for a category.
 */
const KIND_AND_CATEGORY = `(coalesce(format, type) || ':' || category)`;

/** Above every identifier. */
const LAST_ID = '9223372036854775807';

/** What the statement's expression can be, for the filters given. */
function kindsOf({ type, format, category }: CampaignListQueryDto): readonly string[] {
  const surveys = format === undefined ? SURVEY_FORMATS : [format];
  const advertisements = format === undefined ? ['advertisement'] : [];
  const kinds = [
    ...(type === 'advertisement' ? [] : surveys),
    ...(type === 'survey' ? [] : advertisements),
  ];
  return category === undefined ? kinds : kinds.map((kind) => `${kind}:${category}`);
}

@Injectable()
export class CampaignListService {
  constructor(@InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>) {}

  /**
   * A page of a company's campaigns, newest first.
   *
   * @throws ApiError `validation_failed` if the cursor is not one of this list
   */
  async list(
    companyId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: CampaignListQueryDto,
  ): Promise<Page<Campaign>> {
    const list = { companyId, ...filters };
    const { createdAt, id } =
      cursor === undefined
        ? firstPosition(filters)
        : positionOf(readCursor(cursor, list, ['number', 'number']));
    // One more than asked for tells whether there is a next page.
    const rows = await this.campaigns.query<Record<string, unknown>[]>(
      listCampaigns(filters.category === undefined ? KIND : KIND_AND_CATEGORY, limit + 1),
      [
        companyId,
        kindsOf(filters),
        filters.is_live === undefined ? [true, false] : [filters.is_live],
        createdAt,
        id,
        filters.created_after === undefined ? '-infinity' : new Date(filters.created_after),
      ],
    );
    return cutPage(
      rows.map((row) => toEntity(this.campaigns, row)),
      limit,
      ({ createdAt, id }) => [String(createdAt.getTime()), id],
      list,
    );
  }
}

/** A place in a list, between two campaigns. */
interface Position {
  createdAt: Date | 'infinity';
  id: string;
}

/** Where a list starts: at its newest campaign. */
function firstPosition({ created_before }: CampaignListQueryDto): Position {
  return created_before === undefined
    ? { createdAt: 'infinity', id: LAST_ID }
    : { createdAt: wholeMillisecond(created_before), id: '0' };
}

/** The first moment not before a timestamp that a campaign can be created at. */
function wholeMillisecond(timestamp: string): Date {
  const hasMore = /\.\d{3}\d*[1-9]/.test(timestamp);
  return new Date(Date.parse(timestamp) + (hasMore ? 1 : 0));
}

/** The place a cursor says. Thirteen digits of milliseconds reach to the year 2286. */
function positionOf([milliseconds = '', id = '']: readonly string[]): Position {
  return { createdAt: new Date(Number(milliseconds.slice(0, 13))), id };
}
