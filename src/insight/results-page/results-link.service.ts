import { Injectable } from '@nestjs/common';
import { Repository } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import {
  generateKey,
  hashKey,
  isWellFormedKey,
} from '../../access/credential-keys/key-format.rules';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newId, StoredId } from '../../platform/database/identifiers';
import { columnList, statementWith, toEntity } from '../../platform/database/rows';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { cutPage, LAST_ID, Page, readCursor } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import type {
  CreateResultsLinkDto,
  ResultsLinkListQueryDto,
  ResultsLinkPathDto,
} from './results-link.dto';
import { LinkKind, ResultsLink, SHOWN_PARTS } from './results-link.entity';
import { expiresTooLate, linkNotFound, LINKS_MAXIMUM, tooManyLinks } from './results-link.errors';
import { printEnvironment } from '../../platform/caller/environment.rules';

/** How long a link works by default, in days. */
const DAYS_DEFAULT = 30;

/**
 * Inserts a link into a free place of its campaign, or else in place of the link that has ended the
 * longest ago. Returns no row if another request takes the place at the same time. The place after
 * the last one violates `results_link_maximum`.
 */
const insertion = (columns: string) => `
  INSERT INTO results_link
    (company_id, post_id, kind, slot, link_id, token_hash, cohorts, show, compare, language,
      created_at, expires_at)
  SELECT $1, $2, $7, place.slot, $3, $4, $5::smallint[], $9::text[], $10, $8, clock.now,
    coalesce($6::timestamptz, clock.now + interval '${DAYS_DEFAULT * 24} hours')
  FROM (SELECT clock_timestamp()::timestamptz(3) AS now OFFSET 0) AS clock
  CROSS JOIN LATERAL (
    SELECT number AS slot
    FROM generate_series(1, ${LINKS_MAXIMUM + 1}) AS number
    LEFT JOIN results_link AS earlier
      ON earlier.company_id = $1 AND earlier.post_id = $2 AND earlier.kind = $7
      AND earlier.slot = number
    WHERE earlier.slot IS NULL OR earlier.revoked_at IS NOT NULL
      OR earlier.expires_at <= clock.now
    ORDER BY number > ${LINKS_MAXIMUM}, earlier.slot IS NOT NULL,
      least(earlier.revoked_at, earlier.expires_at)
    LIMIT 1
  ) AS place
  ON CONFLICT (company_id, post_id, kind, slot) DO UPDATE SET
    id = DEFAULT, link_id = excluded.link_id, token_hash = excluded.token_hash,
    cohorts = excluded.cohorts, show = excluded.show, compare = excluded.compare,
    language = excluded.language, created_at = excluded.created_at, expires_at = excluded.expires_at, revoked_at = NULL
  WHERE results_link.revoked_at IS NOT NULL OR results_link.expires_at <= excluded.created_at
  RETURNING ${columns}`;

/** Links that show a page of a campaign to whoever has them. */
@Injectable()
export class ResultsLinkService {
  constructor(
    private readonly transaction: TransactionContext,
    private readonly campaigns: CampaignService,
  ) {}

  private get links(): Repository<ResultsLink> {
    return this.transaction.manager.getRepository(ResultsLink);
  }

