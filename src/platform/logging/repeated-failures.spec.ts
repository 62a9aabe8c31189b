import { Logger } from '@nestjs/common';
import { RepeatedFailures } from './repeated-failures';

describe('failures of work that is tried again and again', () => {
  let warn: jest.SpyInstance;
  let failures: RepeatedFailures;

  beforeEach(() => {
    jest.useFakeTimers();
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    failures = new RepeatedFailures(new Logger(), 'could not tidy up');
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const lines = () => warn.mock.calls.map(([line]) => line as string);

  it('are logged at once, and then once a minute with their number', () => {
    for (let second = 0; second < 130; second += 1) {
      failures.add(new Error(`no room at ${second}`));
      jest.advanceTimersByTime(1_000);
    }
    expect(lines()).toEqual([
      'could not tidy up: Error: no room at 0',
      'could not tidy up: Error: no room at 59 (failures in the last minute: 59)',
      'could not tidy up: Error: no room at 119 (failures in the last minute: 60)',
    ]);
  });

  it('are all counted, also if the work succeeds in between or ends', () => {
    failures.add('one');
    failures.add('two', 'could not tidy up here');
    jest.advanceTimersByTime(300_000);
    failures.add('three');
    expect(lines()).toEqual([
      'could not tidy up: one',
      'could not tidy up here: two (failures in the last minute: 1)',
      'could not tidy up: three',
    ]);
  });
});
