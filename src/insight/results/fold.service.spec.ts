import type { DataSource } from 'typeorm';
import { eventually } from '../../../test/support/eventually';
import type { StoredId } from '../../platform/database/identifiers';
import type { SequencerService } from '../../platform/event/sequencer.service';
import { BackgroundJobs } from '../../platform/scheduling/background-jobs.service';
import type { SharedJobs } from '../../platform/scheduling/shared-jobs.service';
import { FoldService } from './fold.service';

/** Until the turn of a company that has less than a batch. */
const RESTS = ['rest', 'rest', 'rest'];

let log: string[] = [];

jest.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    if (milliseconds >= 1_000) {
      log.push('rest');
    }
    await new Promise(setImmediate);
  },
}));

describe('the fold', () => {
  let jobs: BackgroundJobs;
  let numbered: (company: string, events?: number) => void;

  beforeEach(() => {
    jobs = new BackgroundJobs();
    log = [];
  });

  afterEach(() => jobs.beforeApplicationShutdown());

  /** Starts a fold on a database with so many batches of each company. */
  function start(batches: Record<string, number>, afterFold?: (company: string) => void): void {
    const query = (_: string, [company]: [string]) => {
      log.push(company);
      batches[company] = (batches[company] ?? 1) - 1;
      afterFold?.(company);
      return Promise.resolve([{ folded: 1, reached: '1', last: batches[company] > 0 ? '2' : '1' }]);
    };
    const sequencer = {
      onNumbered: (listener: (company: StoredId, events: number) => void) => {
        numbered = (company, events = 1) => {
          listener(company as unknown as StoredId, events);
        };
      },
    } as unknown as SequencerService;
    const sharedJobs = { onLost: () => undefined } as unknown as SharedJobs;
    new FoldService({ query } as unknown as DataSource, sequencer, jobs, sharedJobs).onModuleInit();
  }

  const untilLogged = (...entries: string[]) =>
    eventually(() => {
      expect(log).toEqual(entries);
    });

  it('folds together what is numbered during a rest or a turn', async () => {
    const during = ['b', 'a', 'b'];
    start({}, () => {
      during.splice(0).forEach((company) => {
        numbered(company);
      });
    });
    ['a', 'b', 'a', 'a'].forEach((company) => {
      numbered(company);
    });
    await untilLogged(...RESTS, 'a', 'b', ...RESTS, 'b', 'a');
  });

  it('folds a large backlog batch by batch, in turn with other companies, without a rest', async () => {
    start({ large: 4 });
    numbered('large');
    numbered('a');
    await untilLogged(...RESTS, 'large', 'a', 'large', 'large', 'large');
  });

  it('lets no company wait for the end of a large backlog', async () => {
    start({ large: 6 }, (company) => {
      if (log.filter((each) => each === 'large').length === 1 && company === 'large') {
        numbered('b', 1_000);
      }
    });
    numbered('large', 1_000);
    await untilLogged('rest', 'large', 'large', 'b', 'large', 'large', 'large', 'large');
  });

  it('folds a whole batch after the first rest, and does not let the others wait longer', async () => {
    start({});
    numbered('large', 999);
    numbered('a');
    numbered('large');
    await untilLogged('rest', 'large', 'rest', 'rest', 'a');
  });
});
