import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { modeOf, printEnvironment } from '../../platform/caller/environment.rules';
import { isDatabaseUnavailable, isStatementLost } from '../../platform/database/availability';
import { withConstraints } from '../../platform/database/constraint-violation';
import { newStoredId, StoredId } from '../../platform/database/identifiers';
import { loggedCompanies } from '../../platform/event/logged-companies';
import { NUMBER } from '../../platform/event/sequencer.statements';
import { errorMessage } from '../../platform/logging/error-message';
import { currencyOf } from '../../platform/operator/company-argument';
import { readPayments } from './payment-log';
import { SettlementSums } from './settlement-sums';

/** Which settlements to close. */
export interface Closing {
  /** Of one company, or of its test data; by default, of the live data of all. */
  companyId?: StoredId | undefined;
  /** Of one platform; of all by default. */
  platform?: string | undefined;
  /** The last number of the company's log to account for; by default, what is committed by now. */
  to?: number | undefined;
}

/** What closing has done. */
export interface Closed {
  settlements: StoredId[];
  companies: number;
  /** Companies whose settlements could not be closed, each with a reason. */
  failed: string[];
}

/** Events that one statement numbers, and milliseconds to wait while another process does. */
const BATCH = 1_000;
const PAUSE = 5;

const LAST_SEQ = 'SELECT last_seq FROM event_sequence WHERE company_id = $1';

/** Up to which number everything is in settlements. */
const POSITION = 'SELECT seq FROM settlement_position WHERE company_id = $1';

/** Where the settlements of each platform end. */
const ENDS = `
  SELECT platform, max(to_seq) AS to_seq FROM settlement WHERE company_id = $1 GROUP BY platform`;

const CLOSE = 'SELECT close_settlement($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)';

const MOVE_POSITION = `
  INSERT INTO settlement_position AS p (company_id, seq) VALUES ($1, $2)
  ON CONFLICT (company_id) DO UPDATE SET seq = greatest(p.seq, excluded.seq)`;

/**
 * Closes settlements, company by company. A company that fails does not hold up the others.
 *
 * @throws Error if the database is unavailable, or the work is stopped
 */
export async function closeSettlements(
  dataSource: DataSource,
  closing: Closing,
  stop: AbortSignal,
): Promise<Closed> {
  const closed: Closed = { settlements: [], companies: 0, failed: [] };
  for await (const companyId of companiesOf(dataSource, closing.companyId)) {
    stop.throwIfAborted();
    try {
      const settlements = await closeCompany(dataSource, companyId, closing, stop);
      closed.settlements.push(...settlements);
      closed.companies += settlements.length > 0 ? 1 : 0;
    } catch (error) {
      if (stop.aborted || (isDatabaseUnavailable(error) && !isStatementLost(error))) {
        throw error;
      }
      closed.failed.push(`${printEnvironment(companyId)}: ${errorMessage(error)}`);
    }
  }
  return closed;
}

async function* companiesOf(dataSource: DataSource, only?: StoredId): AsyncGenerator<StoredId> {
  if (only !== undefined) {
    yield only;
    return;
  }
  for await (const companyId of loggedCompanies(dataSource)) {
    if (modeOf(companyId) === 'live') {
      yield companyId;
    }
  }
}

/**
 * Closes what a company has open, up to a number, for each platform, all or none. Whatever is
 * committed later has a later number.
 */
async function closeCompany(
  dataSource: DataSource,
  companyId: StoredId,
  { platform, to: asked }: Closing,
  stop: AbortSignal,
): Promise<StoredId[]> {
  const to = await lastNumber(dataSource, companyId, asked, stop);
  const ends = await endsOf(dataSource, companyId);
  const [position] = await dataSource.query<{ seq: string }[]>(POSITION, [companyId]);
  const settled = Number(position?.seq ?? 0);
  const from = Math.max(settled, platform === undefined ? 0 : (ends.get(platform) ?? 0));
  const sums = new Map<string, SettlementSums>();
  const range = { companyId, from, to, platform };
  for await (const payments of readPayments((...query) => dataSource.query(...query), range)) {
    stop.throwIfAborted();
    for (const payment of payments) {
      if (Number(payment.seq) > (ends.get(payment.platform) ?? 0)) {
        const own = sums.get(payment.platform) ?? new SettlementSums();
        sums.set(payment.platform, own);
        own.add(payment);
      }
    }
  }
  const currency = await currencyOf(dataSource, companyId);
  const again = () => new Error('Another run has closed settlements meanwhile. Run it again.');
  return withConstraints(
    () =>
      dataSource.transaction(async (manager) => {
        const stored: StoredId[] = [];
        // In one order, so that two runs do not wait for each other.
        for (const name of [...sums.keys()].toSorted()) {
          const id = newStoredId();
          const range = [ends.get(name) ?? 0, to];
          const content = sums.get(name)?.finish() ?? [];
          await manager.query(CLOSE, [companyId, id, name, currency, ...range, ...content]);
          stored.push(id);
        }
        if (platform === undefined && to > settled) {
          await manager.query(MOVE_POSITION, [companyId, to]);
        }
        return stored;
      }),
    { settlement_once: again, settlement_continues: again },
  );
}

async function endsOf(dataSource: DataSource, companyId: StoredId): Promise<Map<string, number>> {
  const rows = await dataSource.query<{ platform: string; to_seq: string }[]>(ENDS, [companyId]);
  return new Map(rows.map(({ platform, to_seq }) => [platform, Number(to_seq)]));
}

/**
 * Returns the number up to which to close, once what is committed by now has its number.
 *
 * @throws Error if the log has no such number yet
 */
async function lastNumber(
  dataSource: DataSource,
  companyId: StoredId,
  asked: number | undefined,
  stop: AbortSignal,
): Promise<number> {
  for (let numbered: number | undefined = BATCH; asked === undefined && numbered !== 0;) {
    stop.throwIfAborted();
    const rows: { numbered: number }[] = await dataSource.query(NUMBER, [companyId, BATCH]);
    numbered = rows[0]?.numbered;
    if (numbered === undefined) {
      await delay(PAUSE);
    } else if (numbered < BATCH) {
      break;
    }
  }
  const [row] = await dataSource.query<{ last_seq: string }[]>(LAST_SEQ, [companyId]);
  const last = Number(row?.last_seq ?? 0);
  if (asked !== undefined && asked > last) {
    throw new Error(`The last number of its log is ${last}.`);
  }
  return asked ?? last;
}
