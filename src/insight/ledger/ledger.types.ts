import type { StoredId } from '../../platform/database/identifiers';

/** The accounts of an environment of a company. */
export const ACCOUNTS = ['company', 'held', 'respondents'] as const;

export type Account = (typeof ACCOUNTS)[number];

/**
 * Why money moves: a place is taken, a reward is earned and the rest is freed with it, nothing is
 * earned and all is freed, a reward is taken back with its bonus, a respondent who does not qualify
 * is paid, a respondent is paid a bonus.
 */
export const TRANSFER_KINDS = [
  'hold',
  'settle',
  'release',
  'reverse',
  'screen_out',
  'bonus',
] as const;

export type TransferKind = (typeof TRANSFER_KINDS)[number];

/** The account that a transfer of each kind is taken from, and the one that it goes to. */
export const ACCOUNTS_OF: Readonly<
  Record<TransferKind, Readonly<Record<'debit' | 'credit', Account>>>
> = {
  hold: { debit: 'company', credit: 'held' },
  settle: { debit: 'held', credit: 'respondents' },
  release: { debit: 'held', credit: 'company' },
  reverse: { debit: 'respondents', credit: 'company' },
  screen_out: { debit: 'company', credit: 'respondents' },
  bonus: { debit: 'company', credit: 'respondents' },
};

/**
 * What a reconciliation compares: transfers, counters, limits and quotas of campaigns, and the
 * balance and the spending limits of the company.
 */
export const DIFFERENCE_FIELDS = [
  ...TRANSFER_KINDS,
  'places_taken',
  'responses',
  'reversed',
  'abandoned',
  'expired',
  'screened_out',
  'money_held',
  'money_spent',
  'money_screen_outs',
  'money_bonuses',
  'max_responses',
  'budget',
  'quota_taken',
  'quota_submitted',
  'funded',
  'balance',
  'committed',
] as const;

export type DifferenceField = (typeof DIFFERENCE_FIELDS)[number];

/** Two records of the same money that disagree; amounts are decimals. */
export interface Difference {
  /** `null` for the balance and the spending limits of the company. */
  post_id: string | null;
  participation_id: StoredId | null;
  field: DifferenceField;
  expected: number | string;
  found: number | string;
  /** The name of the quota whose count it is. */
  quota: string | null;
}
