import type { DataSource } from 'typeorm';
import type { StoredId } from '../database/identifiers';
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
