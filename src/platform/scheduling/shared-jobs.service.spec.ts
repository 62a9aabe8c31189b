import { Env } from '../config/env';
import { BackgroundJobs } from './background-jobs.service';
import type { Lease } from './lease.service';
import { SharedJobs } from './shared-jobs.service';

describe('a job of the process that holds the lease', () => {
  let held: boolean;
  let gauge: number;
  let jobs: SharedJobs;

  beforeEach(() => {
    held = true;
    gauge = 0;
    const lost: (() => void)[] = [];
    const lease = {
      holds: () => Promise.resolve(held),
      onLost: (listener: () => void) => lost.push(listener),
      tellLost: () => lost.forEach((listener) => listener()),
    };
    jobs = new SharedJobs(new BackgroundJobs(), lease as unknown as Lease, new Env());
    jobs.onLost(() => (gauge = 0));
  });

  it('reports what it has found', async () => {
    await jobs.run('measure', () => Promise.resolve((gauge = 7)));
    expect(gauge).toBe(7);
  });

  it.each(['found', 'failed'])('leaves nothing reported if the lease is lost: %s', async (end) => {
    await jobs.run('measure', async () => {
      held = false;
      gauge = await Promise.resolve(7);
      if (end === 'failed') {
        throw new Error(end);
      }
    });
    expect(gauge).toBe(0);
  });
});
