import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { toEntity } from '../../platform/database/rows';
import { SCAN_MAXIMUM, Scanned, scannedPage } from '../../platform/database/scanned-page';
import { statementLimit } from '../../platform/database/statement-limit';
import {
  cutScannedPage,
  fromTimeKey,
  LAST_ID,
  Page,
  readCursor,
  toTimeKey,
} from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { CampaignListQueryDto } from './campaign-list.dto';
import { Campaign } from './campaign.entity';
import { addBlockReasons, addProgress } from './current-state';
import { CAMPAIGN_STATUSES, CampaignStatus, SURVEY_FORMATS } from './campaign.types';
import { DUE, DUE_STATUS, NOT_DUE } from './status.columns';
import type { StoredId } from '../../platform/database/identifiers';
import { printEnvironment } from '../../platform/caller/environment.rules';

const COLUMNS = `
  company_id, id, post_id, external_ref, type, format, title, category, currency, reward_amount, is_live,
  status, exhausted_by, starts_at, ends_at, due_at, stop_reason, max_responses, budget, is_prepaid,
  answer_minutes, created_at, updated_at, statement_timestamp() AS read_at`;

const ORDER = 'created_at DESC, id DESC';

/**
 * One page, read from the index on the expression. For each value of the expression and each status
 * that the filters allow, the statement reads the first rows after the cursor, then returns the
 * newest of them. A page costs the same for any number of campaigns and any filters.
 *
 * The index has the status as it is stored. The clock may have changed it since, for no longer than
 * a moment while the service runs: if that makes a difference to the filters, such rows are left
 * out, and those that have a right status now are added from the index of what is due.
 *
 * The limit is part of the text. If it were a parameter, PostgreSQL would plan for a tenth of the
 * rows and sort them, instead of reading a few in the order of the index.
 */
function listCampaigns(expression: string, limit: number, clockMatters: boolean): string {
  const page = `
    AND (created_at, id) < ($4::timestamptz, $5::bigint) AND created_at > $6::timestamptz
    ORDER BY ${ORDER}
    LIMIT ${limit}`;
  const due = `
    UNION ALL (
      SELECT ${COLUMNS} FROM campaign
      WHERE company_id = $1 AND ${DUE} AND ${expression} = ANY ($2::text[])
        AND ${DUE_STATUS} = ANY ($3::text[]) ${page}
    )`;
  return `
    SELECT found.* FROM (
      SELECT listed.*
      FROM unnest($2::text[]) AS kinds (kind)
      CROSS JOIN unnest($3::text[]) AS statuses (status)
      CROSS JOIN LATERAL (
        SELECT ${COLUMNS} FROM campaign
        WHERE company_id = $1 AND ${expression} = kinds.kind AND status = statuses.status
          ${clockMatters ? `AND ${NOT_DUE}` : ''} ${page}
      ) AS listed
      ${clockMatters ? due : ''}
    ) AS found
    ORDER BY ${ORDER}
    LIMIT ${limit}`;
}

/** One page of the campaigns whose title or external_ref contains a text ($7). */
const searchCampaigns = (expression: string, limit: number, clockMatters: boolean) =>
  scannedPage({
    rows: listCampaigns(expression, SCAN_MAXIMUM, clockMatters),
    order: ORDER,
    filter: `strpos(lower(title), lower($7)) > 0 OR strpos(lower(external_ref), lower($7)) > 0`,
    limit,
  });

/** Matches the index `campaign_list`. */
const KIND = 'coalesce(format, type)';

/**
 * Matches the index `campaign_list_by_category`. Kind and category are one expression, so that the
 * planner cannot choose the other index and scan every campaign of the company for a category.
 */
const KIND_AND_CATEGORY = `(coalesce(format, type) || ':' || category)`;

/** The values of the indexed expression that the filters allow. */
function kindsOf({ type, format, category }: CampaignListQueryDto): readonly string[] {
  const surveys = format === undefined ? SURVEY_FORMATS : [format];
  const advertisements = format === undefined ? ['advertisement'] : [];
  const kinds = [
    ...(type === 'advertisement' ? [] : surveys),
    ...(type === 'survey' ? [] : advertisements),
  ];
  return category === undefined ? kinds : kinds.map((kind) => `${kind}:${category}`);
}

/** Every status of campaigns that are not archived. */
const UNARCHIVED = CAMPAIGN_STATUSES.filter((status) => status !== 'archived');

/** The statuses that the filters allow. */
function statusesOf({ status, archived, is_live }: CampaignListQueryDto): CampaignStatus[] {
  const inArchive = archived ?? status === 'archived';
  return CAMPAIGN_STATUSES.filter(
    (each) =>
      (each === 'archived') === inArchive &&
      (status === undefined || each === status) &&
      (is_live === undefined || (each === 'live') === is_live),
  );
}

type ListedRow = Record<string, unknown> & Partial<Scanned> & { created_at: Date; id: string };

@Injectable()
export class CampaignListService {
  constructor(@InjectRepository(Campaign) private readonly campaigns: Repository<Campaign>) {}

  /**
   * Returns a page of a company's campaigns, newest first.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async list(
    companyId: StoredId,
    { limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: CampaignListQueryDto,
  ): Promise<Page<Campaign>> {
    const list = { companyId: printEnvironment(companyId), ...filters };
    const { createdAt, id } =
      cursor === undefined
        ? firstPosition(filters)
        : positionOf(readCursor(cursor, list, ['number', 'number']));
    const statuses = statusesOf(filters);
    const clockMatters = statuses.length < UNARCHIVED.length && !statuses.includes('archived');
    // A row beyond the limit shows whether there is a next page.
    const { search, category, created_after = '-infinity' } = filters;
    const statement = (search === undefined ? listCampaigns : searchCampaigns)(
      category === undefined ? KIND : KIND_AND_CATEGORY,
      statementLimit(limit) + 1,
      clockMatters,
    );
    const parameters = [companyId, kindsOf(filters), statuses, createdAt, id, created_after];
    const rows = await this.campaigns.query<ListedRow[]>(
      statement,
      search === undefined ? parameters : [...parameters, search],
    );
    const { items, nextCursor } = cutScannedPage(
      rows,
      limit,
      (row) => [toTimeKey(row.created_at), row.id],
      list,
    );
    const page = { items: items.map((row) => toEntity(this.campaigns, row)), nextCursor };
    await addBlockReasons(this.campaigns, companyId, page.items);
    await addProgress(this.campaigns, companyId, page.items);
    return page;
  }
}

/** A position in a list, between two campaigns. */
interface Position {
  createdAt: Date | 'infinity';
  id: string;
}

/** The start of a list, before its newest campaign. */
function firstPosition({ created_before }: CampaignListQueryDto): Position {
  return created_before === undefined
    ? { createdAt: 'infinity', id: LAST_ID }
    : { createdAt: created_before, id: '0' };
}

/** Reads a position from a cursor. */
function positionOf([time, id = '']: readonly string[]): Position {
  return { createdAt: fromTimeKey(time), id };
}
