import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';

/**
 * Runs background work so that the service can stop cleanly: a running job is told to finish, and
 * the shutdown waits for it while the database is still open. Schedule a method that calls {@link
 * run} with the decorators of `@nestjs/schedule`.
 */
@Injectable()
export class BackgroundJobs implements BeforeApplicationShutdown {
  private readonly logger = new Logger(BackgroundJobs.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly stop = new AbortController();

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running.values());
  }

  /**
   * Runs a job, unless it is already running or the service is stopping. A failure is logged, and
   * the next run tries again.
   *
   * @param name what the job does, for the log
   * @param job receives a signal that is aborted when the service stops
   */
  async run(name: string, job: (stop: AbortSignal) => Promise<unknown>): Promise<void> {
    if (this.running.has(name) || this.stop.signal.aborted) {
      return;
    }
    const running = this.supervise(name, job);
    this.running.set(name, running);
    await running;
    this.running.delete(name);
  }

  private async supervise(
    name: string,
    job: (stop: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    try {
      await job(this.stop.signal);
    } catch (error) {
      this.logger.warn(`could not ${name}: ${String(error)}`);
    }
  }
}
