import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/caller/principal';
import { printId, StoredId, storedId } from '../../platform/database/identifiers';
import { statementLimit } from '../../platform/database/statement-limit';
import { TransactionContext } from '../../platform/database/transaction-context';
import { cutPage, fromTimeKey, Page, readCursor, toTimeKey } from '../../platform/protocol/cursor';
import { PAGE_LIMIT_DEFAULT } from '../../platform/validation/page-query.dto';
import { platformOf } from '../participations/campaign-owners.service';
import type { DisputeListQueryDto } from './dispute.dto';
import { Dispute, DISPUTE_STATES, DisputeState } from './dispute.types';

/** The columns of a dispute, of a row of the table `dispute`. */
export const disputeColumns = (row: string) => `
  ${row}.participation_id AS "participationId", ${row}.state, ${row}.reason, ${row}.note,
  ${row}.opened_at AS "openedAt", ${row}.lapses_at AS "lapsesAt",
  ${row}.decided_at AS "decidedAt",
  (${row}.state = 'open' AND ${row}.lapses_at <= clock_timestamp()) AS over`;

/** What is stored of the disputes that are in a state now. */
const STORED: Readonly<Record<DisputeState, readonly string[]>> = {
  open: [`d.state = 'open' AND d.lapses_at > clock_timestamp()`],
  accepted: [`d.state = 'accepted'`],
  declined: [`d.state = 'declined'`, `d.state = 'open' AND d.lapses_at <= clock_timestamp()`],
};

const NEWEST_FIRST = (limit: string) => `ORDER BY opened_at DESC, participation_id DESC ${limit}`;

/** A page of disputes before a position ($2, $3), each state from its range of an index. */
function pageOf(condition: string, state: DisputeState | undefined, rows: number): string {
  const states = state === undefined ? DISPUTE_STATES : [state];
  const limit = `LIMIT ${rows}`;
  const selects = states
    .flatMap((each) => STORED[each])
    .map(
      (stored) => `(
        SELECT d.* FROM dispute AS d
        WHERE ${condition} AND ${stored}
          AND (d.opened_at, d.participation_id) < ($2::timestamptz, $3::uuid)
        ${NEWEST_FIRST(limit)}
      )`,
    );
  return `
    SELECT c.post_id AS "postId", ${disputeColumns('d')}
    FROM (
      SELECT * FROM (${selects.join(' UNION ALL ')}) AS each ${NEWEST_FIRST(limit)}
    ) AS d
    JOIN campaign AS c ON c.company_id = d.company_id AND c.id = d.campaign_id
    ORDER BY d.opened_at DESC, d.participation_id DESC`;
}

const LAST = [new Date('9999-12-31'), 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/** Lists disputes, newest first. */
@Injectable()
export class DisputeLists {
  constructor(private readonly transaction: TransactionContext) {}

  /**
   * Returns a page of a company's disputes.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  ofCompany({ callerId }: Principal, query: DisputeListQueryDto): Promise<Page<Dispute>> {
    return this.list('d.company_id = $1', callerId, query);
  }

  /**
   * Returns a page of the disputes about a platform's respondents, in the campaigns of all
   * companies; with a test key, about those of the caller's tests.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by this list
   */
  ofPlatform(caller: Principal, query: DisputeListQueryDto): Promise<Page<Dispute>> {
    const platform = platformOf(caller);
    return caller.platform === undefined
      ? this.list('d.company_id = $1 AND d.platform = $4', caller.callerId, query, platform)
      : this.list('d.platform = $1', platform, query);
  }

  private async list(
    condition: string,
    whose: StoredId | string,
    { state, limit = PAGE_LIMIT_DEFAULT, cursor }: DisputeListQueryDto,
    ...others: string[]
  ): Promise<Page<Dispute>> {
    const list = { disputesOf: [whose, ...others], state };
    const [time, id = ''] = readCursor(cursor, list, ['number', 'identifier']);
    const after = time === undefined ? LAST : [fromTimeKey(time), storedId('part', id)];
    const rows = await this.transaction.manager.query<Dispute[]>(
      pageOf(condition, state, statementLimit(limit) + 1),
      [whose, ...after, ...others],
    );
    return cutPage(
      rows,
      limit,
      ({ openedAt, participationId }) => [toTimeKey(openedAt), printId('part', participationId)],
      list,
    );
  }
}
