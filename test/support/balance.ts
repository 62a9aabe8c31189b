import type { DataSource } from 'typeorm';
import { BALANCE_COMMAND } from '../../src/campaigns/balance/balance.commands';
import type { Client, TestCompany } from './client';
import { outputOf } from './process';
import { service } from './service';

/** What `npm run balance` does. */
export function operate(args: readonly string[], dataSource?: DataSource): Promise<string> {
  return BALANCE_COMMAND.read(
    args,
    '.',
  )({
    dataSource: dataSource ?? service.dataSource,
    stop: new AbortController().signal,
  });
}

let references = 0;

/** Adds money to a balance or takes some out, under a new reference. */
export function fund(
  { companyId }: Pick<TestCompany, 'companyId'>,
  amount: number | string,
  kind: 'fund' | 'refund' = 'fund',
  dataSource?: DataSource,
): Promise<string> {
  references += 1;
  const own = ['--amount', String(amount), '--reference', `invoice ${references}`];
  return operate([kind, '--company', companyId, ...own], dataSource);
}

/** Lets the campaigns of a company pay with a balance of this much. */
export async function prepay(
  company: Pick<TestCompany, 'companyId'>,
  amount: number | string,
  dataSource?: DataSource,
): Promise<void> {
  await fund(company, amount, 'fund', dataSource);
  await operate(['prepaid', '--company', company.companyId], dataSource);
}

/** Lets a company of another database pay in advance, as its operator does. */
export async function prepayIn(url: string, companyId: string, amount: number): Promise<void> {
  const balance = (...args: string[]) =>
    outputOf('src/campaigns/balance/command.js', { DATABASE_URL: url }, ...args);
  const of = ['--company', companyId];
  await balance('fund', ...of, '--amount', String(amount), '--reference', 'invoice 1');
  await balance('prepaid', ...of);
}

export interface ReadBalance {
  is_prepaid: boolean;
  available: number;
  allotted: number;
  held: number;
  paid: number;
  funded: number;
  postpaid: number;
  is_low: boolean;
}

const cents = (amount: number) => Math.round(100 * amount);

/** Reads the balance, and expects its parts to add up. */
export async function balanceOf(api: Client): Promise<ReadBalance> {
  const balance = (await api.get('/svc/balance')).data as ReadBalance;
  const { available, allotted, held, paid, funded } = balance;
  expect([available, allotted, held, paid].reduce((sum, each) => sum + cents(each), 0)).toBe(
    cents(funded),
  );
  return balance;
}
