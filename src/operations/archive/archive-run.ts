import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable, isStatementLost } from '../../platform/database/availability';
import { lockFile } from '../../platform/database/directory-lock';
import { LOCK } from './archive-files';
import { CompanyArchive, PartSource } from './company-archive';
import { CompanyList } from './company-list';
import { deliveries, removeDeliveries } from './deliveries';
import { events, removeEvents } from './events';
import { BATCH, CompanyRun, Limits, sparingNumbering } from './limits';
import { Part, PART_KINDS, PartKind } from './manifest.rules';
import { removeTransfers, transfers } from './transfers';
import type { StoredId } from '../../platform/database/identifiers';
import { loggedCompanies } from '../../platform/event/logged-companies';
import { printEnvironment } from '../../platform/caller/environment.rules';
import { errorMessage } from '../../platform/logging/error-message';

/** What the parts of a kind are made of, and how their rows are removed. */
interface Archivable {
  next(run: CompanyRun, part: number): PartSource;
  /** Removes the rows of a part; returns whether none of them is left. */
  remove(run: CompanyRun, part: Part): Promise<boolean>;
}

const ARCHIVABLE: Readonly<Record<PartKind, Archivable>> = {
  deliveries: { next: deliveries, remove: removeDeliveries },
  events: { next: events, remove: removeEvents },
  transfers: { next: transfers, remove: removeTransfers },
};

/** What a run has done. */
export interface ArchiveRun {
  /** Companies of which it has archived something. */
  companies: number;
  rows: Record<PartKind, number>;
  /** Companies with events that are old enough, and that something still needs. */
  held: string[];
  /** What could not be archived: companies, each with a reason. */
  failed: string[];
}

/**
 * Archives what is old, company by company: writes a part, reads it back, adds it to the manifest,
 * and then removes its rows. Of each kind, only the last part can have rows that are not removed:
 * the run was interrupted, or something needed events again. The next run into the same folder
 * removes them before it writes another part of the kind.
 *
 * A company that fails does not hold up the others, for example because its manifest is damaged. A
 * kind that fails does not hold up the other kinds, for example because a statement took too long:
 * the function `archivable_seq` lets no event go of which a delivery is left.
 *
 * @throws Error if another run uses the folder, the database is unavailable, or the run is stopped
 */
export async function archive(
  dataSource: DataSource,
  folder: string,
  limits: Limits,
): Promise<ArchiveRun> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFile(join(folder, LOCK));
  if (unlock === undefined) {
    throw new Error(`Another run uses ${folder}.`);
  }
  const run: ArchiveRun = {
    companies: 0,
    rows: { deliveries: 0, events: 0, transfers: 0 },
    held: [],
    failed: [],
  };
  try {
    const companies = await CompanyList.open(folder);
    const open = (name: string) => CompanyArchive.open(join(folder, name), companies);
    for await (const companyId of loggedCompanies(dataSource)) {
      await archiveCompany(dataSource, open, companyId, limits, run);
    }
    return run;
  } finally {
    unlock();
  }
}

const GIVE_UP = `SELECT give_up_deliveries($1, $2, ${BATCH}) AS ended`;

const IS_HELD = `
  SELECT e.created_at < $2 AS held FROM event_sequence AS s
  JOIN event AS e ON e.company_id = $1 AND e.seq = s.first_seq
  WHERE s.company_id = $1`;

async function archiveCompany(
  dataSource: DataSource,
  open: (company: string) => Promise<CompanyArchive>,
  companyId: StoredId,
  limits: Limits,
  run: ArchiveRun,
): Promise<void> {
  const company = printEnvironment(companyId);
  let rows = 0;
  const problems = new Set<string>();
  let opened: CompanyArchive | undefined;
  async function attempt(work: (part: CompanyRun) => Promise<void>): Promise<void> {
    try {
      opened ??= await open(company);
      await work({ dataSource, companyId, archive: opened, limits });
    } catch (error) {
      // Opened again, because work that fails can leave the folder unfinished.
      opened = undefined;
      const concernsAll = isDatabaseUnavailable(error) && !isStatementLost(error);
      if (limits.stop.aborted || concernsAll) {
        throw error;
      }
      problems.add(`${company}: ${errorMessage(error)}`);
    }
  }
  if (limits.pastDisabledWebhooks === true) {
    await attempt(giveUpDeliveries);
  }
  for (const kind of PART_KINDS) {
    await attempt(async (part) => {
      const archived = await archiveKind(kind, part);
      rows += archived;
      run.rows[kind] += archived;
    });
  }
  if (problems.size === 0) {
    await attempt(async () => {
      const [oldest] = await dataSource.query<{ held: boolean }[]>(IS_HELD, [
        companyId,
        limits.before,
      ]);
      run.held.push(...(oldest?.held === true ? [company] : []));
    });
  }
  run.failed.push(...problems);
  run.companies += rows > 0 ? 1 : 0;
}

async function giveUpDeliveries(run: CompanyRun): Promise<void> {
  const { dataSource, companyId, limits } = run;
  for (let ended = BATCH; ended > 0;) {
    limits.stop.throwIfAborted();
    const parameters = [companyId, limits.before];
    [{ ended }] = await sparingNumbering(run, () =>
      dataSource.query<[{ ended: number }]>(GIVE_UP, parameters),
    );
  }
}

/** Archives one part after the other; returns the number of rows. */
async function archiveKind(kind: PartKind, run: CompanyRun): Promise<number> {
  const { archive: company, limits } = run;
  const archivable = ARCHIVABLE[kind];
  const last = company.lastOf(kind);
  if (last !== undefined) {
    await company.check(last);
  }
  let rows = 0;
  for (let part: Part | undefined = last; ;) {
    if (part !== undefined && !(await archivable.remove(run, part))) {
      return rows;
    }
    limits.stop.throwIfAborted();
    part = await company.add(archivable.next(run, company.nextPart), limits.before);
    if (part === undefined) {
      return rows;
    }
    rows += part.rows;
  }
}
