import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { FIRST_STORED_ID, StoredId } from '../database/identifiers';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import { throwFirst } from '../scheduling/failures.rules';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds between two polls for deletions that a killed process has left. */
const LOOK_INTERVAL = 60_000;

/** Deletions that one statement reads. */
const BATCH = 100;

/** Rows that one statement removes, well within its time limit. */
const PART = 20_000;

/** The rows of another table that belong to what was deleted. */
interface Remains {
  table: string;
  /** The column of the identifier of what was deleted. */
  id: string;
  /** The column in whose order the rows are removed. */
  order: string;
  /** What comes before every value of that column. */
  before: string;
}

/** By the prefix of the identifier. */
const REMAINS: Readonly<Record<string, Remains>> = {
  whk: { table: 'webhook_delivery', id: 'webhook_id', order: 'seq', before: '0' },
  grd: { table: 'guardrail_watch', id: 'guardrail_id', order: 'post_id', before: '' },
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

/** Locks the rows in their order, so that nobody who locks several of them waits in a circle. */
const removePart = ({ table, id, order }: Remains) => `
  DELETE FROM ${table} WHERE company_id = $1 AND ${id} = $2 AND ${order} = ANY (ARRAY(
    SELECT r.${order} FROM ${table} AS r
    WHERE r.company_id = $1 AND r.${id} = $2 AND r.${order} > $3 AND r.${order} <= $4
    ORDER BY r.${order} FOR UPDATE
  ))`;

const FORGET = 'DELETE FROM deletion WHERE company_id = $1 AND id = $2';

/** What can fail, in the plural. */
const FAILED = 'deleted webhooks or guardrails';

/** A deletion whose rows are being removed. */
interface Due {
  companyId: StoredId;
  /** The end of the last part; `undefined` before the first. */
  end?: string;
}

/**
 * Removes the deliveries of deleted webhooks and what deleted guardrails remember, in parts: too
 * much for the request that deletes one, and for the locks that it holds. Each deletion removes one
 * part in its turn, so that none waits for millions of rows of another. No row is added meanwhile:
 * whoever writes deliveries locks their endpoint first, and whoever writes what guardrails remember
 * locks their position.
 */
@Injectable()
export class Deletions {
  /** By the identifier of what was deleted, in the order of their turns. */
  private readonly due = new Map<string, Due>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: BackgroundJobs,
    private readonly sharedJobs: SharedJobs,
  ) {}

  /** Removes the rows of a webhook or guardrail that this process has deleted. */
  removeSoon(companyId: StoredId, id: string): void {
    this.add(companyId, id);
    void this.jobs.run('remove the rows of deleted webhooks and guardrails', async (stop) => {
      throwFirst(await this.removeDue(stop), FAILED);
    });
  }

  @Interval(LOOK_INTERVAL)
  async lookInBackground(): Promise<void> {
    await this.sharedJobs.run('look for deleted webhooks and guardrails', (stop) =>
      this.look(stop),
    );
  }

  /**
   * Removes the rows of everything deleted. One that fails does not hold up the others.
   *
   * @param stop ends the work after the current part
   * @throws Error with the first failure, after every other one was removed
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
      for (const { company_id: companyId, id } of rows) {
        position = [companyId, id];
        this.add(companyId, id);
      }
      failures.push(...(await this.removeDue(stop)));
    }
    throwFirst(failures, FAILED);
  }

  /** One that is there already goes on after its last part. */
  private add(companyId: StoredId, id: string): void {
    this.due.set(id, this.due.get(id) ?? { companyId });
  }

  /** Removes one part of each in turn until none is left, and returns the failures. */
  private async removeDue(stop?: AbortSignal): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (let [next] = this.due; next !== undefined; [next] = this.due) {
      if (stop?.aborted === true) {
        break;
      }
      const [id, due] = next;
      this.due.delete(id);
      try {
        const end = await this.remove(id, due);
        if (end !== null) {
          this.due.set(id, { ...due, end });
        }
      } catch (error) {
        // The next poll finds it again.
        failures.push(error);
      }
    }
    return failures;
  }

  /** Removes a part, and returns its end; `null` if nothing was left. */
  private async remove(id: string, { companyId, end: after }: Due): Promise<string | null> {
    const remains = REMAINS[id.slice(0, id.indexOf('_'))];
    if (remains === undefined) {
      throw new Error(`no table has rows of ${id}`);
    }
    const from = [companyId, id, after ?? remains.before];
    const [{ end }] = await this.dataSource.query<[{ end: string | null }]>(
      endOfPart(remains),
      from,
    );
    await (end === null
      ? this.dataSource.query(FORGET, [companyId, id])
      : this.dataSource.query(removePart(remains), [...from, end]));
    return end;
  }
}
