import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../campaign/campaign.service';
import { boundedPage, Found } from '../database/bounded-page';
import { columnList, toEntity } from '../database/rows';
import { FieldingKeys } from '../fielding/fielding-keys.service';
import { Participation } from '../fielding/participation.entity';
import { cutPage, fromTimeKey, Page, readCursor, toTimeKey, writeCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT } from '../validation/page-query.dto';
import type { Answer } from '../fielding/answer.rules';
import { ResponseListQueryDto } from './responses.dto';
import type { SubmittedResponse } from './responses.types';

/** About how many bytes a response has besides its answers. */
const ENTRY_BYTES = 500;

/** How many responses one page looks at, whatever its filters leave out of them. */
const LOOK_MAXIMUM = 5_000;

const ORDER = 'closed_at DESC, participation_id DESC';

/**
 * The responses of a campaign ($1, `campaign.id`) after a position ($3, $4) and after a time ($5).
 */
const LATER = `
  p.company_id = $1 AND p.campaign_id = campaign.id AND p.state IN ('submitted', 'reversed')
  AND (p.closed_at, p.participation_id) < ($3::timestamptz, $4::text)
  AND p.closed_at > $5::timestamptz`;

/**
 * One page of a campaign's responses, newest first, measured before the answers themselves are
 * read. A campaign without responses is one row of nulls.
 */
const page = (columns: string, limit: number) => `
  SELECT campaign.id AS campaign, page.found, ${columns}, question_set.question_id, response.answers
  FROM campaign
  LEFT JOIN LATERAL (${boundedPage({
    rows: `
      SELECT p.participation_id, p.closed_at, coalesce(r.size, 0) + ${ENTRY_BYTES} AS bytes
      FROM (
        SELECT p.* FROM participation AS p WHERE ${LATER} ORDER BY ${ORDER} LIMIT ${LOOK_MAXIMUM}
      ) AS p
      LEFT JOIN response AS r
        ON r.company_id = $1 AND r.campaign_id = p.campaign_id
        AND r.participation_id = p.participation_id
      WHERE ($6::smallint IS NULL OR p.cohort = $6)
        AND ($7::integer IS NULL OR p.question_set_version = $7)`,
    order: ORDER,
    limit,
  })}) AS page ON true
  LEFT JOIN participation
    ON participation.company_id = $1 AND participation.campaign_id = campaign.id
    AND participation.participation_id = page.participation_id
  LEFT JOIN question_set
    ON question_set.company_id = $1 AND question_set.campaign_id = campaign.id
    AND question_set.version = participation.question_set_version
  LEFT JOIN response
    ON response.company_id = $1 AND response.campaign_id = campaign.id
    AND response.participation_id = page.participation_id
  WHERE campaign.company_id = $1 AND campaign.post_id = $2
  ORDER BY page.closed_at DESC, page.participation_id DESC`;

/** The last of the responses that a page looks at; no row if it looks at all that are left. */
const LAST_LOOK = `
  SELECT last.* FROM campaign CROSS JOIN LATERAL (
    SELECT p.closed_at, p.participation_id FROM participation AS p WHERE ${LATER}
    ORDER BY p.closed_at DESC, p.participation_id DESC OFFSET ${LOOK_MAXIMUM - 1} LIMIT 1
  ) AS last
  WHERE campaign.company_id = $1 AND campaign.post_id = $2`;

interface Position {
  closed_at: Date;
  participation_id: string;
}

/** A row with a participation, its answers, and its question set. */
export type ResponseRow = Record<string, unknown> &
  Found & {
    participation_id: string | null;
    question_id: string | null;
    answers: Answer[] | null;
    closed_at: Date;
  };

@Injectable()
export class ResponsesService {
  constructor(
    @InjectRepository(Participation) private readonly participations: Repository<Participation>,
    private readonly campaigns: CampaignService,
    private readonly keys: FieldingKeys,
  ) {}

  /**
   * Returns a page of a campaign's responses, newest first. It looks at a limited number of
   * responses, so with filters it can be short or empty although there are more.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, or `validation_failed` if the
   * cursor
   *   was not returned by this list
   */
  async list(
    companyId: string,
    postId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: ResponseListQueryDto,
  ): Promise<Page<SubmittedResponse>> {
    const { cohort = null, version = null, submitted_after, submitted_before } = filters;
    const list = { postId, ...filters };
    const [before, id] =
      cursor === undefined
        ? [submitted_before ?? 'infinity', '']
        : positionOf(readCursor(cursor, list, ['number', 'identifier']));
    const range = [companyId, postId, before, id, submitted_after ?? '-infinity'];
    const rows = await this.participations.query<ResponseRow[]>(
      page(columnList(this.participations), limit),
      [...range, cohort, version],
    );
    if (rows.length === 0) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const responses = rows
      .filter(({ participation_id }) => participation_id !== null)
      .map((row) => this.responseOf(row, postId));
    const { items, nextCursor } = cutPage(
      responses,
      limit,
      ({ submittedAt, participation }) => sortKeyOf(submittedAt, participation.participationId),
      list,
      rows[0]?.found ?? 0,
    );
    if (nextCursor !== null || (cohort === null && version === null)) {
      return { items, nextCursor };
    }
    const [last] = await this.participations.query<Position[]>(LAST_LOOK, range);
    return {
      items,
      nextCursor: last ? writeCursor(sortKeyOf(last.closed_at, last.participation_id), list) : null,
    };
  }

  /** The response in a row. */
  responseOf(row: ResponseRow, postId: string): SubmittedResponse {
    const participation = toEntity(this.participations, row);
    const { respondent } = participation;
    return {
      participation,
      submittedAt: row.closed_at,
      respondent: respondent === null ? null : this.keys.pseudonym(postId, respondent),
      questionId: row.question_id,
      answers: row.answers,
    };
  }
}

function sortKeyOf(submittedAt: Date, participationId: string): [string, string] {
  return [toTimeKey(submittedAt), participationId];
}

/** Reads a position from a cursor. */
function positionOf([time, id = '']: readonly string[]): [Date, string] {
  return [fromTimeKey(time), id];
}
