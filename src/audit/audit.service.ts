import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { cutPage, Page, readCursor } from '../http/cursor';
import { PAGE_LIMIT_DEFAULT, PageQueryDto } from '../http/page.dto';
import { AuditEvent } from './audit-event.entity';

/** Reads the trail that the database keeps of every change. */
@Injectable()
export class AuditService {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  /**
   * A page of the changes of one campaign or API key, newest first. Whose it is must be known.
   *
   * @param subject its post_id or key_id
   * @throws ApiError `validation_failed` if the cursor is not one of this list
   */
  async history(
    subject: string,
    { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQueryDto,
  ): Promise<Page<AuditEvent>> {
    const list = ['history', subject];
    const [before] = cursor === undefined ? [] : readCursor(cursor, list, ['number']);
    const rows = await this.events.find({
      where: { subject, ...(before === undefined ? {} : { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return cutPage(rows, limit, ({ id }) => [id], list);
  }
}
