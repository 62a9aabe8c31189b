import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../campaign/campaign.service';
import { boundedPage, Found } from '../../platform/database/bounded-page';
import { toEntity } from '../../platform/database/rows';
import { cutPage, Page, readVersionCursor } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../../platform/validation/page-query.dto';
import { QuestionSet } from './question-set.entity';
import type { StoredId } from '../../platform/database/identifiers';

/** A question set in a campaign's history. */
export interface HistoricQuestionSet {
  set: QuestionSet;
  isCurrent: boolean;
}

/**
 * One page of sets, measured before the questions themselves are read. One statement reads the sets
 * and the current version, so the two always agree. A campaign without sets is one row of nulls.
 */
const historyPage = (limit: number) => `
  SELECT campaign.question_set_version AS current_version, page.found, stored.campaign_id,
    stored.version, stored.question_id, stored.questions, stored.total_questions, stored.language,
    stored.translations, stored.sections, stored.created_at
  FROM campaign
  LEFT JOIN LATERAL (${boundedPage({
    rows: `
      SELECT version, size AS bytes
      FROM question_set
      WHERE question_set.company_id = $1 AND question_set.campaign_id = campaign.id
        AND version < $3`,
    order: 'version DESC',
    limit,
  })}) AS page ON true
  LEFT JOIN LATERAL (
    SELECT * FROM question_set
    WHERE question_set.company_id = $1 AND question_set.campaign_id = campaign.id
      AND question_set.version = page.version
    -- Keeps the version in the condition of the index: PostgreSQL expects one set per campaign, and
    -- would read all of them for each row of the page.
    OFFSET 0
  ) AS stored ON true
  WHERE campaign.company_id = $1 AND campaign.post_id = $2
  ORDER BY stored.version DESC`;

type HistoryRow = Found & { current_version: number | null } & Record<string, unknown>;

@Injectable()
export class QuestionHistoryService {
  constructor(
    @InjectRepository(QuestionSet) private readonly questionSets: Repository<QuestionSet>,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Returns a page of all question sets of a campaign, newest first.
   *
   * @throws ApiError `campaign_not_found`, `campaign_not_owned`, or `validation_failed` if the
   *   cursor was not returned by this list
   */
  async history(
    companyId: StoredId,
    postId: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<HistoricQuestionSet>> {
    const rows = await this.questionSets.query<HistoryRow[]>(historyPage(limit), [
      companyId,
      postId,
      readVersionCursor(cursor, postId),
    ]);
    if (rows.length === 0) {
      throw await this.campaigns.whyNotFound(companyId, postId);
    }
    const sets = rows
      .filter(({ version }) => version !== null)
      .map((row) => ({
        set: toEntity(this.questionSets, row),
        isCurrent: row.version === row.current_version,
      }));
    return cutPage(sets, limit, ({ set }) => [String(set.version)], postId, rows[0]?.found ?? 0);
  }
}
