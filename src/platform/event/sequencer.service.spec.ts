import { setImmediate as nothingLeftToRun } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { eventually } from '../../../test/support/eventually';
import { BackgroundJobs } from '../scheduling/background-jobs.service';
import type { SharedJobs } from '../scheduling/shared-jobs.service';
import { SequencerService } from './sequencer.service';
import type { WaitingReaders } from './waiting-readers.service';
import type { StoredId } from '../database/identifiers';
import { registry } from '../metrics/metrics.registry';

const wake = (service: SequencerService, company: string) => {
  service.wake(company as unknown as StoredId);
};

const valueOf = async (gauge: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(gauge)!.get()).values[0]?.value;

type Numbered = { numbered: number; reached: string }[];

describe('the sequencer', () => {
  let jobs: BackgroundJobs;
  let warn: jest.SpyInstance;
  let asked: string[];
  const announce = jest.fn();

  beforeEach(() => {
    jobs = new BackgroundJobs();
    asked = [];
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  });

  afterEach(async () => {
    await jobs.beforeApplicationShutdown();
    jest.restoreAllMocks();
    announce.mockReset();
  });

  /** A sequencer on a database that numbers in this way. */
  function sequencer(number: (company: string) => Promise<Numbered>, pending: string[] = []) {
    const query = (statement: string, parameters: [string]) => {
      if (statement.includes('FROM unnumbered_event')) {
        return Promise.resolve(pending.map((company_id) => ({ company_id, waiting: 1, age: 1 })));
      }
      asked.push(parameters[0]);
      return number(parameters[0]);
    };
    const readers = { announce } as unknown as WaitingReaders;
    const sharedJobs = jobs as unknown as SharedJobs;
    return new SequencerService({ query } as unknown as DataSource, jobs, sharedJobs, readers);
  }

  /** Resolves once the companies have been numbered in this order. */
  const untilAsked = (...companies: string[]) =>
    eventually(() => {
      expect(asked).toEqual(companies);
    });

  it('numbers the events of a write at once, and those of the next ones together', async () => {
    const service = sequencer(() => Promise.resolve([{ numbered: 1, reached: '1' }]));
    wake(service, 'a');
    await untilAsked('a');
    // A write during the turn of its company would cause another one.
    await nothingLeftToRun();
    for (let write = 0; write < 5; write += 1) {
      wake(service, 'a');
      wake(service, 'b');
    }
    await untilAsked('a', 'b', 'a');
    expect(announce.mock.calls).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 1],
    ]);
  });

  it('numbers a large backlog batch by batch, in turn with other companies', async () => {
    let left = 10;
    const service = sequencer(
      async (company) => {
        await Promise.resolve();
        left -= company === 'large' ? 1 : 0;
        return [{ numbered: company === 'large' && left > 0 ? 1_000 : 10, reached: '1' }];
      },
      ['large', ...'abcdefgh'],
    );
    await service.look();
    await eventually(() => {
      expect(asked.toSorted()).toEqual([...'abcdefgh', ...Array<string>(10).fill('large')]);
    });
    expect(asked.indexOf('h')).toBeLessThan(15);
  });

  it('is not delayed by companies whose statements take long', async () => {
    let finish!: () => void;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const service = sequencer(async (company) => {
      await (company.startsWith('slow') && slow);
      return [{ numbered: 1, reached: '1' }];
    });
    for (const company of ['slow 1', 'slow 2', 'slow 1', 'a']) {
      wake(service, company);
    }
    await untilAsked('slow 1', 'slow 2', 'a');
    wake(service, 'slow 1');
    wake(service, 'b');
    await untilAsked('slow 1', 'slow 2', 'a', 'b');
    finish();
    await untilAsked('slow 1', 'slow 2', 'a', 'b', 'slow 1');
  });

  it('leaves a company alone for a while after a failure, and logs the first', async () => {
    const service = sequencer(
      (company) =>
        company === 'bad'
          ? Promise.reject(new Error('no shard'))
          : Promise.resolve([{ numbered: 0, reached: '1' }]),
      ['bad', 'good'],
    );
    await service.look();
    await untilAsked('bad', 'good');
    wake(service, 'bad');
    await service.look();
    await untilAsked('bad', 'good', 'good');
    await eventually(async () => {
      await service.look();
      expect(asked.filter((company) => company === 'bad')).toHaveLength(2);
    });
    expect(warn).toHaveBeenCalledWith('could not number events: Error: no shard');
    expect(announce).not.toHaveBeenCalled();
  });

  it('tries again within 5 seconds, however often it has failed', async () => {
    const service = sequencer(() => Promise.reject(new Error('locked')), ['a']);
    const clock = jest.spyOn(performance, 'now');
    for (let times = 1; times <= 8; times += 1) {
      clock.mockReturnValue(times * 5_000);
      await service.look();
      await nothingLeftToRun();
      expect(asked).toHaveLength(times);
    }
  });

  it('reports the oldest event of all companies, also where a look reads only some', async () => {
    const looks = [
      [{ company_id: 'a', waiting: 10_000, age: 125 }],
      [{ company_id: 'b', waiting: 2, age: 3 }],
    ];
    let look = 0;
    const query = (statement: string) =>
      Promise.resolve(statement.includes('FROM unnumbered_event') ? looks[look++ % 2] : []);
    const service = sequencer(() => Promise.resolve([]));
    Object.assign(service, { dataSource: { query } });
    for (const waiting of [10_000, 10_002, 10_002, 10_002]) {
      await service.look();
      expect([
        await valueOf('events_unsequenced'),
        await valueOf('event_sequencer_lag_seconds'),
      ]).toEqual([waiting, 125]);
    }
  });

  it('lets a company rest for longer while many others write', async () => {
    const service = sequencer(() => Promise.resolve([{ numbered: 1, reached: '1' }]));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const write = (...companies: string[]) => {
      companies.forEach((company) => {
        wake(service, company);
      });
    };
    /** A company that was numbered at 0 is numbered again then, and no earlier. */
    const expectRestOf = async (company: string, milliseconds: number) => {
      const before = [...asked];
      const behind = `${company}'s follower`;
      clock.mockReturnValue(milliseconds - 1);
      write(company, behind);
      await untilAsked(...before, behind);
      clock.mockReturnValue(milliseconds);
      await untilAsked(...before, behind, company);
      clock.mockReturnValue(0);
    };
    write('alone');
    await untilAsked('alone');
    await expectRestOf('alone', 200);
    const many = Array.from({ length: 30 }, (_, index) => `company ${index}`);
    const before = [...asked];
    write(...many);
    await untilAsked(...before, ...many);
    await expectRestOf('company 29', 500);
  });

  it('announces nothing while another process numbers', async () => {
    const service = sequencer(() => Promise.resolve([]));
    wake(service, 'a');
    await untilAsked('a');
    wake(service, 'b');
    await untilAsked('a', 'b');
    expect(announce).not.toHaveBeenCalled();
  });
});
