import { Injectable } from '@nestjs/common';
import { queueNameOf } from '../../platform/caller/environment.rules';
import type { StoredId } from '../../platform/database/identifiers';
import { HeavyWork } from '../../platform/limits/heavy-work';
import type { Page } from '../../platform/protocol/cursor';
import { afterTurns, plain, toText } from '../responses/export-format.rules';
import { TRANSFER_COLUMNS, TransferDto, TransferFilterDto } from './ledger.dto';
import { LedgerService } from './ledger.service';
import type { ListedTransfer } from './transfer.entity';

/** Transfers that are read at once. */
const PAGE = 1_000;

@Injectable()
export class LedgerExportService {
  constructor(
    private readonly ledger: LedgerService,
    private readonly heavy: HeavyWork,
  ) {}

  /**
   * Returns the transfers of an environment as a CSV (RFC 4180) with a head line, newest first.
   * Each page is read when the one before has been taken: the first one in the turn of heavy work
   * that the request has, and each other one, when the response has begun, in one of its own.
   *
   * @param currency of the company
   * @throws ApiError `campaign_not_found` or `campaign_not_owned`
   */
  async open(
    companyId: StoredId,
    filters: TransferFilterDto,
    currency: string,
  ): Promise<AsyncIterable<string>> {
    const read = (cursor?: string) =>
      this.ledger.list(companyId, { ...filters, limit: PAGE, cursor });
    const readNext = (cursor: string) => this.heavy.run(queueNameOf(companyId), () => read(cursor));
    return toCsv(await read(), readNext, currency);
  }
}

/** Writes a page and those after it. */
async function* toCsv(
  first: Page<ListedTransfer>,
  read: (cursor: string) => Promise<Page<ListedTransfer>>,
  currency: string,
): AsyncGenerator<string> {
  yield* toText([[...TRANSFER_COLUMNS]]);
  for (let page = first; ; page = await read(page.nextCursor)) {
    const rows = page.items.map((item) => {
      const transfer = TransferDto.from(item, currency);
      return TRANSFER_COLUMNS.map((name) => plain(transfer[name]));
    });
    yield* afterTurns(toText(rows));
    if (page.nextCursor === null) {
      return;
    }
  }
}
