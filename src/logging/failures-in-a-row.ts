import type { Logger } from '@nestjs/common';

/** Logs only the first of the failures in a row, for work that is tried again and again. */
export class FailuresInARow {
  private logged = false;

  constructor(
    private readonly logger: Logger,
    /** Begins the line of the log; the error ends it. */
    private readonly message: string,
  ) {}

  add(error: unknown): void {
    if (!this.logged) {
      this.logged = true;
      this.logger.warn(`${this.message}: ${String(error)}`);
    }
  }

  /** Call it after a success, so that the next failure is logged again. */
  end(): void {
    this.logged = false;
  }
}
