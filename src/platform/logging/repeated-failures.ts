import type { Logger } from '@nestjs/common';

/** Milliseconds between two lines about the same work. */
const INTERVAL = 60_000;

/**
 * Logs failures of work that is tried again and again: the first one at once, and further ones once
 * a minute, with their number and the last of them.
 */
export class RepeatedFailures {
  private timer: NodeJS.Timeout | undefined;
  /** The failures since the last line, and the line about the last of them. */
  private count = 0;
  private last = '';

  constructor(
    private readonly logger: Logger,
    /** Begins the line of the log; the error ends it. */
    private readonly message: string,
  ) {}

  /** @param message begins the line about this failure, if another one is better */
  add(error: unknown, message = this.message): void {
    const line = `${message}: ${String(error)}`;
    if (this.timer === undefined) {
      this.write(line);
    } else {
      this.count += 1;
      this.last = line;
    }
  }

  private write(line: string): void {
    this.logger.warn(line);
    this.count = 0;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.count > 0) {
        this.write(`${this.last} (failures in the last minute: ${this.count})`);
      }
    }, INTERVAL).unref();
  }
}
