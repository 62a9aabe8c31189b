import { printId, StoredId } from '../../platform/database/identifiers';
import type { Payment } from './settlement.types';

/** Numbers of a company's log that one statement reads, each of which can be a payment. */
const WINDOW = 2_000;

const COLUMNS = 'seq, platform, campaign_id, post_id, participation_id, kind, amount, paid_at';

/** The payments of company $1 after number $2, up to $3, of all platforms or of $4. */
const PAYMENTS = `
  SELECT ${COLUMNS} FROM payments($1, $2, $3)
  WHERE $4::text IS NULL OR platform = $4 ORDER BY seq`;

/** Runs a statement. */
export type Query = (statement: string, parameters: unknown[]) => Promise<Payment[]>;

/** A part of a company's log. */
export interface LogRange {
  companyId: StoredId;
  /** Before its first number. */
  from: number;
  /** Its last number. */
  to: number;
  /** All platforms without it. */
  platform?: string | undefined;
}

/**
 * Reads the payments of a range, window by window. What has a number never changes, so every
 * reading returns the same, also while an archive takes the events.
 */
export async function* readPayments(
  query: Query,
  { companyId, from, to, platform }: LogRange,
): AsyncGenerator<Payment[]> {
  for (let after = from; after < to; after += WINDOW) {
    const through = Math.min(to, after + WINDOW);
    yield await query(PAYMENTS, [companyId, after, through, platform ?? null]);
  }
}

/** Writes a payment as a line of a settlement's file (NDJSON). */
export function lineOf({ post_id, participation_id, kind, amount, paid_at }: Payment): string {
  const line = {
    post_id,
    participation_id: printId('part', participation_id),
    kind,
    amount: Number(amount),
    paid_at: paid_at.toISOString(),
  };
  return `${JSON.stringify(line)}\n`;
}
