import { Logger } from '@nestjs/common';
import { newStoredId, StoredId } from '../database/identifiers';
import { BackgroundJobs } from './background-jobs.service';
import { Lanes } from './lanes.service';

const [ONE, OTHER, THIRD] = [newStoredId(), newStoredId(), newStoredId()] as const;

describe('lanes', () => {
  let jobs: BackgroundJobs;
  /** The companies whose turns have begun, in that order. */
  let begun: StoredId[];
  /** Ends the turn of a company, which may need a further one. */
  let end: Map<StoredId, (hasMore: boolean) => void>;

  beforeEach(() => {
    jobs = new BackgroundJobs();
    begun = [];
    end = new Map();
  });

  afterEach(() => jobs.beforeApplicationShutdown());

  const lanesFor = (count: number) =>
    new Lanes(jobs, 'work', count, (companyId) => {
      begun.push(companyId);
      return new Promise((resolve) => end.set(companyId, resolve));
    });

  /** Lets everything happen that waits for nothing else. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  async function endTurn(companyId: StoredId, hasMore = false): Promise<void> {
    end.get(companyId)!(hasMore);
    await settled();
  }

  it('let no slow company delay the others', async () => {
    lanesFor(2).add([ONE, OTHER, THIRD]);
    await settled();
    expect(begun).toEqual([ONE, OTHER]);
    await endTurn(OTHER);
    expect(begun).toEqual([ONE, OTHER, THIRD]);
    await endTurn(THIRD);
    await endTurn(ONE);
  });

  it('give a company that was added during its turn one more, and never two at once', async () => {
    const lanes = lanesFor(2);
    lanes.add([ONE]);
    await settled();
    lanes.add([ONE]);
    lanes.add([ONE]);
    await settled();
    expect(begun).toEqual([ONE]);
    await endTurn(ONE);
    expect(begun).toEqual([ONE, ONE]);
    await endTurn(ONE);
    expect(begun).toEqual([ONE, ONE]);
  });

  it('give a company that has more its next turn after those that wait', async () => {
    lanesFor(1).add([ONE, OTHER]);
    await settled();
    await endTurn(ONE, true);
    await endTurn(OTHER);
    expect(begun).toEqual([ONE, OTHER, ONE]);
    await endTurn(ONE);
  });

  it('give a company whose turn has failed another one when it is added again', async () => {
    const turn = jest.fn<Promise<boolean>, [StoredId]>().mockRejectedValueOnce(new Error('broken'));
    turn.mockResolvedValue(false);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const lanes = new Lanes(jobs, 'work', 1, turn);
    lanes.add([ONE]);
    await settled();
    lanes.add([ONE]);
    await settled();
    expect(turn).toHaveBeenCalledTimes(2);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