  /**
   * Creates a link to a page of a campaign, and returns the secret part of its URL this once.
   *
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`, also of the campaign to compare
   *   with, `too_many_results_links`, `too_many_preview_links`, or `validation_failed` if it would
   *   work for too long
   */
  async create(
    companyId: StoredId,
    request: CreateResultsLinkDto & { language?: string },
    kind: LinkKind = 'results',
  ): Promise<{ link: ResultsLink; token: string }> {
    const { post_id, expires_at, cohorts, show = [], compare, language } = request;
    await this.campaigns.findOwned(companyId, post_id);
    if (compare !== undefined) {
      await this.campaigns.findOwned(companyId, compare);
    }
    const token = generateKey(kind);
    const parameters = [
      companyId,
      post_id,
      newId('link'),
      hashKey(token),
      cohorts?.toSorted() ?? null,
      expires_at ?? null,
      kind,
      language ?? null,
      SHOWN_PARTS.filter((part) => show.includes(part)),
      compare ?? null,
    ];
    // Each attempt that returns no row lost its place to another link.
    for (let attempt = 0; attempt <= LINKS_MAXIMUM; attempt += 1) {
      const [row] = await withConstraints(
        () =>
          this.links.query<Record<string, unknown>[]>(
            statementWith(this.links, insertion),
            parameters,
          ),
        {
          results_link_maximum: () => tooManyLinks(kind),
          results_link_lifetime: expiresTooLate,
        },
      );
      if (row !== undefined) {
        return { link: toEntity(this.links, row), token };
      }
    }
    throw tooManyLinks(kind);
  }

  /**
   * Returns a page of a company's links of a kind, newest first, without their tokens.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list,
   *   `campaign_not_found` or `campaign_not_owned`
   */
  async list(
    companyId: StoredId,
    { limit = PAGE_LIMIT_DEFAULT, cursor, post_id: postId }: ResultsLinkListQueryDto,
    kind: LinkKind = 'results',
  ): Promise<Page<ResultsLink>> {
    const list = [`${kind} links`, printEnvironment(companyId), postId];
    const [before = LAST_ID] = readCursor(cursor, list, ['number']);
    const rows = await this.links.query<Record<string, unknown>[]>(
      `SELECT ${columnList(this.links)} FROM results_link
       WHERE company_id = $1 AND id < $2 AND post_id = coalesce($3, post_id) AND kind = $4
       ORDER BY id DESC LIMIT ${statementLimit(limit) + 1}`,
      [companyId, before, postId ?? null, kind],
    );
    if (postId !== undefined && rows.length === 0) {
      await this.campaigns.findOwned(companyId, postId);
    }
    return cutPage(
      rows.map((row) => toEntity(this.links, row)),
      limit,
      ({ id }) => [id],
      list,
    );
  }

  /**
   * Returns a link to a page of a campaign, without its token.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, `results_link_not_found` or
   *   `preview_link_not_found`
   */
  async findOwned(
    companyId: StoredId,
    { post_id: postId, link_id: linkId }: ResultsLinkPathDto,
    kind: LinkKind = 'results',
  ): Promise<ResultsLink> {
    const link = await this.links.findOneBy({ companyId, postId, linkId, kind });
    if (link === null) {
      await this.campaigns.findOwned(companyId, postId);
      throw linkNotFound(kind);
    }
    return link;
  }

  /**
   * Revokes a link, at once and in every process. One that was revoked before stays as it is.
   *
   * @throws ApiError `results_link_not_found` or `preview_link_not_found`
   */
  async revoke(
    companyId: StoredId,
    linkId: string,
    kind: LinkKind = 'results',
  ): Promise<ResultsLink> {
    const [[row]] = await this.links.query<[Record<string, unknown>[], number]>(
      `UPDATE results_link SET revoked_at = coalesce(results_link.revoked_at, clock.now)
       FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
       WHERE company_id = $1 AND link_id = $2 AND kind = $3
       RETURNING ${columnList(this.links)}`,
      [companyId, linkId, kind],
    );
    if (row === undefined) {
      throw linkNotFound(kind);
    }
    return toEntity(this.links, row);
  }

  /** Returns the link with this token if it is of this kind and works now. */
  async find(token: string, kind: LinkKind = 'results'): Promise<ResultsLink | undefined> {
    if (!isWellFormedKey(token)) {
      return undefined;
    }
    const [row] = await this.links.query<Record<string, unknown>[]>(
      `SELECT ${columnList(this.links)} FROM results_link
       WHERE token_hash = $1 AND kind = $2 AND revoked_at IS NULL AND expires_at > clock_timestamp()`,
      [hashKey(token), kind],
    );
    return row && toEntity(this.links, row);
  }
}
