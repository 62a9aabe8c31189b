import type { TransferKind } from '../../insight/ledger/ledger.types';
import type { StoredId } from '../../platform/database/identifiers';

export const SETTLEMENT_STATES = ['closed', 'paid'] as const;

export type SettlementState = (typeof SETTLEMENT_STATES)[number];

/** The longest reference of a payment. */
export const REFERENCE_MAXIMUM = 200;

/** A row of the function `payments`. */
export interface Payment {
  /** Its number in the company's log. */
  seq: string;
  platform: string;
  campaign_id: string;
  post_id: string;
  participation_id: StoredId;
  kind: TransferKind;
  /** An exact decimal, negative if it was taken back. */
  amount: string;
  paid_at: Date;
}

/** What a settlement has of a campaign. */
export interface SettlementLine {
  position: number;
  post_id: string;
  payments: string;
  /** An exact decimal. */
  net: string;
}
