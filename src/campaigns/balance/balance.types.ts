/** The balance of an environment of a company; amounts are exact decimals. */
export interface Balance {
  is_prepaid: boolean;
  available: string;
  allotted: string;
  held: string;
  paid: string;
  funded: string;
  postpaid: string;
  is_low: boolean;
}

/** How money gets into a balance, and out of it. */
export type FundingKind = 'fund' | 'refund';

/** Money that got into a balance or out of it. */
export interface Funding {
  reference: string;
  kind: FundingKind;
  amount: string;
  created_at: Date;
}
