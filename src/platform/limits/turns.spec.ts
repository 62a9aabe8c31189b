import { setImmediate as nextTurn } from 'node:timers/promises';
import { InterruptibleTurns, OneByOne, Turns } from './turns';

describe('turns of the event loop', () => {
  it('run one at a time, in order, with other work in between', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const serveOthers = () => {
      seen.push('other');
      if (seen.length < 8) {
        setImmediate(serveOthers);
      }
    };
    setImmediate(serveOthers);
    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await turns.next();
        seen.push(name);
      }),
    );
    expect(seen.join(' ')).toMatch(/^other a other b other c/);
    await turns.next();
  });

  it('wait for some milliseconds while short requests are in progress, and not otherwise', async () => {
    const turns = new Turns();
    let isBusy = true;
    turns.isBusy = () => isBusy;
    await turns.next();
    const start = performance.now();
    await turns.next();
    expect(performance.now() - start).toBeGreaterThan(4);
    isBusy = false;
    let others = 0;
    const timer = setTimeout(() => (others += 1), 0);
    await turns.next();
    clearTimeout(timer);
    expect(others).toBe(0);
  });
});

describe('turns that can be interrupted', () => {
  it('end with an error of the client if it has gone, and of the service if it stops', async () => {
    const turns = new InterruptibleTurns('Stopped.');
    const { signal } = new AbortController();
    await turns.next(signal);
    await expect(turns.next(AbortSignal.abort())).rejects.toMatchObject({
      code: 'request_timeout',
    });
    turns.stop();
    await expect(turns.next(signal)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: 'Stopped.',
    });
  });

  it('work on items for a few milliseconds each', async () => {
    const turns = new InterruptibleTurns('Stopped.');
    const { signal } = new AbortController();
    let longest = 0;
    let sinceOthers = 0;
    const serveOthers = () => {
      sinceOthers = 0;
      timer = setImmediate(serveOthers);
    };
    let timer = setImmediate(serveOthers);
    const items = Array.from({ length: 40 }, (_, index) => index);
    const done: number[] = [];
    await turns.forEach(items, signal, (item) => {
      const end = performance.now() + 1;
      while (performance.now() < end);
      done.push(item);
      sinceOthers += 1;
      longest = Math.max(longest, sinceOthers);
    });
    clearImmediate(timer);
    expect([done, longest]).toEqual([items, 2]);
    await expect(turns.forEach(items, AbortSignal.abort(), jest.fn())).rejects.toMatchObject({
      code: 'request_timeout',
    });
  });

  it('collect items that are computed when they are asked for, until they are interrupted', async () => {
    const turns = new InterruptibleTurns('Stopped.');
    const client = new AbortController();
    expect(await turns.collect([1, 2, 3].values(), client.signal)).toEqual([1, 2, 3]);
    function* endless() {
      for (;;) {
        yield 0;
      }
    }
    setImmediate(() => {
      client.abort();
    });
    await expect(turns.collect(endless(), client.signal)).rejects.toMatchObject({
      code: 'request_timeout',
    });
  });
});

describe('work that runs one by one', () => {
  it('runs in order, also after a failure', async () => {
    const work = new OneByOne();
    const seen: string[] = [];
    const run = (name: string) =>
      work.run(async () => {
        seen.push(`${name} begins`);
        await nextTurn();
        seen.push(`${name} ends`);
        if (name === 'a') {
          throw new Error(name);
        }
        return name;
      });
    expect(await Promise.allSettled(['a', 'b', 'c'].map(run))).toMatchObject([
      { reason: { message: 'a' } },
      { value: 'b' },
      { value: 'c' },
    ]);
    expect(seen.join(', ')).toBe('a begins, a ends, b begins, b ends, c begins, c ends');
  });
});
