import { Logger } from '@nestjs/common';
import { BackgroundJobs } from './background-jobs.service';

/** A job that ends when the test says so. */
function pendingJob() {
  let finish!: () => void;
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { job: jest.fn((_stop: AbortSignal) => done), finish };
}

describe('background jobs', () => {
  let jobs: BackgroundJobs;
  let warn: jest.SpyInstance;

  beforeEach(() => {
    jobs = new BackgroundJobs();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(() => jest.restoreAllMocks());

  it('starts a job again only after its last run has ended', async () => {
    const { job, finish } = pendingJob();
    const first = jobs.run('tidy up', job);
    await jobs.run('tidy up', job);
    expect(job).toHaveBeenCalledTimes(1);
    finish();
    await first;
    await jobs.run('tidy up', job);
    expect(job).toHaveBeenCalledTimes(2);
  });

  it('runs different jobs at once', async () => {
    const [one, other] = [pendingJob(), pendingJob()];
    const running = [jobs.run('one', one.job), jobs.run('other', other.job)];
    expect(other.job).toHaveBeenCalledTimes(1);
    one.finish();
    other.finish();
    await Promise.all(running);
  });

  it('logs a failure and runs the job again the next time', async () => {
    const job = jest.fn().mockRejectedValueOnce(new Error('no room')).mockResolvedValueOnce(null);
    await jobs.run('tidy up', job);
    expect(warn).toHaveBeenCalledWith('could not tidy up: Error: no room');
    await jobs.run('tidy up', job);
    expect(job).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('logs the failures of a kind of jobs once a minute', async () => {
    jest.useFakeTimers();
    for (let turn = 1; turn <= 90; turn += 1) {
      const fails = () => Promise.reject(new Error('no room'));
      await jobs.run(`tidy up (turn ${turn})`, fails, null, 'tidy up');
      jest.advanceTimersByTime(1_000);
    }
    jest.useRealTimers();
    expect(warn.mock.calls).toEqual([
      ['could not tidy up (turn 1): Error: no room'],
      ['could not tidy up (turn 60): Error: no room (failures in the last minute: 59)'],
    ]);
  });

  it('tells running jobs to stop, waits for them and starts no other', async () => {
    const { job, finish } = pendingJob();
    const running = jobs.run('tidy up', job);
    const [[signal]] = job.mock.calls as [[AbortSignal]];
    expect(signal.aborted).toBe(false);
    let stopped = false;
    const stopping = jobs.beforeApplicationShutdown().then(() => (stopped = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([signal.aborted, stopped]).toEqual([true, false]);
    const late = jest.fn();
    await jobs.run('late', late);
    expect(late).not.toHaveBeenCalled();
    finish();
    await Promise.all([running, stopping]);
    expect(stopped).toBe(true);
  });
});
