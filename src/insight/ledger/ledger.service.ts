import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CampaignService } from '../../campaigns/campaign/campaign.service';
import { FIRST_STORED_ID, printId, storedId, StoredId } from '../../platform/database/identifiers';
import { columnList, toEntity } from '../../platform/database/rows';
import { SCAN_MAXIMUM, Scanned, scannedPage } from '../../platform/database/scanned-page';
import { statementLimit } from '../../platform/database/statement-limit';
import {
  cutScannedPage,
  fromTimeKey,
  Page,
  readCursor,
  toTimeKey,
} from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { TransferListQueryDto } from './ledger.dto';
import { TRANSFER_KINDS, TransferKind } from './ledger.types';
import { ListedTransfer, Transfer } from './transfer.entity';
import { printEnvironment } from '../../platform/caller/environment.rules';

/** The kind is part of the order, because transfers of a participation can have the same time. */
const ORDER =
  'ORDER BY transfer.created_at DESC, transfer.participation_id DESC, transfer.kind DESC';

const RANGE = `
  transfer.company_id = $1
  AND (transfer.created_at, transfer.participation_id, transfer.kind)
    < ($2::timestamptz, $3::uuid, $4::text)
  AND transfer.created_at > $5::timestamptz`;

const RANGE_PARAMETERS = 5;

/** One page of transfers, newest first, read from an index of their own. */
const transferPage = (columns: string, limit: number) => `
  SELECT ${columns}, campaign.post_id
  FROM transfer
  JOIN campaign ON campaign.company_id = $1 AND campaign.id = transfer.campaign_id
  WHERE ${RANGE} AND transfer.company_id::text::uuid = $1
  ${ORDER} LIMIT ${limit}`;

/** One page of the transfers of a campaign ($6), read from an index of its own. */
const campaignPage = (columns: string, limit: number) => `
  SELECT ${columns}, campaign.post_id
  FROM campaign CROSS JOIN LATERAL (
    SELECT * FROM transfer WHERE ${RANGE} AND transfer.campaign_id + 0 = campaign.id
    ${ORDER} LIMIT ${limit}
  ) AS transfer
  WHERE campaign.company_id = $1 AND campaign.post_id = $6
  ${ORDER}`;

/** The transfers of a participation ($6), if it is one of the campaign ($7). */
const ofParticipation = (columns: string, limit: number) => `
  SELECT ${columns}, campaign.post_id
  FROM transfer
  JOIN campaign ON campaign.company_id = $1 AND campaign.id = transfer.campaign_id
  WHERE ${RANGE} AND transfer.participation_id = $6 AND campaign.post_id = coalesce($7, post_id)
  ${ORDER} LIMIT ${limit}`;

/** A statement for a page of transfers, with the parameters after those of {@link RANGE}. */
function pageStatement({ participation_id, post_id, kind }: TransferListQueryDto, limit: number) {
  const [page, parameters] =
    participation_id !== undefined
      ? [ofParticipation, [storedId('part', participation_id), post_id ?? null]]
      : post_id !== undefined
        ? [campaignPage, [post_id]]
        : [transferPage, []];
  if (kind === undefined) {
    return { statement: (columns: string) => page(columns, limit), parameters };
  }
  const filtered = [...parameters, kind];
  const statement = (columns: string) =>
    scannedPage({
      rows: page(columns, SCAN_MAXIMUM),
      order: 'created_at DESC, participation_id DESC, kind DESC',
      filter: `kind = $${RANGE_PARAMETERS + filtered.length}`,
      limit,
    });
  return { statement, parameters: filtered };
}

/** Whether some transfers that a list would have are in an archive. */
const ARCHIVED = `
  SELECT EXISTS (
    SELECT FROM carried_balance AS b
    WHERE b.company_id = $1 AND b.last_at > $2::timestamptz AND b.first_at < $3::timestamptz
      AND ($4::text IS NULL OR b.campaign_id = (
        SELECT c.id FROM campaign AS c WHERE c.company_id = $1 AND c.post_id = $4
      ))
  ) AS archived`;

type ListedRow = Record<string, unknown> &
  Partial<Scanned> & {
    post_id: string;
    created_at: Date;
    participation_id: StoredId;
    kind: TransferKind;
  };

/** What clients see of the ledger of an environment. */
@Injectable()
export class LedgerService {
  constructor(
    @InjectRepository(Transfer) private readonly transfers: Repository<Transfer>,
    private readonly campaigns: CampaignService,
  ) {}

  /**
   * Returns a page of transfers, newest first. On the last page, `archived` says whether an archive
   * can have more.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list,
   *   `campaign_not_found` or `campaign_not_owned`
   */
  async list(
    companyId: StoredId,
    { limit = PAGE_LIMIT_DEFAULT, cursor, ...filters }: TransferListQueryDto,
  ): Promise<Page<ListedTransfer> & { archived: boolean }> {
    const { post_id, created_after = '-infinity', created_before = 'infinity' } = filters;
    const list = { companyId: printEnvironment(companyId), ...filters };
    const before =
      cursor === undefined
        ? [created_before, FIRST_STORED_ID, '']
        : positionOf(readCursor(cursor, list, ['number', 'identifier', 'number']));
    const { statement, parameters } = pageStatement(filters, statementLimit(limit) + 1);
    const rows = await this.transfers.query<ListedRow[]>(statement(columnList(this.transfers)), [
      companyId,
      ...before,
      created_after,
      ...parameters,
    ]);
    if (post_id !== undefined && rows.length === 0) {
      await this.campaigns.findOwned(companyId, post_id);
    }
    const { items, nextCursor } = cutScannedPage(
      rows,
      limit,
      (row) => [
        toTimeKey(row.created_at),
        printId('part', row.participation_id),
        String(TRANSFER_KINDS.indexOf(row.kind)),
      ],
      list,
    );
    const page = {
      items: items.map((row) => ({ transfer: toEntity(this.transfers, row), postId: row.post_id })),
      nextCursor,
    };
    if (page.nextCursor !== null) {
      return { ...page, archived: false };
    }
    // After the page: what is archived in between is missing in none, or this says so.
    const [{ archived }] = await this.transfers.query<[{ archived: boolean }]>(ARCHIVED, [
      companyId,
      created_after,
      created_before,
      post_id ?? null,
    ]);
    return { ...page, archived };
  }
}

/** Reads a position from a cursor. */
function positionOf([time, id = '', kind = '']: readonly string[]) {
  return [fromTimeKey(time), storedId('part', id), TRANSFER_KINDS[Number(kind)] ?? ''];
}
