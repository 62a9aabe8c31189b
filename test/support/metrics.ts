import { MetricsServer } from '../../src/platform/metrics/metrics.server';
import { eventually } from './eventually';
import type { SharedService } from './service';

/** The metrics of a service, as Prometheus reads them. */
export class Metrics {
  constructor(readonly url: string) {}

  static of({ app }: SharedService): Metrics {
    return new Metrics(app.get(MetricsServer, { strict: false }).url!);
  }

  async text(): Promise<string> {
    // The server closes a connection that is not used for a while.
    return (await fetch(this.url, { headers: { connection: 'close' } })).text();
  }

  /** Returns the value of a line by its name and labels; 0 without such a line. */
  async read(line: string): Promise<number> {
    const lines = (await this.text()).split('\n');
    const found = lines.find((each) => each.startsWith(`${line} `)) ?? `${line} 0`;
    return Number(found.slice(line.length));
  }

  /** Waits until a line has a value, since some are measured a moment later. */
  async expect(line: string, value: number): Promise<void> {
    await eventually(async () => {
      expect(await this.read(line)).toBe(value);
    });
  }
}
