import { createHash } from 'node:crypto';
import { Big } from 'big.js';
import { lineOf } from './payment-log';
import type { Payment } from './settlement.types';

/** Adds up the payments of one settlement, of which it keeps no more than the sums by campaign. */
export class SettlementSums {
  private readonly hash = createHash('sha256');
  private readonly campaigns = new Map<string, { payments: number; net: Big }>();

  add(payment: Payment): void {
    this.hash.update(lineOf(payment));
    const sum = this.campaigns.get(payment.campaign_id) ?? { payments: 0, net: Big(0) };
    const added = { payments: sum.payments + 1, net: sum.net.plus(payment.amount) };
    this.campaigns.set(payment.campaign_id, added);
  }

  /** Returns the hash of the file, and the campaigns with their payments and net amounts. */
  finish(): [sha256: Buffer, campaigns: string[], payments: number[], net: string[]] {
    const sums = [...this.campaigns.values()];
    return [
      this.hash.digest(),
      [...this.campaigns.keys()],
      sums.map(({ payments }) => payments),
      sums.map(({ net }) => net.toFixed()),
    ];
  }
}
