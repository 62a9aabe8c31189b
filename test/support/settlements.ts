import type { DataSource } from 'typeorm';
import {
  Closed,
  closeSettlements,
  Closing,
} from '../../src/operations/settlement/settlement-closing';
import { SettlementsService } from '../../src/operations/settlement/settlements.service';
import type { Settlement } from '../../src/operations/settlement/settlement.entity';
import {
  environmentOf,
  Mode,
  storedEnvironment,
} from '../../src/platform/caller/environment.rules';
import { printId, StoredId } from '../../src/platform/database/identifiers';

/** The environment of a company, as its data has it. */
export const storedCompany = (company: string, mode: Mode = 'live'): StoredId =>
  environmentOf(storedEnvironment(company)!, mode);

/** Closes settlements, as the operator's command does. */
export const closeAs = (dataSource: DataSource, closing: Closing = {}): Promise<Closed> =>
  closeSettlements(dataSource, closing, new AbortController().signal);

/** Closes what a company has open, and returns the settlements. */
export async function settle(
  dataSource: DataSource,
  companyId: StoredId,
  closing: Omit<Closing, 'companyId'> = {},
): Promise<Settlement[]> {
  const { settlements, failed } = await closeAs(dataSource, { companyId, ...closing });
  expect(failed).toEqual([]);
  return new SettlementsService(dataSource).findAll(settlements);
}

/** Closes the one settlement that a company has open, and returns its identifier. */
export async function settleOne(dataSource: DataSource, companyId: StoredId): Promise<string> {
  const settlements = await settle(dataSource, companyId);
  expect(settlements).toHaveLength(1);
  return printId('stl', settlements[0]!.settlementId);
}
