import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../database/identifiers';
import { OneByOne } from '../http/turns';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { throwFirst } from '../scheduling/failures.rules';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds between two looks for what a process that was killed has left. */
const LOOK_INTERVAL = 60_000;

/** Deletions that one statement reads. */
const BATCH = 100;

/** Rows that one statement removes, well within its time limit. */
const PART = 20_000;

/** Rows that belong to what was deleted: a column of its identifier, and one that orders them. */
interface Remains {
  table: string;
  id: string;
  order: string;
  /** What comes before every value of that column. */
  first: string;
}

/** By the prefix of the identifier. */
const REMAINS: Readonly<Record<string, Remains>> = {
  whk: { table: 'webhook_delivery', id: 'webhook_id', order: 'seq', first: '0' },
  grd: { table: 'guardrail_watch', id: 'guardrail_id', order: 'post_id', first: '' },
};

const DELETIONS = `
  SELECT company_id, id FROM deletion
  WHERE (company_id, id) > ($1, $2) ORDER BY company_id, id LIMIT ${BATCH}`;

/** A part starts after the previous one, or the scan would step over the entries just deleted. */
const endOfPart = ({ table, id, order }: Remains) => `
  SELECT max(part.${order}) AS "end" FROM (
    SELECT r.${order} FROM ${table} AS r
    WHERE r.company_id = $1 AND r.${id} = $2 AND r.${order} > $3
    ORDER BY r.${order} LIMIT ${PART}
  ) AS part`;

const removePart = ({ table, id, order }: Remains) => `
  DELETE FROM ${table}
  WHERE company_id = $1 AND ${id} = $2 AND ${order} > $3 AND ${order} <= $4`;

const FORGET = 'DELETE FROM deletion WHERE company_id = $1 AND id = $2';

/**
 * Removes the deliveries of deleted webhooks and what deleted guardrails remember, in parts: too
 * much for the request that deletes one, and for the locks that it holds. None is added meanwhile:
 * whoever writes deliveries locks their endpoint first, and whoever writes what guardrails remember
 * locks their position.
 */
@Injectable()
export class Deletions {
  private readonly removals = new OneByOne();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  /** Removes what belonged to something that this process has deleted, after that of others. */
  removeSoon(companyId: StoredId, id: string): void {
    void this.removals.run(() =>
      this.jobs.run('remove what belonged to something deleted', (stop) =>
        this.remove(companyId, id, stop),
      ),
    );
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.sharedJobs.run('look for deletions', (stop) => this.look(stop));
  }

  /**
   * Removes what belonged to everything deleted. One that fails does not hold up the others.
   *
   * @param stop ends the work after the current statement
   * @throws Error with the first failure, after every deletion had its turn
   */
  async look(stop?: AbortSignal): Promise<void> {
    const failures: unknown[] = [];
    let position: [StoredId, string] | undefined = [FIRST_STORED_ID, ''];
    while (position !== undefined && stop?.aborted !== true) {
      const rows: { company_id: StoredId; id: string }[] = await this.dataSource.query(
        DELETIONS,
        position,
      );
      position = undefined;
      for (const { company_id, id } of rows) {
        position = [company_id, id];
        try {
          await this.remove(company_id, id, stop);
        } catch (error) {
          failures.push(error);
        }
      }
    }
    throwFirst(failures, 'deletions');
  }

  private async remove(companyId: StoredId, id: string, stop?: AbortSignal): Promise<void> {
    const remains = REMAINS[id.slice(0, id.indexOf('_'))];
    if (remains === undefined) {
      throw new Error(`nothing is known to belong to ${id}`);
    }
    const key = [companyId, id];
    for (let last = remains.first; stop?.aborted !== true;) {
      const [{ end }] = await this.dataSource.query<[{ end: string | null }]>(endOfPart(remains), [
        ...key,
        last,
      ]);
      if (end === null) {
        await this.dataSource.query(FORGET, key);
        return;
      }
      await this.dataSource.query(removePart(remains), [...key, last, end]);
      last = end;
    }
  }
}
