import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { StoredId } from '../../platform/database/identifiers';
import { companyOf } from '../../platform/caller/environment.rules';
import type { CompanyArchive } from './company-archive';

/** Rows that one statement reads or removes. */
export const BATCH = 1_000;

/** Rows of one file, about. */
export const PART_ROWS = 50_000;

/** What a run archives. */
export interface Limits {
  /** Only what is older. */
  before: Date;
  /** Does not wait for webhooks that have been disabled since before that time. */
  pastDisabledWebhooks?: boolean;
  /** Ends the run after its current step. */
  stop: AbortSignal;
}

/** A run's work on one company. */
export interface CompanyRun {
  dataSource: DataSource;
  companyId: StoredId;
  archive: CompanyArchive;
  limits: Limits;
}

const CURRENCY = 'SELECT currency FROM company WHERE company_id = $1';

/** The currency of the company. */
export async function currencyOf({ dataSource, companyId }: CompanyRun): Promise<string> {
  const [{ currency }] = await dataSource.query<[{ currency: string }]>(CURRENCY, [
    companyOf(companyId),
  ]);
  return currency;
}

/**
 * Does work that locks a company, then waits for as long as it took: numbering passes over a
 * company that is locked.
 */
export async function sparingNumbering<Result>(
  { limits: { stop } }: CompanyRun,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const result = await work();
  await delay(performance.now() - began, undefined, { signal: stop }).catch(() => undefined);
  return result;
}
