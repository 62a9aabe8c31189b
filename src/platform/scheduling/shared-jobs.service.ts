import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Env } from '../config/env';
import { inSpan } from '../tracing/tracing';
import { BackgroundJobs } from './background-jobs.service';
import { Lease } from './lease.service';

/**
 * Runs background work that one process does for all: looks for what other processes have left, and
 * what is removed after its time. What a process has written it finishes itself, at once.
 */
@Injectable()
export class SharedJobs implements BeforeApplicationShutdown {
  constructor(
    private readonly jobs: BackgroundJobs,
    private readonly lease: Lease,
    private readonly env: Env,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.jobs.beforeApplicationShutdown();
    await this.lease.release();
  }

  /**
   * Runs a job as {@link BackgroundJobs.run} does, if this process holds the lease. Two processes
   * may run it at once for a moment, when one of them was suspended.
   */
  async run(name: string, job: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
    await this.jobs.run(
      name,
      async (stop) => {
        if (!(await this.lease.holds())) {
          return;
        }
        try {
          await inSpan(name, () => job(stop));
        } finally {
          // Another process may hold the lease by now, and reports what this one has reported.
          if (!(await this.lease.holds())) {
            this.lease.tellLost();
          }
        }
      },
      null,
    );
  }

  /** Runs a job that only measures something, if metrics are enabled. */
  async measure(name: string, job: () => Promise<unknown>): Promise<void> {
    if (this.env.METRICS_PORT !== undefined) {
      await this.run(name, job);
    }
  }

  /**
   * Keeps where a job is, as JSON, for the process that runs it next.
   *
   * @returns whether this process still does the work of all; otherwise nothing is kept
   */
  keep(name: string, value: unknown): Promise<boolean> {
    return this.lease.keep(name, value);
  }

  /** Returns what a job has kept last; `undefined` or `null` if nothing. */
  kept(name: string): Promise<unknown> {
    return this.lease.kept(name);
  }

  /** Calls a listener when another process takes over, perhaps more than once. */
  onLost(listener: () => void): void {
    this.lease.onLost(listener);
  }
}
