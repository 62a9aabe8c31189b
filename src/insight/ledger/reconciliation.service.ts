import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Big } from 'big.js';
import { DataSource } from 'typeorm';
import { FIRST_STORED_ID, printId, storedId, StoredId } from '../../platform/database/identifiers';
import { readCursor, writeCursor } from '../../platform/protocol/cursor';
import { DIFFERENCES_MAXIMUM } from './ledger.dto';
import { Difference, TRANSFER_KINDS, TransferKind } from './ledger.types';
import { BALANCE_DIFFERENCES } from './balance-differences.statements';
import { COMPARE_CELLS, COUNT_CELLS } from './cell-differences.statements';
import {
  ADD_UP,
  COMPARE,
  COMPARE_CARRIED,
  COUNTER_NAMES,
  IS_CARRIED,
  MISSING,
  PAGE,
} from './reconciliation.statements';
import { SPENDING_DIFFERENCES } from './spending-differences.statements';
import { compareSettlements, SettlementDifference } from './settlement-differences';
import { printEnvironment } from '../../platform/caller/environment.rules';
import { OneByOne } from '../../platform/limits/turns';

/** Before every participation. */
const FIRST = printId('part', FIRST_STORED_ID);

interface PageRow {
  checked: number;
  campaign: string | null;
  participation: StoredId | null;
  differences: Difference[];
}

interface CountersRow extends Record<(typeof COUNTER_NAMES)[number], string> {
  last: StoredId | null;
  more: boolean;
}

/** How many participations count in a cell. */
interface CellRow {
  cell: number;
  taken: string;
  submitted: string;
}

/** What a reconciliation has found. */
export interface Reconciliation {
  /** The number of participations that were compared. */
  checked: number;
  differences: Difference[];
  /** Cursor of further participations and campaigns; `null` after the last one. */
  nextCursor: string | null;
}

@Injectable()
export class ReconciliationService {
  /** The sums over campaigns, one at a time, so that they leave connections for others. */
  private readonly sums = new OneByOne();

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Compares a page of the ledger of an environment with its participations and counters, and on
   * the first page the balance with its parts and the spending limits with their charges. The
   * counters of a campaign that takes several pages are compared at its end.
   *
   * @throws ApiError `validation_failed` if the cursor was not returned by a reconciliation
   */
  async reconcile(companyId: StoredId, cursor: string | undefined): Promise<Reconciliation> {
    const list = { companyId: printEnvironment(companyId), reconcile: true };
    const [from = '0', after = FIRST] = readCursor(cursor, list, ['number', 'identifier']);
    const isWhole = after === FIRST;
    const [row] = await this.dataSource.query<[PageRow]>(PAGE, [
      companyId,
      from,
      storedId('part', after),
      isWhole,
    ]);
    const { checked, campaign, participation, differences } = row;
    if (cursor === undefined) {
      differences.unshift(...(await this.compareCompany(companyId)));
    }
    if (!isWhole && campaign !== from) {
      const found = await this.sums.run(() => this.compareCounters(companyId, from));
      differences.push(...found);
    }
    return {
      checked,
      differences: differences.slice(0, DIFFERENCES_MAXIMUM),
      nextCursor:
        campaign === null
          ? null
          : writeCursor([campaign, printId('part', participation ?? FIRST_STORED_ID)], list),
    };
  }

  /** Compares the settlements of an environment with its books, for each campaign and platform. */
  compareSettlements(companyId: StoredId): Promise<SettlementDifference[]> {
    return this.sums.run(() => compareSettlements(this.dataSource, companyId));
  }

  /** Compares what is of the company as a whole: its balance, and what its keys have committed. */
  private async compareCompany(companyId: StoredId): Promise<Difference[]> {
    const of = [companyId];
    const balance = await this.dataSource.query<Difference[]>(BALANCE_DIFFERENCES, of);
    return [...balance, ...(await this.dataSource.query<Difference[]>(SPENDING_DIFFERENCES, of))];
  }

  /**
   * Compares the counters of one campaign with all of its participations, and its carried balance
   * with the transfers that they lack. The short statements of the transaction read one snapshot,
   * so the size of the campaign does not matter.
   */
  private compareCounters(companyId: StoredId, campaignId: string): Promise<Difference[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const campaign = [companyId, campaignId];
      const [{ carried, targeted }]: [{ carried: boolean; targeted: boolean }] =
        await manager.query(IS_CARRIED, campaign);
      const cells = new Map<number, [taken: number, submitted: number]>();
      let counters = COUNTER_NAMES.map(() => Big(0));
      const missing = Object.fromEntries(TRANSFER_KINDS.map((kind) => [kind, Big(0)])) as Record<
        TransferKind,
        Big
      >;
      for (let after: StoredId | null = FIRST_STORED_ID; after !== null;) {
        const [row]: [CountersRow] = await manager.query(ADD_UP, [...campaign, after]);
        counters = COUNTER_NAMES.map((name, index) => (counters[index] ?? Big(0)).plus(row[name]));
        const rows: { field: TransferKind; amount: string }[] = carried
          ? await manager.query(MISSING, [...campaign, after, row.last])
          : [];
        for (const { field, amount } of rows) {
          missing[field] = missing[field].plus(amount);
        }
        if (targeted) {
          const counted: CellRow[] = await manager.query(COUNT_CELLS, [
            ...campaign,
            after,
            row.last,
          ]);
          for (const { cell, taken, submitted } of counted) {
            const [a, b] = cells.get(cell) ?? [0, 0];
            cells.set(cell, [a + Number(taken), b + Number(submitted)]);
          }
        }
        after = row.more ? row.last : null;
      }
      const sums = counters.map((sum) => sum.toFixed());
      const found: Difference[] = await manager.query(COMPARE, [...campaign, ...sums]);
      if (targeted) {
        const counts = [...cells.values()];
        const more: Difference[] = await manager.query(COMPARE_CELLS, [
          ...campaign,
          [...cells.keys()],
          counts.map(([taken]) => taken),
          counts.map(([, submitted]) => submitted),
        ]);
        found.push(...more);
      }
      if (!carried) {
        return found;
      }
      const amounts = TRANSFER_KINDS.map((kind) => missing[kind].toFixed());
      const more: Difference[] = await manager.query(COMPARE_CARRIED, [...campaign, ...amounts]);
      return [...found, ...more];
    });
  }
}

/** Returns a difference in one line, as operators read it. */
export function printDifference(difference: Difference): string {
  const { post_id, participation_id, field, expected, found, quota } = difference;
  const participation = participation_id === null ? '' : ` ${printId('part', participation_id)}`;
  const named = quota === null ? '' : ` (${quota})`;
  return `${post_id ?? 'the company'}${participation}${named}: ${field} is ${found}, expected ${expected}`;
}
