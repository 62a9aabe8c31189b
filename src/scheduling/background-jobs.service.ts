import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { inSpan, outsideTrace } from '../tracing/tracing';

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
   * @param span the name of the job's span in traces, which must not contain identifiers; `null`
   *   for a job that goes on while there is work and makes a span of each piece
   */
  async run(
    name: string,
    job: (stop: AbortSignal) => Promise<unknown>,
    span: string | null = name,
  ): Promise<void> {
    if (this.running.has(name) || this.stop.signal.aborted) {
      return;
    }
    const running = outsideTrace(() => this.supervise(name, job, span));
    this.running.set(name, running);
    await running;
    this.running.delete(name);
  }

  private async supervise(
    name: string,
    job: (stop: AbortSignal) => Promise<unknown>,
    span: string | null,
  ): Promise<void> {
    const work = () => job(this.stop.signal);
    try {
      await (span === null ? work() : inSpan(span, work));
    } catch (error) {
      this.logger.warn(`could not ${name}: ${String(error)}`);
    }
  }
}
