import { ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Outcome } from './load-order';

type Report = { outcome: Outcome } | { error: string };

/** The process that generates the load. */
export class LoadGenerator {
  private readonly child: ChildProcess = fork(join(__dirname, 'load.js'));

  private readonly ended: Promise<never> = once(this.child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${String(code)}`);
  });

  constructor() {
    // The process may end when no result is awaited, as it does when it is told to.
    this.ended.catch(() => undefined);
  }

  /** @throws if a response was not the expected one */
  async run(order: Order): Promise<Outcome> {
    const reported = once(this.child, 'message');
    this.child.send(order);
    const [report] = (await Promise.race([reported, this.ended])) as [Report];
    if ('error' in report) {
      throw new Error(report.error);
    }
    return report.outcome;
  }

  stop(): void {
    // A process that has ended already must not keep the rest from being cleaned up.
    if (this.child.connected) {
      this.child.disconnect();
    }
  }
}
