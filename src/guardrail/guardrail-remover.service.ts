import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Interval } from '@nestjs/schedule';
import { DataSource } from 'typeorm';
import type { StoredId } from '../database/identifiers';
import { throwFirst } from '../scheduling/failures.rules';
import { SharedJobs } from '../scheduling/shared-jobs.service';

/** Milliseconds between two runs. */
const INTERVAL = 60_000;

/** Campaigns whose watches one statement removes, well within its time limit. */
const PART = 10_000;

/** A plain read over all companies, which a cluster sends to every shard. */
const DELETED = 'SELECT company_id, guardrail_id FROM guardrail WHERE slot IS NULL';

const WATCHED = `
  SELECT post_id FROM guardrail_watch
  WHERE company_id = $1 AND guardrail_id = $2 LIMIT ${PART}`;

const REMOVE_WATCHES = `
  DELETE FROM guardrail_watch
  WHERE company_id = $1 AND guardrail_id = $2 AND post_id = ANY ($3)`;

const REMOVE = `
  DELETE FROM guardrail WHERE company_id = $1 AND guardrail_id = $2 AND slot IS NULL`;

/**
 * Removes what deleted guardrails remember, in parts, and then their rows: too much for the request
 * that deletes one, and for the lock that it holds. One that fails does not hold up the others.
 */
@Injectable()
export class GuardrailRemover {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: SharedJobs,
  ) {}

  @Interval(INTERVAL)
  async run(): Promise<void> {
    await this.jobs.run('remove deleted guardrails', (stop) => this.remove(stop));
  }

  private async remove(stop: AbortSignal): Promise<void> {
    const deleted =
      await this.dataSource.query<{ company_id: StoredId; guardrail_id: string }[]>(DELETED);
    const failures: unknown[] = [];
    for (const { company_id, guardrail_id } of deleted) {
      try {
        await this.removeOne([company_id, guardrail_id], stop);
      } catch (error) {
        failures.push(error);
      }
    }
    throwFirst(failures, 'guardrails');
  }

  private async removeOne(key: [StoredId, string], stop: AbortSignal): Promise<void> {
    for (let removed = PART; removed === PART;) {
      if (stop.aborted) {
        return;
      }
      const watches = await this.dataSource.query<{ post_id: string }[]>(WATCHED, key);
      removed = watches.length;
      const campaigns = watches.map(({ post_id }) => post_id);
      await this.dataSource.query(REMOVE_WATCHES, [...key, campaigns]);
    }
    await this.dataSource.query(REMOVE, key);
  }
}
