import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { boundedPage, Found } from '../database/bounded-page';
import { toEntity } from '../database/rows';
import { statementLimit } from '../database/statement-limit';
import { readId, StoredId } from '../database/identifiers';
import { cutPage, Page, readVersionCursor } from '../protocol/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../validation/page-query.dto';
import { Event, UnnumberedEvent } from './event.entity';

/** The newest changes in a table. Without a limit of its own, each change would be measured. */
const changesIn = (table: string, limit: number) => `(
  SELECT company_id, subject, version, type, actor, changes, created_at
  FROM ${table} WHERE company_id = $1 AND subject = $2 AND version < $3
  ORDER BY version DESC LIMIT ${statementLimit(limit) + 1})`;

const historyPage = (limit: number) =>
  boundedPage({
    rows: `
      SELECT e.*, octet_length(e.changes::text) AS bytes FROM (
        ${changesIn('event', limit)} UNION ALL ${changesIn('unnumbered_event', limit)}
      ) AS e`,
    order: 'version DESC',
    limit,
  });

/** A page of the changes of a campaign or an API key. */
export interface History extends Page<UnnumberedEvent> {
  /** Whether this is the last page, and earlier changes are in an archive. */
  archived: boolean;
}

/** Reads the history that the database records of every change. */
@Injectable()
export class HistoryService {
  constructor(@InjectRepository(Event) private readonly events: Repository<Event>) {}

  /**
   * Returns a page of the changes of one campaign or API key, newest first.
   *
   * @param subject a post_id or key_id, which the caller has checked to be the company's
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  async history(
    companyId: StoredId,
    subject: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<History> {
    const list = ['history', subject];
    const before = readVersionCursor(cursor, list);
    const rows = await this.events.query<(Found & Record<string, unknown>)[]>(historyPage(limit), [
      companyId,
      readId(subject)?.id ?? null,
      before,
    ]);
    const page = cutPage(
      rows.map((row) => toEntity(this.events, row)),
      limit,
      ({ version }) => [String(version)],
      list,
      rows[0]?.found,
    );
    // Each version from 1 on has an event.
    const first = page.items.at(-1)?.version ?? before;
    return { ...page, archived: page.nextCursor === null && first > 1 };
  }
}
