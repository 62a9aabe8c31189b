import { BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { RepeatedFailures } from '../logging/repeated-failures';
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
  /** By the kind of work, of which there are few. */
  private readonly failures = new Map<string, RepeatedFailures>();
  private readonly stop = new AbortController();

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running.values());
  }

  /**
   * Runs a job, unless it is already running or the service is stopping. The next run tries again
   * after a failure; failures of the same kind are logged once a minute.
   *
   * @param name what the job does, for the log
   * @param job receives a signal that is aborted when the service stops
   * @param span the name of the job's span in traces, which must not contain identifiers; `null`
   *   for a job that goes on while there is work and makes a span of each piece
   * @param kind what jobs with different names do, such as one for each webhook
   */
  async run(
    name: string,
    job: (stop: AbortSignal) => Promise<unknown>,
    span: string | null = name,
    kind = span ?? name,
  ): Promise<void> {
    if (this.running.has(name) || this.stop.signal.aborted) {
      return;
    }
    const running = outsideTrace(() => this.supervise(name, job, span, kind));
    this.running.set(name, running);
    await running;
    this.running.delete(name);
  }

  private async supervise(
    name: string,
    job: (stop: AbortSignal) => Promise<unknown>,
    span: string | null,
    kind: string,
  ): Promise<void> {
    const work = () => job(this.stop.signal);
    try {
      await (span === null ? work() : inSpan(span, work));
    } catch (error) {
      this.failuresOf(kind).add(error, `could not ${name}`);
    }
  }

  private failuresOf(kind: string): RepeatedFailures {
    let failures = this.failures.get(kind);
    if (failures === undefined) {
      failures = new RepeatedFailures(this.logger, `could not ${kind}`);
      this.failures.set(kind, failures);
    }
    return failures;
  }
}
