import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { boundedPage, Found } from '../database/bounded-page';
import { toEntity } from '../database/rows';
import { cutPage, Page, readVersionCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../validation/page-query.dto';
import { Event } from './event.entity';

/** A change can have several events, one for each kind; a history has one entry with all fields. */
const historyPage = (limit: number) =>
  boundedPage({
    rows: `
      SELECT company_id, subject, version, min(type) AS type, min(actor) AS actor,
        jsonb_object_agg(field.key, field.value) AS changes, min(created_at) AS created_at,
        sum(octet_length(field.value::text) + octet_length(field.key)) AS bytes
      FROM event CROSS JOIN LATERAL jsonb_each(changes) AS field
      WHERE company_id = $1 AND subject = $2 AND version < $3
      GROUP BY company_id, subject, version`,
    order: 'version DESC',
    limit,
  });

/** Reads the history that the database records of every change. */
@Injectable()
export class HistoryService {
  constructor(@InjectRepository(Event) private readonly events: Repository<Event>) {}

  /**
   * Returns a page of the changes of one campaign or API key, newest first. The type of a change is
   * that of one of its events.
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
