import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { boundedPage, Found } from '../database/bounded-page';
import { toEntity } from '../database/rows';
import { cutPage, Page, readVersionCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../validation/page-query.dto';
import { Event } from './event.entity';

const historyPage = (limit: number) =>
  boundedPage({
    rows: `
      SELECT company_id, subject, version, type, actor, changes, created_at,
        octet_length(changes::text) AS bytes
      FROM event WHERE company_id = $1 AND subject = $2 AND version < $3`,
    order: 'version DESC',
    limit,
  });

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
    companyId: string,
    subject: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<Event>> {
    const list = ['history', subject];
    const rows = await this.events.query<(Found & Record<string, unknown>)[]>(historyPage(limit), [
      companyId,
      subject,
      readVersionCursor(cursor, list),
    ]);
    return cutPage(
      rows.map((row) => toEntity(this.events, row)),
      limit,
      ({ version }) => [String(version)],
      list,
      rows[0]?.found,
    );
  }
}
